package io.rowguard.master;

import static io.rowguard.master.RelayoutDescriptors.OLD;
import static io.rowguard.master.RelayoutDescriptors.ORDERS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.AddedSteps;
import io.rowguard.layout.RowkeyLayout;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableBuilder;
import org.junit.jupiter.api.Test;

/** The findings where rows cannot be read; {@link AlterIT} reads some. */
class BucketStepCheckTest {
  private static final AddedSteps STEPS =
      AddedSteps.of(
          RowkeyLayout.parse(OLD), RowkeyLayout.parse(OLD.replace("%16", "%16,64 from item=5000")));

  @Test
  void find_rowsThatTakeTooLong_areNotKnownInTime() {
    CountDownLatch never = new CountDownLatch(1);
    long began = System.nanoTime();

    String found =
        check(
                () -> {
                  try {
                    never.await();
                  } catch (InterruptedException e) {
                    throw new InterruptedIOException();
                  }
                })
            .find(ORDERS, STEPS, false, true);

    assertEquals("unknown: no answer in 1 s", found);
    assertTrue(System.nanoTime() - began < TimeUnit.SECONDS.toNanos(60));
  }

  @Test
  void find_aScanThatFails_isNotKnown() {
    String found =
        check(
                () -> {
                  throw new IOException("gone");
                })
            .find(ORDERS, STEPS, false, true);

    assertEquals("unknown: IOException: gone", found);
  }

  /** The event at the next row of each scan. */
  private interface Next {
    void come() throws IOException;
  }

  private static BucketStepCheck check(Next next) {
    ResultScanner scanner =
        proxy(
            ResultScanner.class,
            (self, method, arguments) -> {
              if (method.getName().equals("next")) {
                next.come();
              }
              return null;
            });
    Table table =
        proxy(
            Table.class,
            (self, method, arguments) -> method.getName().equals("getScanner") ? scanner : null);
    TableBuilder builder =
        proxy(
            TableBuilder.class,
            (self, method, arguments) -> method.getName().equals("build") ? table : self);
    return new BucketStepCheck(
        proxy(Connection.class, (self, method, arguments) -> builder), 1_000);
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
