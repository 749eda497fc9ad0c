package io.rowguard.observer.load;

import io.rowguard.load.LoadSplitAnswer;
import io.rowguard.load.LoadVerdict;
import java.util.Locale;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.metrics.MetricRegistry;

/**
 * Counts the splits by load of one table on one region server, beside the writes to it: {@code
 * load_split_done}, {@code load_split_failed}, and {@code load_split_ANSWER} as often as a region's
 * answer changed to that; {@code load_split_cannot_VERDICT} where no split divides the load.
 * Thread-safe.
 */
final class LoadSplitMetrics {
  /** The counter of splits. */
  static final String DONE = "done";

  /** The counter of splits that the master refused, or that failed. */
  static final String FAILED = "failed";

  private final MetricRegistry registry;
  private final String prefix;

  LoadSplitMetrics(MetricRegistry registry, TableName table) {
    this.registry = registry;
    this.prefix =
        "Namespace_"
            + table.getNamespaceAsString()
            + "_table_"
            + table.getQualifierAsString()
            + "_metric_load_split_";
  }

  /** The counter of an answer; the verdict counts where no split divides the load. */
  static String counter(LoadSplitAnswer answer, LoadVerdict verdict) {
    String name =
        answer == LoadSplitAnswer.CANNOT ? answer.name() + "_" + verdict.name() : answer.name();
    return name.toLowerCase(Locale.ROOT);
  }

  /** Counts one more. */
  void count(String counter) {
    registry.counter(prefix + counter).increment();
  }
}
