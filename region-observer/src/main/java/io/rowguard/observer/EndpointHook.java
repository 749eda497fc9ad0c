package io.rowguard.observer;

import java.io.IOException;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.coprocessor.EndpointObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;

/**
 * The hooks around the call of an endpoint, in the words of HBase 2 and in those of 3.0: their
 * protobuf is another. The call is handed on by its name and its bytes, which both have.
 *
 * <p>It is a class of its own, since the one signature names classes that 3.0 lacks. HBase 3 loads
 * this class without linking that method.
 */
final class EndpointHook implements EndpointObserver {
  private final HookGuard guard;
  private final Supplier<RegionHooks> hooks;

  /**
   * @param hooks gives null where there is nothing to guard
   */
  EndpointHook(HookGuard guard, Supplier<RegionHooks> hooks) {
    this.guard = guard;
    this.hooks = hooks;
  }

  private void before(Supplier<String> service, Supplier<byte[]> request) throws IOException {
    try {
      RegionHooks own = hooks.get();
      if (own != null) {
        own.preEndpointInvocation(service.get(), request);
      }
    } catch (Throwable e) {
      throw guard.refusal("preEndpointInvocation", e);
    }
  }

  private void after() {
    try {
      RegionHooks own = hooks.get();
      if (own != null) {
        own.postEndpointInvocation();
      }
    } catch (Throwable e) {
      guard.passOver("postEndpointInvocation", e);
    }
  }

  /** HBase 2. */
  @Override
  public com.google.protobuf.Message preEndpointInvocation(
      ObserverContext<RegionCoprocessorEnvironment> context,
      com.google.protobuf.Service service,
      String method,
      com.google.protobuf.Message request)
      throws IOException {
    before(() -> service.getDescriptorForType().getFullName(), () -> request.toByteArray());
    return request;
  }

  /** HBase 2. */
  @Override
  public void postEndpointInvocation(
      ObserverContext<RegionCoprocessorEnvironment> context,
      com.google.protobuf.Service service,
      String method,
      com.google.protobuf.Message request,
      com.google.protobuf.Message.Builder response) {
    after();
  }

  /** HBase 3.0, where it overrides. */
  @SuppressWarnings("UnusedMethod") // by the releases that this is compiled with
  public org.apache.hbase.thirdparty.com.google.protobuf.Message preEndpointInvocation(
      ObserverContext<RegionCoprocessorEnvironment> context,
      org.apache.hbase.thirdparty.com.google.protobuf.Service service,
      String method,
      org.apache.hbase.thirdparty.com.google.protobuf.Message request)
      throws IOException {
    before(() -> service.getDescriptorForType().getFullName(), () -> request.toByteArray());
    return request;
  }

  /** HBase 3.0, likewise. */
  @SuppressWarnings("UnusedMethod") // by the releases that this is compiled with
  public void postEndpointInvocation(
      ObserverContext<RegionCoprocessorEnvironment> context,
      org.apache.hbase.thirdparty.com.google.protobuf.Service service,
      String method,
      org.apache.hbase.thirdparty.com.google.protobuf.Message request,
      org.apache.hbase.thirdparty.com.google.protobuf.Message.Builder response) {
    after();
  }
}
