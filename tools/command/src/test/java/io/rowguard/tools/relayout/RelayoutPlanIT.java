package io.rowguard.tools.relayout;

import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.config.Guards;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.mapreduce.relayout.MovePace;
import io.rowguard.tools.ObservedCluster;
import io.rowguard.tools.relayout.StepRequest.MoveRequest;
import io.rowguard.tools.relayout.StepRequest.PlanRequest;
import java.io.IOException;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.master.locking.LockManager;
import org.apache.hadoop.hbase.procedure2.LockType;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A plan's findings on a cluster, each with its way out. It changes nothing. */
class RelayoutPlanIT {
  private HBaseTestingUtility hbase;

  @BeforeEach
  void setUp() {
    hbase = ObservedCluster.running();
  }

  private RelayoutPlan plan(MovingTable table, RowkeyLayout to) throws IOException {
    return plan(table, to, hbase.getConfiguration());
  }

  private RelayoutPlan plan(MovingTable table, RowkeyLayout to, Configuration servers)
      throws IOException {
    TableDescriptor before = hbase.getAdmin().getDescriptor(table.name());
    List<String> regions = table.startKeys();
    RelayoutPlan plan =
        RelayoutSteps.of(hbase.getConnection(), servers, table.name(), StepListener.none())
            .plan(PlanRequest.of(to));
    assertEquals(before, hbase.getAdmin().getDescriptor(table.name()));
    assertEquals(regions, table.startKeys());
    return plan;
  }

  /** A plan with just these things in the way; gives their words and ways out. */
  private static String assertInTheWay(RelayoutPlan plan, String... codes) {
    assertEquals(
        new TreeSet<>(List.of(codes)),
        plan.obstacles().stream().map(RelayoutObstacle::code).collect(toCollection(TreeSet::new)));
    StringBuilder text = new StringBuilder();
    for (RelayoutObstacle obstacle : plan.obstacles()) {
      assertTrue(!obstacle.wayOut().isEmpty());
      text.append(obstacle.what()).append(' ').append(obstacle.wayOut()).append('\n');
    }
    return text.toString();
  }

  @Test
  void plan_ofATableWithoutAKnownLayout_saysThatOnly() throws Exception {
    MovingTable table = MovingTable.create(hbase, "plan_layout", MovingTable.EIGHT, "reject");
    hbase.getAdmin().disableTable(table.name());
    assertInTheWay(plan(table, MovingTable.SIXTEEN), "disabled");
    hbase.getAdmin().enableTable(table.name());
    assertInTheWay(plan(table, RowkeyLayout.parse("{id:hex(16)}")), "layouts");
    String same = assertInTheWay(plan(table, MovingTable.EIGHT), "same_layout");
    assertTrue(same.contains("Nothing is to be done."), same);
    table.alter("rowguard.layout", null, "rowguard.group", null);
    assertInTheWay(plan(table, MovingTable.SIXTEEN), "no_layout");
  }

  @Test
  void plan_ofATableInRelayout_namesTheOther() throws Exception {
    MovingTable table = MovingTable.create(hbase, "plan_other", MovingTable.EIGHT, "reject");
    RelayoutSteps.of(
            hbase.getConnection(), hbase.getConfiguration(), table.name(), StepListener.none())
        .start(PlanRequest.of(MovingTable.SIXTEEN).withRegions(1));

    String said = assertInTheWay(plan(table, MovingTable.UNSALTED), "other_relayout");
    assertTrue(said.contains("rowguard relayout status plan_other"), said);
  }

  /** A group would be spread over several salts. */
  @Test
  void plan_ofASaltThatDividesGroups_saysSo() throws Exception {
    MovingTable table = MovingTable.create(hbase, "plan_group", MovingTable.UNSALTED, "reject");
    RowkeyLayout byItem =
        RowkeyLayout.parse("{salt:digits(2)=murmur3(user,item)%8}-{user:word}|{item:digits(4)}");
    assertInTheWay(plan(table, byItem), "group");
  }

  @Test
  void plan_whereServersCannot_namesThem() throws Exception {
    MovingTable table = MovingTable.create(hbase, "plan_servers", MovingTable.EIGHT, "reject");
    hbase
        .getAdmin()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(hbase.getAdmin().getDescriptor(table.name()))
                .removeCoprocessor(Guards.OBSERVER)
                .build());
    assertInTheWay(plan(table, MovingTable.SIXTEEN), "no_observer");

