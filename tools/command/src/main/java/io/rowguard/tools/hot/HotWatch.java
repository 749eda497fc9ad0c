package io.rowguard.tools.hot;

import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cli.Interrupt;
import io.rowguard.tools.cluster.Cluster;
import io.rowguard.tools.cluster.ClusterOptions;
import io.rowguard.tools.cluster.NoAnswer;
import io.rowguard.tools.cluster.TableNames;
import java.time.Duration;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.TableName;

/** Reads the load of a table once, or again and again until someone stops it. */
final class HotWatch {
  private HotWatch() {}

  /**
   * Hands out each reading.
   *
   * @param every the time between two; null for one only
   * @throws CommandFailure when there is no such table, no answer, or nothing is counted
   */
  static void run(
      ClusterOptions options,
      String table,
      Duration every,
      Interrupt interrupt,
      Consumer<HotTable> show) {
    try (Cluster cluster = Cluster.connect(options)) {
      TableName name = TableNames.parse(table);
      cluster.requireTable(name);
      HotReader reader = new HotReader(cluster, name);
      do {
        HotTable hot = reading(cluster, reader);
        if (hot.regions().isEmpty()) {
          throw new CommandFailure(
              "No region server shows a load of the table. It must be enabled, with a layout, the"
                  + " region observer, and rowguard.load.sample above 0; rowguard doctor says what"
                  + " is missing. table="
                  + table
                  + " silent="
                  + hot.silent());
        }
        show.accept(hot);
      } while (every != null && !interrupt.await(every));
    }
  }

  private static HotTable reading(Cluster cluster, HotReader reader) {
    try {
      return reader.read();
    } catch (NoAnswer e) {
      throw cluster.unreachable(e);
    }
  }
}
