package io.rowguard.tools.relayout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.client.SaltedTable;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.mapreduce.relayout.MovePace;
import io.rowguard.tools.ClusterSession;
import io.rowguard.tools.CommandResult;
import io.rowguard.tools.ObservedCluster;
import io.rowguard.tools.relayout.StepRequest.MoveRequest;
import io.rowguard.tools.relayout.StepRequest.PlanRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A live table gets more buckets from a day on: by one alter, or by the steps of a relayout. */
class AddedStepIT {
  private static final RowkeyLayout FOUR =
      RowkeyLayout.parse("{salt:digits(2)=murmur3(user)%4}-{day:digits(4)}/{user:word}");
  private static final RowkeyLayout STEPPED =
      RowkeyLayout.parse(FOUR.toString().replace("%4", "%4,16 from day=1201"));
  private static final byte[] F = Bytes.toBytes("f");
  private static final int USERS = 40;

  @TempDir private Path directory;

  private HBaseTestingUtility hbase;
  private ClusterSession session;

  @BeforeEach
  void setUp() throws Exception {
    hbase = ObservedCluster.running();
    session = new ClusterSession(hbase, directory);
  }

  /** By a client that was open before, and knows nothing of it. */
  @ParameterizedTest
  @ValueSource(strings = {"reject", "salt"})
  void alter_aboveAllRows_spreadsWhatComesAndRewritesNothing(String mode) throws Exception {
    MovingTable table = MovingTable.create(hbase, "step_" + mode, FOUR, mode, "01", "02", "03");
    try (SaltedTable client = SaltedTable.open(hbase.getConnection(), table.name())) {
      List<String> expected = new ArrayList<>();
      expected.addAll(write(client, "1129", "1130"));
      hbase.flush(table.name());
      Map<String, Long> files = storeFiles(table);
      assertFalse(files.isEmpty());

      CommandResult plan = session.run("relayout plan", "step_" + mode, "--to", STEPPED.toString());
      assertEquals(0, plan.exitCode(), plan.out() + plan.err());
      assertTrue(plan.out().contains("0 of 80 move; all were counted"), plan.out());
      assertTrue(plan.out().contains("0 rows move: none is at or above the new"), plan.out());
      alter(table, STEPPED);

      assertEquals(files, storeFiles(table));
      expected.addAll(write(client, "1201", "1202"));
      expected.addAll(write(client, "1128"));
      if (mode.equals("salt")) {
        try (Table bare = hbase.getConnection().getTable(table.name())) {
          expected.addAll(write(bare, "1127", "1204"));
        }
      }
      expected.sort(null);
      assertEquals(expected, rows(client, "", ""));
      assertEquals(between(expected, "1130", "1202"), rows(client, "1130", "1202"));
      assertEquals(between(expected, "1128", "1131"), rows(client, "1128", "1131"));
      assertEquals(between(expected, "1201/u3", "1203"), rows(client, "1201/u3", "1203"));
      assertTrue(bucketsOf(table, "1130").size() <= 4);
      assertTrue(bucketsOf(table, "1201").size() > 8, () -> "too few buckets");
      // In a process of its own: a job names what its JVM's metrics are shown as.
      Path out = directory.resolve("audit");
      Process audit = session.start(out, "audit", "step_" + mode);
      assertEquals(0, audit.waitFor(), () -> out + ", and its errors beside it");
    }
  }

