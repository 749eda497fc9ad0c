package io.rowguard.tools.hot;

import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cli.Interrupt;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cluster.Cluster;
import io.rowguard.tools.cluster.ClusterOptions;
import io.rowguard.tools.cluster.NoAnswer;
import io.rowguard.tools.cluster.TableNames;
import java.time.Duration;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.TableName;

/** Reads the load of a table once, or again and again until someone stops it. */
final class HotWatch {
  private HotWatch() {}

  /**
   * Hands out each reading. After the first one, a reading that fails is noted only.
   *
   * @param every the time between two; null for one only
   * @param show answers whether there is to be another one
   * @throws CommandFailure when there is no such table, no answer, or nothing is counted
   */
  static void run(
      ClusterOptions options,
      String table,
      Duration every,
      Interrupt interrupt,
      Predicate<HotTable> show,
      Terminal terminal) {
    try (Cluster cluster = Cluster.connect(options)) {
      TableName name = TableNames.parse(table);
      cluster.requireTable(name);
      HotReader reader = new HotReader(cluster, name);
      boolean isRead = show.test(reading(cluster, reader));
      while (isRead && every != null && !interrupt.await(every)) {
        try {
          isRead = show.test(reading(cluster, reader));
        } catch (CommandFailure e) {
          terminal.note(e.getMessage());
        }
      }
    }
  }

  private static HotTable reading(Cluster cluster, HotReader reader) {
    try {
      HotTable hot = reader.read();
      if (hot.regions().isEmpty()) {
        throw new CommandFailure(
            "No region server shows a load of the table. It must be enabled, with a layout, the"
                + " region observer, and rowguard.load.sample above 0; rowguard doctor says what"
                + " is missing. table="
                + hot.table()
                + " silent="
                + hot.silent());
      }
      return hot;
    } catch (NoAnswer e) {
      throw cluster.unreachable(e);
    }
  }
}
