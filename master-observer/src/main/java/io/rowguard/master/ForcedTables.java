package io.rowguard.master;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.TableName;

/**
 * Tables that an operator has opened, with a reason, to what the master would refuse: for
 * operations that carry no descriptor and so no reason of their own.
 *
 * <p>Kept in this master's memory only. Another master that takes over refuses again, which is the
 * safe side. Thread-safe.
 */
final class ForcedTables {
  static final int MINUTES = 10;

  private static final class Opened {
    private final String reason;
    private final long closesAt;

    Opened(String reason, long closesAt) {
      this.reason = reason;
      this.closesAt = closesAt;
    }
  }

  private final ConcurrentMap<TableName, Opened> tables = new ConcurrentHashMap<>();
  private final LongSupplier nanos;

  /**
   * @param nanos a clock such as {@link System#nanoTime}
   */
  ForcedTables(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Opens a table for {@link #MINUTES} from now. */
  void open(TableName table, String reason) {
    long closesAt = nanos.getAsLong() + TimeUnit.MINUTES.toNanos(MINUTES);
    tables.put(table, new Opened(reason, closesAt));
  }

  /** Closes a table again, if it is open. */
  void close(TableName table) {
    tables.remove(table);
  }

  /** The reason for which a table is open, or null. */
  String reason(TableName table) {
    Opened opened = tables.get(table);
    if (opened == null) {
      return null;
    }
    if (opened.closesAt - nanos.getAsLong() > 0) {
      return opened.reason;
    }
    tables.remove(table, opened);
    return null;
  }
}
