package io.rowguard.client;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncBufferedMutatorBuilder;

/** The most mutations in a buffer, which HBase has from 2.5.13, 2.6.4 and 3.0 on. */
final class MaxMutations {
  private static final MethodHandle GET =
      find(AsyncBufferedMutator.class, "getMaxMutations", MethodType.methodType(int.class));
  private static final MethodHandle SET =
      find(
          AsyncBufferedMutatorBuilder.class,
          "setMaxMutations",
          MethodType.methodType(AsyncBufferedMutatorBuilder.class, int.class));

  private MaxMutations() {}

  /** Null on a release without it. */
  private static MethodHandle find(Class<?> type, String name, MethodType signature) {
    try {
      return MethodHandles.publicLookup().findVirtual(type, name, signature);
    } catch (NoSuchMethodException | IllegalAccessException e) {
      return null;
    }
  }

  static int get(AsyncBufferedMutator buffer) {
    try {
      return (int) there(GET).invokeExact(buffer);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("It throws no checked exception.", e);
    }
  }

  static void set(AsyncBufferedMutatorBuilder builder, int most) {
    try {
      AsyncBufferedMutatorBuilder unused =
          (AsyncBufferedMutatorBuilder) there(SET).invokeExact(builder, most);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("It throws no checked exception.", e);
    }
  }

  private static MethodHandle there(MethodHandle method) {
    if (method == null) {
      throw new UnsupportedOperationException(
          "This release of HBase does not limit the mutations in a buffer; 2.5.13, 2.6.4 and 3.0"
              + " do.");
    }
    return method;
  }
}
