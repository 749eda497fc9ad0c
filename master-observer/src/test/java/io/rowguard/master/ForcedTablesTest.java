package io.rowguard.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

/** For how long a table stays open. */
class ForcedTablesTest {
  private static final TableName ORDERS = TableName.valueOf("orders");

  // Near the end of a long: System.nanoTime may be anything, and wraps around.
  private long now = Long.MAX_VALUE - TimeUnit.MINUTES.toNanos(5);
  private final ForcedTables tables = new ForcedTables(() -> now);

  @Test
  void reason_ofATableThatWasOpened_isThereForTenMinutes() {
    tables.open(ORDERS, "ticket 42");

    assertEquals("ticket 42", tables.reason(ORDERS));
    now += TimeUnit.MINUTES.toNanos(10) - 1;
    assertEquals("ticket 42", tables.reason(ORDERS));
    now++;
    assertNull(tables.reason(ORDERS));
  }

  @Test
  void reason_ofAnotherTable_isNone() {
    tables.open(ORDERS, "ticket 42");

    assertNull(tables.reason(TableName.valueOf("ns:orders")));
  }

  @Test
  void open_again_countsFromThen() {
    tables.open(ORDERS, "ticket 42");
    now += TimeUnit.MINUTES.toNanos(9);
    tables.open(ORDERS, "ticket 43");
    now += TimeUnit.MINUTES.toNanos(9);

    assertEquals("ticket 43", tables.reason(ORDERS));
  }

  @Test
  void close_beforeTheTime_closes() {
    tables.open(ORDERS, "ticket 42");
    tables.close(ORDERS);

    assertNull(tables.reason(ORDERS));
  }
}
