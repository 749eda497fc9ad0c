package io.rowguard.observer;

import io.rowguard.config.LayoutVersion;
import io.rowguard.config.StaleLayoutException;
import io.rowguard.config.TableConfig;
import io.rowguard.observer.relayout.RelayoutMetrics;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.client.Attributes;

/**
 * That a request which was planned with a version of the table's layouts comes to a region that
 * takes it. Requests that name none are raw, and taken as they are. Thread-safe; one look into the
 * request's attributes.
 */
final class VersionCheck {
  private final String context;
  private final TableConfig config;
  private final Supplier<RelayoutMetrics> metrics;

  /**
   * @param metrics made with the first who needs them: most tables never do
   */
  VersionCheck(String table, TableConfig config, Supplier<RelayoutMetrics> metrics) {
    this.context = "table=" + table;
    this.config = config;
    this.metrics = metrics;
  }

  /**
   * Returns if the region takes the request.
   *
   * @throws StaleLayoutException for its sender to plan it anew
   */
  void check(Attributes request) throws StaleLayoutException {
    long version = LayoutVersion.of(request);
    if (version < 0 || LayoutVersion.isTaken(config, version)) {
      return;
    }
    metrics.get().stale();
    StaleLayoutException stale =
        new StaleLayoutException(
            "The table's layout has changed since this request was planned, or its region has not"
                + " reopened yet: read the descriptor again. "
                + context
                + " version="
                + version
                + " regionVersion="
                + config.layoutVersion()
                + ".");
    stale.setStackTrace(new StackTraceElement[0]); // which goes out once per row
    throw stale;
  }

  /** Whether a request was planned with a later version than the region knows. */
  boolean isAhead(Attributes request) {
    return LayoutVersion.of(request) > config.layoutVersion();
  }
}