    // As if hbase-site.xml had it, and the servers an older jar.
    Configuration older = new Configuration(hbase.getConfiguration());
    older.set(Guards.COPROCESSOR_KEYS.get(0), Guards.OBSERVER);
    String said = assertInTheWay(plan(table, MovingTable.SIXTEEN, older), "old_servers");
    assertTrue(said.contains("rowguard-server jar there and restart"), said);
  }

  @Test
  void plan_whereRegionsMayNotBeSplit_saysWhatSwitchesItOn() throws Exception {
    MovingTable table = MovingTable.create(hbase, "plan_split", MovingTable.EIGHT, "reject");
    table.alter("SPLIT_ENABLED", "false");
    assertInTheWay(plan(table, MovingTable.SIXTEEN), "split_disabled");
    table.alter("SPLIT_ENABLED", "true");
    Admin admin = hbase.getAdmin();
    admin.splitSwitch(false, true);
    try {
      String said = assertInTheWay(plan(table, MovingTable.SIXTEEN), "split_disabled");
      assertTrue(said.contains("splitormerge_switch 'SPLIT', true"), said);
    } finally {
      admin.splitSwitch(true, true);
    }
  }

  @Test
  void plan_whileASnapshotOrABulkLoadGoesOn_namesIt() throws Exception {
    MovingTable table = MovingTable.create(hbase, "plan_work", MovingTable.EIGHT, "reject");
    Path root = new Path(hbase.getConfiguration().get("hbase.rootdir"));
    FileSystem fs = root.getFileSystem(hbase.getConfiguration());
    Path staged = new Path(root, "staging/somebody__plan_work__0a1b2c");
    fs.create(new Path(staged, "f/rows")).close();
    // As HBase 2.5 locks the table while it takes a snapshot.
    LockManager.MasterLock lock =
        hbase
            .getMiniHBaseCluster()
            .getMaster()
            .getLockManager()
            .createMasterLock(table.name(), LockType.SHARED, "Some handler: take snapshot s");
    assertTrue(lock.tryAcquire(60_000));
    try {
      String said = assertInTheWay(plan(table, MovingTable.SIXTEEN), "snapshot", "bulk_load");
      assertTrue(said.contains(staged.toString()), said);
      lock.release();
      // As HBase 3.0 leaves it when a load has ended.
      assertTrue(fs.delete(new Path(staged, "f/rows"), false));
      RelayoutPlan plan = plan(table, MovingTable.SIXTEEN);
      assertInTheWay(plan);
      String notes = String.join("\n", plan.notes());
      assertTrue(notes.contains("without a file: " + staged + ". HBase 3.0 leaves"), notes);
    } finally {
      lock.release();
      fs.delete(staged, true);
    }
    assertInTheWay(plan(table, MovingTable.SIXTEEN));
  }

  @Test
  void plan_whereRowsWouldGetTooLong_namesOne() throws Exception {
    MovingTable table = MovingTable.create(hbase, "plan_long", MovingTable.UNSALTED, "reject");
    table.alter("rowguard.row.max.length", "12");
    table.put("abcdef|0001");
    table.put("abcdefg|0001");

    RelayoutPlan plan = plan(table, MovingTable.EIGHT);

    String said = assertInTheWay(plan, "rows_too_long");
    assertTrue(said.contains("2 of those looked at, such as \"abcdef|0001\""), said);
    table.alter("rowguard.row.max.length", "15");
    assertEquals(2, plan(table, MovingTable.EIGHT).estimate().movingRows());
  }

  /** Timestamps of a client that counts microseconds. They are not in the way. */
  @Test
  void plan_whereCellsAreOfTheFuture_saysSo() throws Exception {
    MovingTable table = MovingTable.create(hbase, "plan_future", MovingTable.UNSALTED, "reject");
    table.put("alice|0001");
    table.put(Bytes.toBytes("bob|0001"), System.currentTimeMillis() * 1_000);

    RelayoutPlan plan = plan(table, MovingTable.EIGHT);

    assertInTheWay(plan);
    String notes = String.join("\n", plan.notes());
    String expected = "1 of the rows looked at have cells of the future, such as \"bob|0001\".";
    assertTrue(notes.contains(expected), notes);
  }

  /** Their sizes, which come in whole mebibytes, would make twice as many of them. */
  @Test
  void plan_ofSmallRegions_saysWhatMoves() throws Exception {
    MovingTable table =
        MovingTable.create(hbase, "plan_small", MovingTable.SIXTEEN, "reject", "04", "08", "12");
    table.fill(MovingTable.SIXTEEN, 1_500, 1);
    hbase.flush(table.name());
    RelayoutSteps steps =
        RelayoutSteps.of(
            hbase.getConnection(), hbase.getConfiguration(), table.name(), StepListener.none());
    MoveEstimate estimate =
        steps.plan(new PlanRequest(MovingTable.EIGHT, 0, 0, 50, 100, 2)).estimate();

    steps.start(PlanRequest.of(MovingTable.EIGHT).withRegions(1));
    long moved = steps.run(MoveRequest.usual(), MovePace.of(0)).moved();

    assertTrue(
        Math.abs(estimate.movingRows() - moved) <= estimate.movingRowsError(),
        moved + " " + estimate);
    assertEquals(1_500, estimate.rows());
  }

  /** A sample of a part says how far off it may be; twelve regions are more than it looks into. */
  @Test
  void plan_ofASample_isOffByWhatItSays() throws Exception {
    String[] splits = new String[12];
    for (int i = 0; i < splits.length; i++) {
      splits[i] = String.format("%02d", i + 2);
    }
    MovingTable table =
        MovingTable.create(hbase, "plan_sample", MovingTable.SIXTEEN, "reject", splits);
    table.fill(MovingTable.SIXTEEN, 600, 3);
    MoveEstimate all = plan(table, MovingTable.EIGHT).estimate();
    assertTrue(all.isExact(), all.toString());

    MoveEstimate some =
        RelayoutSteps.of(
                hbase.getConnection(), hbase.getConfiguration(), table.name(), StepListener.none())
            .plan(new PlanRequest(MovingTable.EIGHT, 0, 0, 6, 50, 2))
            .estimate();
    assertTrue(!some.isExact() && some.movingRowsError() > 0, some.toString());
    assertTrue(
        Math.abs(some.movingRows() - all.movingRows()) <= 2 * some.movingRowsError(),
        some + "\n" + all);
  }
}
