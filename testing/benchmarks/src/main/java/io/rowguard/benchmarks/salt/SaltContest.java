package io.rowguard.benchmarks.salt;

import io.rowguard.benchmarks.BenchmarkCluster;
import io.rowguard.benchmarks.Race;
import io.rowguard.benchmarks.write.ClusterWriter;
import io.rowguard.client.SaltedTable;
import io.rowguard.layout.RowkeyLayout;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;

/**
 * Tables of one layout, one for each side that can salt, to which all send the same. Closing drops
 * them: each round leaves a file of each region open.
 */
final class SaltContest implements AutoCloseable {
  private static final int CLIENTS = 32;

  private final BenchmarkCluster cluster;
  private final String name;
  private final RowkeyLayout layout;

  /** The side that salts. */
  enum Salter {
    WRITER("the writer"),
    CLIENT("`SaltedTable`"),
    SERVER("the servers");

    private final String words;

    Salter(String words) {
      this.words = words;
    }

    /** The name in tables. */
    String words() {
      return words;
    }

    private Table open(Connection connection, TableName table) throws IOException {
      return this == CLIENT ? SaltedTable.open(connection, table) : connection.getTable(table);
    }
  }

  /** Batches of actions on rows that are made of ids. */
  private interface Batches {
    List<? extends List<? extends Row>> of(UnaryOperator<byte[]> row);
  }

  private SaltContest(BenchmarkCluster cluster, String name, RowkeyLayout layout) {
    this.cluster = cluster;
    this.name = name;
    this.layout = layout;
  }

  /**
   * Creates the tables.
   *
   * @param name what their names begin with
   * @param splits the start keys of all regions but the first
   */
  static SaltContest of(BenchmarkCluster cluster, String name, RowkeyLayout layout, byte[][] splits)
      throws IOException {
    SaltContest contest = new SaltContest(cluster, name, layout);
    try (Admin admin = cluster.connection().getAdmin()) {
      for (Salter salter : Salter.values()) {
        admin.createTable(Orders.salted(contest.table(salter), layout), splits);
      }
    }
    return contest;
  }

  /** Puts rows, so many at once, again and again; they are there in the end. */
  Race<Salter> write(List<byte[]> ids, int batch) throws Exception {
    return race(row -> Orders.batches(ids, row, batch), ids);
  }

  /** Gets all rows that are there, one by one, of regions of one file each. */
  Race<Salter> read(List<byte[]> ids) throws Exception {
    compact();
    return race(row -> Orders.gets(ids, row), ids);
  }

  /** Deletes all rows, again and again. */
  Race<Salter> delete(List<byte[]> ids) throws Exception {
    return race(row -> Orders.deletes(ids, row), List.of());
  }

  private Race<Salter> race(Batches batches, List<byte[]> left) throws Exception {
    Map<Salter, ClusterWriter.Target<?>> targets = new EnumMap<>(Salter.class);
    for (Salter salter : Salter.values()) {
      UnaryOperator<byte[]> row =
          salter == Salter.WRITER ? layout::complete : UnaryOperator.identity();
      targets.put(salter, ClusterWriter.Target.of(table(salter), salter::open, batches.of(row)));
    }
    try (ClusterWriter<Salter> writer = new ClusterWriter<>(cluster, targets, CLIENTS)) {
      Race<Salter> race = writer.race(Salter.WRITER);
      for (Salter salter : Salter.values()) {
        WrittenOrders.prove(cluster.connection(), table(salter), layout, left);
      }
      return race;
    }
  }

  /** A Get would read the files of all rounds. */
  private void compact() throws IOException {
    for (Salter salter : Salter.values()) {
      for (HRegion region : cluster.regions(table(salter))) {
        region.flush(true);
        region.compact(true);
        for (HStore store : region.getStores()) {
          if (store.getStorefilesCount() != 1) {
            throw new IllegalStateException("files=" + store.getStorefilesCount() + " " + region);
          }
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (Salter salter : Salter.values()) {
      cluster.drop(table(salter));
    }
  }

  private TableName table(Salter salter) {
    return TableName.valueOf(name + "-" + salter);
  }
}
