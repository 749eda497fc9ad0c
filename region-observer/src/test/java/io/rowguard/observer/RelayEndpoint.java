package io.rowguard.observer;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import com.google.protobuf.Service;
import java.io.IOException;
import java.util.Collections;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsRequest;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsResponse;

/**
 * A user's own endpoint that writes atomically: HBase's MultiRowMutationEndpoint under another
 * name, since HBase finds its own services by name in single calls only, not in batches.
 */
public final class RelayEndpoint implements RegionCoprocessor, Service {
  /** The method to call. */
  static final MethodDescriptor METHOD = method();

  private final MultiRowMutationEndpoint endpoint = new MultiRowMutationEndpoint();

  /** For HBase. */
  public RelayEndpoint() {}

  private static MethodDescriptor method() {
    FileDescriptor types = MultiRowMutationProtos.getDescriptor();
    FileDescriptorProto file =
        FileDescriptorProto.newBuilder()
            .setName("Relay.proto")
            .setPackage("rowguard")
            .addDependency(types.getName())
            .addService(
                ServiceDescriptorProto.newBuilder()
                    .setName("Relay")
                    .addMethod(
                        MethodDescriptorProto.newBuilder()
                            .setName("MutateRows")
                            .setInputType("." + MutateRowsRequest.getDescriptor().getFullName())
                            .setOutputType("." + MutateRowsResponse.getDescriptor().getFullName())))
            .build();
    try {
      return FileDescriptor.buildFrom(file, new FileDescriptor[] {types})
          .findServiceByName("Relay")
          .findMethodByName("MutateRows");
    } catch (DescriptorValidationException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Iterable<Service> getServices() {
    return Collections.singleton(this);
  }

  @Override
  @SuppressWarnings("rawtypes") // HBase's own signature
  public void start(CoprocessorEnvironment env) throws IOException {
    endpoint.start(env);
  }

  @Override
  public ServiceDescriptor getDescriptorForType() {
    return METHOD.getService();
  }

  @Override
  public void callMethod(
      MethodDescriptor called,
      RpcController controller,
      Message request,
      RpcCallback<Message> done) {
    endpoint.mutateRows(controller, (MutateRowsRequest) request, done::run);
  }

  @Override
  public Message getRequestPrototype(MethodDescriptor called) {
    return MutateRowsRequest.getDefaultInstance();
  }

  @Override
  public Message getResponsePrototype(MethodDescriptor called) {
    return MutateRowsResponse.getDefaultInstance();
  }
}
