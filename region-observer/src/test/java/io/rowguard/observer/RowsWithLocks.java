package io.rowguard.observer;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ServiceException;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MultiRowMutationService;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsRequest;

/** Calls of HBase's MultiRowMutationEndpoint, which writes with {@code mutateRowsWithLocks}. */
final class RowsWithLocks {
  private RowsWithLocks() {}

  static MutateRowsRequest request(Mutation... mutations) throws IOException {
    MutateRowsRequest.Builder request = MutateRowsRequest.newBuilder();
    for (Mutation mutation : mutations) {
      request.addMutationRequest(ProtobufUtil.toMutation(typeOf(mutation), mutation));
    }
    return request.build();
  }

  private static MutationType typeOf(Mutation mutation) {
    if (mutation instanceof Delete) {
      return MutationType.DELETE;
    }
    if (mutation instanceof Append) {
      return MutationType.APPEND;
    }
    return mutation instanceof Increment ? MutationType.INCREMENT : MutationType.PUT;
  }

  /** Carries out a request on the table's first region. */
  static void mutateRows(GuardedTable guarded, MutateRowsRequest request) throws IOException {
    try {
      assertTrue(
          MultiRowMutationService.newBlockingStub(
                  guarded.table().coprocessorService(Writes.bytes("a")))
              .mutateRows(null, request)
              .getProcessed());
    } catch (ServiceException e) {
      throw ProtobufUtil.handleRemoteException(e);
    }
  }
}
