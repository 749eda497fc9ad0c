package io.rowguard.client;

import java.io.IOException;
import java.util.Collections;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hbase.thirdparty.com.google.protobuf.BlockingRpcChannel;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.MethodDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.DynamicMessage;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;

/** Calls HBase's endpoint for several rows as programs do, by a blocking stub, on each HBase. */
final class BlockingStub {
  private BlockingStub() {}

  static boolean mutateRows(Table table, MultiRowRequest request) throws IOException {
    return SaltedTableOfHBase3.isThere()
        ? OfHBase3.mutateRows(table, request)
        : MultiRowEndpoint.mutateRows(table, request);
  }

  /** Loaded on HBase 3 only. */
  private static final class OfHBase3 {
    private static final MethodDescriptor METHOD = MultiRowEndpointOfHBase3.METHOD;

    static boolean mutateRows(Table table, MultiRowRequest request) throws IOException {
      Object channel = table.coprocessorService(request.rows().get(0));
      Message message =
          MultiRowEndpoint.counting(
              Message.class, DynamicMessage.getDefaultInstance(METHOD.getInputType()), request);
      try {
        return ((BlockingRpcChannel) channel)
            .callBlockingMethod(
                METHOD, null, message, DynamicMessage.getDefaultInstance(METHOD.getOutputType()))
            .getUnknownFields()
            .getField(1)
            .getVarintList()
            .equals(Collections.singletonList(1L));
      } catch (ServiceException e) {
        throw MultiRowEndpoint.failure(e);
      }
    }
  }
}
