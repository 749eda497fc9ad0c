package io.rowguard.observer;

import io.rowguard.config.LayoutStamp;
import io.rowguard.config.LayoutVersion;
import io.rowguard.config.StaleLayoutException;
import io.rowguard.config.TableConfig;
import io.rowguard.observer.relayout.RelayoutMetrics;
import java.io.IOException;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.Attributes;
import org.apache.hadoop.hbase.client.Mutation;

/**
 * Refuses requests that were planned with other layouts than the region can answer them by: see
 * {@link LayoutStamp#isTaken}. Requests that name none are raw, and taken as they are. Thread-safe;
 * looks into the request's attributes twice and allocates nothing.
 */
final class VersionCheck {
  private final String context;
  private final TableConfig config;
  private final LayoutStamp region;
  private final LayoutStamp.Stored stored;
  private final RepeatCheck repeats;
  private final Supplier<RelayoutMetrics> metrics;

  /**
   * @param stored what is declared for the table by now
   * @param metrics made with the first request that needs them: most tables never do
   */
  VersionCheck(
      String table,
      TableConfig config,
      LayoutStamp.Stored stored,
      RepeatCheck repeats,
      Supplier<RelayoutMetrics> metrics) {
    this.context = "table=" + table;
    this.config = config;
    this.region = LayoutStamp.of(config);
    this.stored = stored;
    this.repeats = repeats;
    this.metrics = metrics;
  }

  /**
   * Returns if the region takes the request.
   *
   * @throws StaleLayoutException for its sender to plan it anew
   * @throws IOException when what is stored cannot be read
   */
  void check(Attributes request) throws IOException {
    if (LayoutStamp.isTaken(request, region, stored)) {
      return;
    }
    metrics.get().stale();
    StaleLayoutException stale =
        new StaleLayoutException(
            "The table's layout has changed since this request was planned, or its region has not"
                + " reopened yet: read the descriptor again. "
                + context
                + " version="
                + LayoutVersion.of(request)
                + " regionVersion="
                + config.layoutVersion()
                + " regionLayout="
                + config.declaredLayout()
                + ".");
    stale.setStackTrace(new StackTraceElement[0]); // which goes out once per row
    throw stale;
  }

  /**
   * Reads what {@link #check} will need of a request, for callers who check it under HBase's locks,
   * where no file may be read.
   */
  void prepare(Attributes request) throws IOException {
    if (LayoutVersion.of(request) == region.version() + 1) {
      stored.read();
    }
  }

  /** Tells requests that were carried out before from others. */
  RepeatCheck repeats() {
    return repeats;
  }

  /** The same of a mutation that HBase has not begun: what was carried out is not sent again. */
  void checkNew(Mutation mutation) throws IOException {
    try {
      check(mutation);
    } catch (StaleLayoutException e) {
      repeats.requireNew(mutation.getRow());
      throw e;
    }
  }
}
