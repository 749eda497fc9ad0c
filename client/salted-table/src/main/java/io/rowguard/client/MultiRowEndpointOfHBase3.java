package io.rowguard.client;

import java.io.IOException;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.ipc.ServerRpcController;
import org.apache.hbase.thirdparty.com.google.protobuf.DescriptorProtos.DescriptorProto;
import org.apache.hbase.thirdparty.com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import org.apache.hbase.thirdparty.com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import org.apache.hbase.thirdparty.com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.DescriptorValidationException;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.FileDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.MethodDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.DynamicMessage;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.RpcChannel;
import org.apache.hbase.thirdparty.com.google.protobuf.RpcController;

/**
 * The call of {@link MultiRowEndpoint} in the protobuf that HBase 3 has for endpoints. HBase 2,
 * which this is compiled with, lacks the classes of its messages; so it describes the service
 * itself, and finds what the messages hold among their unknown fields.
 */
final class MultiRowEndpointOfHBase3 {
  /** A field of {@code MutateRowsResponse}. */
  private static final int PROCESSED = 1;

  static final MethodDescriptor METHOD = method();

  private MultiRowEndpointOfHBase3() {}

  private static MethodDescriptor method() {
    FileDescriptorProto file =
        FileDescriptorProto.newBuilder()
            .setName("rowguard/MultiRowMutation.proto")
            .setPackage("hbase.pb")
            .addMessageType(DescriptorProto.newBuilder().setName("MutateRowsRequest"))
            .addMessageType(DescriptorProto.newBuilder().setName("MutateRowsResponse"))
            .addService(
                ServiceDescriptorProto.newBuilder()
                    .setName("MultiRowMutationService")
                    .addMethod(
                        MethodDescriptorProto.newBuilder()
                            .setName("MutateRows")
                            .setInputType(".hbase.pb.MutateRowsRequest")
                            .setOutputType(".hbase.pb.MutateRowsResponse")))
            .build();
    try {
      return FileDescriptor.buildFrom(file, new FileDescriptor[0])
          .findServiceByName("MultiRowMutationService")
          .findMethodByName("MutateRows");
    } catch (DescriptorValidationException e) {
      throw new IllegalStateException("The description of the service is wrong.", e);
    }
  }

  static boolean mutateRows(Table table, MultiRowRequest request) throws IOException {
    // A channel of this protobuf on HBase 3 only.
    Object channel = table.coprocessorService(request.rows().get(0));
    Message message =
        MultiRowEndpoint.counting(
            Message.class, DynamicMessage.getDefaultInstance(METHOD.getInputType()), request);
    // It waits, too. The blocking method waits for ever when it is interrupted (hbase-facts.md).
    ServerRpcController controller = new ServerRpcController();
    AtomicReference<Message> response = new AtomicReference<>();
    ((RpcChannel) channel)
        .callMethod(
            METHOD,
            (RpcController) (Object) controller,
            message,
            DynamicMessage.getDefaultInstance(METHOD.getOutputType()),
            response::set);
    if (controller.failedOnException()) {
      throw controller.getFailedOn();
    }
    return response
        .get()
        .getUnknownFields()
        .getField(PROCESSED)
        .getVarintList()
        .equals(Collections.singletonList(1L));
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
