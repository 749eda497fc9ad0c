package io.rowguard.observer;

import java.io.IOException;
import org.apache.hadoop.hbase.coprocessor.EndpointObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;

/**
 * The hook before an endpoint is called, in the words of HBase 2 and in those of 3.0: their
 * protobuf is another. What is called is read from the request, so none of the two is needed.
 *
 * <p>In a class of its own, since the one signature names classes that 3.0 lacks. Nothing but to
 * load it comes of that there.
 */
final class EndpointHook implements EndpointObserver {
  /** What to do. */
  interface Before {
    void endpoint() throws IOException;
  }

  private final Before before;

  EndpointHook(Before before) {
    this.before = before;
  }

  /** HBase 2. */
  @Override
  public com.google.protobuf.Message preEndpointInvocation(
      ObserverContext<RegionCoprocessorEnvironment> context,
      com.google.protobuf.Service service,
      String method,
      com.google.protobuf.Message request)
      throws IOException {
    before.endpoint();
    return request;
  }

  /** HBase 3.0, where it overrides. */
  @SuppressWarnings("UnusedMethod") // by the releases that this is compiled with
  public org.apache.hbase.thirdparty.com.google.protobuf.Message preEndpointInvocation(
      ObserverContext<RegionCoprocessorEnvironment> context,
      org.apache.hbase.thirdparty.com.google.protobuf.Service service,
      String method,
      org.apache.hbase.thirdparty.com.google.protobuf.Message request)
      throws IOException {
    before.endpoint();
    return request;
  }
}