  @Test
  void alter_belowARow_isRefusedAndARelayoutDoesIt() throws Exception {
    MovingTable table = MovingTable.create(hbase, "step_below", FOUR, "reject", "02");
    try (SaltedTable client = SaltedTable.open(hbase.getConnection(), table.name())) {
      List<String> expected = new ArrayList<>();
      expected.addAll(write(client, "1130", "1201"));

      IOException refused = assertThrows(IOException.class, () -> alter(table, STEPPED));
      assertTrue(refused instanceof DoNotRetryIOException, refused.toString());
      assertTrue(
          refused.getMessage().contains("rowguard relayout plan step_below --to"),
          refused.getMessage());
      assertEquals(FOUR.toString(), table.value("rowguard.layout"));

      RelayoutSteps steps =
          RelayoutSteps.of(
              hbase.getConnection(), hbase.getConfiguration(), table.name(), StepListener.none());
      long moving =
          between(expected, "1201", "").stream()
              .map(key -> key.getBytes(UTF_8))
              .filter(key -> !Bytes.equals(FOUR.complete(key), STEPPED.complete(key)))
              .count();
      assertTrue(moving > 0);
      assertEquals(moving, steps.plan(PlanRequest.of(STEPPED)).estimate().movingRows());
      assertTrue(steps.start(PlanRequest.of(STEPPED)).isStarted());
      expected.addAll(write(client, "1129", "1202"));
      assertEquals(moving, steps.run(MoveRequest.usual(), MovePace.of(0)).moved());
      assertTrue(steps.finish().isFinished());
      expected.addAll(write(client, "1203"));
      expected.sort(null);
      assertEquals(expected, rows(client, "", ""));
    }
  }

  /** A sample of the first region does not see it. */
  @Test
  void plan_aboveInRegionsOutsideTheSampleOnly_namesARowThatMoves() throws Exception {
    MovingTable table = MovingTable.create(hbase, "step_missed", FOUR, "reject", "00-1200");
    try (SaltedTable client = SaltedTable.open(hbase.getConnection(), table.name())) {
      write(client, "1130", "1201");
    }

    CommandResult plan =
        session.run(
            "relayout plan", "step_missed", "--to", STEPPED.toString(), "--sample-regions", "1");

    assertEquals(0, plan.exitCode(), plan.out() + plan.err());
    assertTrue(plan.out().contains("Some rows move that the sample has missed"), plan.out());
  }

  private void alter(MovingTable table, RowkeyLayout layout) throws IOException {
    hbase
        .getAdmin()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(hbase.getAdmin().getDescriptor(table.name()))
                .setValue("rowguard.layout", layout.toString())
                .build());
  }

  /** Writes a row per user and day; returns the bare keys. */
  private static List<String> write(Table table, String... days) throws IOException {
    List<String> keys = new ArrayList<>();
    List<Put> puts = new ArrayList<>();
    for (String day : days) {
      for (int user = 0; user < USERS; user++) {
        String key = day + "/u" + user;
        keys.add(key);
        puts.add(new Put(Bytes.toBytes(key)).addColumn(F, F, F));
      }
    }
    table.put(puts);
    return keys;
  }

  private static List<String> rows(Table table, String from, String to) throws IOException {
    List<String> rows = new ArrayList<>();
    Scan scan = new Scan().withStartRow(Bytes.toBytes(from)).withStopRow(Bytes.toBytes(to));
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        rows.add(Bytes.toString(result.getRow()));
      }
    }
    return rows;
  }

  private static List<String> between(List<String> keys, String from, String to) {
    return new TreeSet<>(keys)
        .stream()
            .filter(key -> key.compareTo(from) >= 0 && (to.isEmpty() || key.compareTo(to) < 0))
            .toList();
  }

  /** The salts of one day's stored rows. */
  private Set<String> bucketsOf(MovingTable table, String day) throws IOException {
    Set<String> salts = new TreeSet<>();
    try (Table raw = hbase.getConnection().getTable(table.name())) {
      for (String row : rows(raw, "", "")) {
        if (row.startsWith(day, 3)) {
          salts.add(row.substring(0, 2));
        }
      }
    }
    return salts;
  }

  /** The store files of a table with their lengths. */
  private Map<String, Long> storeFiles(MovingTable table) throws IOException {
    org.apache.hadoop.fs.Path root = CommonFSUtils.getRootDir(hbase.getConfiguration());
    FileSystem fs = root.getFileSystem(hbase.getConfiguration());
    Map<String, Long> files = new TreeMap<>();
    RemoteIterator<LocatedFileStatus> all =
        fs.listFiles(CommonFSUtils.getTableDir(root, table.name()), true);
    while (all.hasNext()) {
      LocatedFileStatus file = all.next();
      if (file.getPath().getParent().getName().equals("f")) {
        files.put(file.getPath().toString(), file.getLen());
      }
    }
    return files;
  }
}
