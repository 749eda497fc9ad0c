package io.rowguard.tools;

import io.rowguard.testing.MiniCluster;
import org.apache.hadoop.hbase.HBaseTestingUtility;

/**
 * A cluster of its own whose master has loaded the master observer, as clusters should: steps of a
 * relayout are judged there. It ends with the JVM.
 */
public final class ObservedCluster {
  private static HBaseTestingUtility running;

  private ObservedCluster() {}

  /** The cluster, started by the first caller. */
  public static synchronized HBaseTestingUtility running() {
    if (running == null) {
      running =
          MiniCluster.start(
              conf ->
                  conf.set(
                      "hbase.coprocessor.master.classes",
                      "io.rowguard.master.LayoutMasterObserver"));
    }
    return running;
  }
}
