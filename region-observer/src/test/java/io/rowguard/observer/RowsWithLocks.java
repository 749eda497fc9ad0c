package io.rowguard.observer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.ipc.RpcClient;
import org.apache.hadoop.hbase.ipc.RpcClientFactory;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ResultOrException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;
import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet;
import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet.Field;

/**
 * Calls of HBase's MultiRowMutationEndpoint, which writes with {@code mutateRowsWithLocks}. They
 * are made of what goes over the wire, for the Java classes of the endpoint's messages (see {@code
 * MultiRowMutation.proto}), and the client's methods that take them, are others in HBase 3.0.
 */
final class RowsWithLocks {
  private static final int MUTATIONS = 1;
  private static final int CONDITIONS = 5;
  private static final int PROCESSED = 1;

  private RowsWithLocks() {}

  static UnknownFieldSet request(Mutation... mutations) throws IOException {
    Field.Builder all = Field.newBuilder();
    for (Mutation mutation : mutations) {
      all.addLengthDelimited(ProtobufUtil.toMutation(typeOf(mutation), mutation).toByteString());
    }
    return UnknownFieldSet.newBuilder().addField(MUTATIONS, all.build()).build();
  }

  /** The same request, to be carried out if a condition holds. */
  static UnknownFieldSet onlyIf(Condition condition, UnknownFieldSet request) {
    Field conditions = Field.newBuilder().addLengthDelimited(condition.toByteString()).build();
    return UnknownFieldSet.newBuilder(request).addField(CONDITIONS, conditions).build();
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

  /** Carries out a request on the region of its first row. */
  static void mutateRows(GuardedTable guarded, UnknownFieldSet request) throws IOException {
    call(
        guarded,
        request,
        (server, region) ->
            server
                .execService(
                    null,
                    CoprocessorServiceRequest.newBuilder()
                        .setRegion(region)
                        .setCall(callOf(request))
                        .build())
                .getValue()
                .getValue());
  }

  /** The same in the kind of request that plain batches come in, with puts that it has besides. */
  static void batchMutateRows(GuardedTable guarded, UnknownFieldSet request, Put... puts)
      throws IOException {
    RegionAction.Builder batch =
        RegionAction.newBuilder()
            .addAction(Action.newBuilder().setIndex(0).setServiceCall(callOf(request)));
    for (Put put : puts) {
      batch.addAction(
          Action.newBuilder()
              .setIndex(batch.getActionCount())
              .setMutation(ProtobufUtil.toMutation(MutationType.PUT, put)));
    }
    call(
        guarded,
        request,
        (server, region) -> {
          List<ResultOrException> results =
              server
                  .multi(
                      null,
                      MultiRequest.newBuilder().addRegionAction(batch.setRegion(region)).build())
                  .getRegionActionResult(0)
                  .getResultOrExceptionList();
          assertEquals(batch.getActionCount(), results.size());
          for (ResultOrException result : results) {
            if (result.hasException()) {
              throw new ServiceException(ProtobufUtil.toException(result.getException()));
            }
          }
          return results.get(0).getServiceResult().getValue().getValue();
        });
  }

  private static CoprocessorServiceCall callOf(UnknownFieldSet request) {
    return CoprocessorServiceCall.newBuilder()
        .setRow(ByteString.EMPTY)
        .setServiceName("MultiRowMutationService")
        .setMethodName("MutateRows")
        .setRequest(request.toByteString())
        .build();
  }

  /** Sends a request to a region's server, and returns the endpoint's answer. */
  private interface Call {
    ByteString send(ClientService.BlockingInterface server, RegionSpecifier region)
        throws ServiceException, IOException;
  }

  private static void call(GuardedTable guarded, UnknownFieldSet request, Call call)
      throws IOException {
    ByteString mutation = request.getField(MUTATIONS).getLengthDelimitedList().get(0);
    byte[] row = MutationProto.parseFrom(mutation).getRow().toByteArray();
    try (RegionLocator locator = guarded.table().getRegionLocator();
        RpcClient client =
            RpcClientFactory.createClient(
                guarded.table().getConfiguration(), HConstants.CLUSTER_ID_DEFAULT)) {
      HRegionLocation first = locator.getRegionLocation(row, true);
      ByteString answer =
          call.send(
              ClientService.newBlockingStub(
                  client.createBlockingRpcChannel(
                      first.getServerName(),
                      User.getCurrent(),
                      HConstants.DEFAULT_HBASE_RPC_TIMEOUT)),
              RequestConverter.buildRegionSpecifier(
                  RegionSpecifierType.REGION_NAME, first.getRegion().getRegionName()));
      assertEquals(
          List.of(1L), UnknownFieldSet.parseFrom(answer).getField(PROCESSED).getVarintList());
    } catch (ServiceException e) {
      throw ProtobufUtil.getRemoteException(e);
    }
  }
}
