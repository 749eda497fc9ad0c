package io.rowguard.observer.relayout;

import static io.rowguard.observer.fixture.RelayoutTables.OTHERWISE_SALTED;
import static io.rowguard.observer.fixture.RelayoutTables.SALTED;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rowguard.observer.fixture.DurableCluster;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.RelayoutTables;
import io.rowguard.observer.fixture.Servers;
import io.rowguard.observer.fixture.TableUser;
import io.rowguard.observer.fixture.Writes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two servers of two handlers pull from each other, in batches of which each meets the same keys as
 * others do. Did a handler that pulls ever wait for another that does, both servers would stand
 * still until the time limit, and the clients, which try once, would get that error.
 */
@ExtendWith({DurableCluster.Started.class, DurableCluster.WithoutLabels.class})
@Timeout(300)
@Tag("long")
class PullHandlersIT {
  private static final int WRITERS = 8;
  private static final int KEYS = 400;

  private final HBaseTestingUtility hbase;
  private final Servers servers;

  PullHandlersIT(DurableCluster cluster) {
    this.hbase = cluster.hbase();
    this.servers = cluster.servers();
  }

  @ParameterizedTest
  @ValueSource(strings = {"reject", "salt"})
  void writersOfBothServers_thatPullFromTheOther_neverWaitForEachOther(String mode)
      throws Exception {
    Configuration conf = new Configuration(hbase.getConfiguration());
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
    try (GuardedTable guarded = create(mode);
        Connection impatient = ConnectionFactory.createConnection(conf)) {
      RelayoutTables.start(guarded, OTHERWISE_SALTED);
      divide(guarded);
      List<Callable<Void>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        writers.add(
            () -> {
              try (Table table = impatient.getTable(guarded.name())) {
                write(table, writer, mode);
              }
              return null;
            });
      }
      ExecutorService pool = Executors.newFixedThreadPool(writers.size());
      try {
        for (Future<Void> writer : pool.invokeAll(writers)) {
          writer.get();
        }
      } finally {
        pool.shutdownNow();
      }
      List<String> expected =
          IntStream.range(0, KEYS)
              .mapToObj(i -> RelayoutTables.row(OTHERWISE_SALTED, key(i)))
              .sorted()
              .toList();
      assertEquals(expected, guarded.rows());
    }
  }

  @Test
  void user_whoMayWrite_pullsWithTheServersRights() throws Exception {
    try (GuardedTable guarded = create("reject");
        TableUser user = new TableUser(hbase, guarded, "mover")) {
      hbase
          .getAdmin()
          .grant(
              new UserPermission(
                  user.name(),
                  Permission.newBuilder(guarded.name())
                      .withActions(Permission.Action.READ, Permission.Action.WRITE)
                      .build()),
              false);
      RelayoutTables.start(guarded, OTHERWISE_SALTED);
      divide(guarded);
      String row = RelayoutTables.row(OTHERWISE_SALTED, key(1));
      String old = RelayoutTables.row(SALTED, key(1));
      user.awaitAccess();

      user.run(table -> table.put(Writes.put(row, "new")));

      assertEquals(List.of(row + "/q=new"), guarded.latestCellsOf(row));
      assertEquals(List.of(), guarded.latestCellsOf(old));
    }
  }

  private GuardedTable create(String mode) throws Exception {
    GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", SALTED, "rowguard.mode", mode)
            .with("rowguard.salt.timeout.ms", "20000")
            .withSplits("04-", "08-", "12-", "16-", "32-", "48-")
            .create();
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      puts.add(Writes.put(RelayoutTables.row(SALTED, key(i))));
    }
    guarded.table().put(puts);
    return guarded;
  }

  /** Every other region on the one server, the rest on the other. */
  private void divide(GuardedTable guarded) throws Exception {
    ServerName one = servers.otherThan(null);
    ServerName other = servers.otherThan(one);
    List<RegionInfo> regions = hbase.getAdmin().getRegions(guarded.name());
    for (int i = 0; i < regions.size(); i++) {
      servers.move(regions.get(i), i % 2 == 0 ? one : other);
    }
  }

  private static String key(int i) {
    return "user" + i + "|0001";
  }

  private static void write(Table table, int writer, String mode) throws Exception {
    for (int from = 0; from < KEYS; from += 50) {
      List<Put> puts = new ArrayList<>();
      for (int i = from; i < from + 50; i++) {
        String row = RelayoutTables.row(OTHERWISE_SALTED, key(i));
        boolean bare = mode.equals("salt") && (i + writer) % 5 == 0;
        puts.add(Writes.put(bare ? key(i) : row, "w" + writer));
      }
      table.put(puts);
    }
  }
}
