package io.rowguard.client;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.ServiceException;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MultiRowMutationService;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsRequest;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsResponse;

/** The call of {@link MultiRowEndpoint} in the protobuf that HBase 2 has for endpoints. */
final class MultiRowEndpointOfHBase2 {
  private static final MethodDescriptor METHOD =
      MultiRowMutationService.getDescriptor().findMethodByName("MutateRows");

  private MultiRowEndpointOfHBase2() {}

  static boolean mutateRows(Table table, MultiRowRequest request) throws IOException {
    Message message =
        MultiRowEndpoint.counting(
            Message.class, MutateRowsRequest.parseFrom(request.bytes()), request);
    try {
      Message response =
          table
              .coprocessorService(request.rows().get(0))
              .callBlockingMethod(METHOD, null, message, MutateRowsResponse.getDefaultInstance());
      return ((MutateRowsResponse) response).getProcessed();
    } catch (ServiceException e) {
      throw MultiRowEndpoint.failure(e);
    }
  }

  static Object completed(Object method, Object request, MultiRowChannel.Completion completion)
      throws IOException {
    String service = ((MethodDescriptor) method).getService().getFullName();
    if (!service.equals(MultiRowRequest.SERVICE)) {
      return request;
    }
    Message given = (Message) request;
    return given.newBuilderForType().mergeFrom(completion.of(given.toByteArray())).build();
  }
}
