package io.rowguard.tools.relayout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.mapreduce.relayout.MovePace;
import io.rowguard.testing.Eventually;
import io.rowguard.tools.ClusterSession;
import io.rowguard.tools.CommandResult;
import io.rowguard.tools.NormalizerRounds;
import io.rowguard.tools.NormalizerRounds.Round;
import io.rowguard.tools.ObservedCluster;
import io.rowguard.tools.relayout.StepRequest.MoveRequest;
import io.rowguard.tools.relayout.StepRequest.PlanRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * HBase's normalizer, round by round, while a layout changes and while {@code rowguard merge}
 * clears up: neither undoes what the other does.
 */
class NormalizerIT {
  private static final List<String> SIXTEEN_IN_EIGHT =
      List.of("02", "04", "06", "08", "1", "12", "14");

  /**
   * All is to become one, also what is small and young: by default only what is three days old and
   * has a mebibyte.
   */
  private static final String[] EAGER = {
    "NORMALIZER_TARGET_REGION_COUNT", "1",
    "hbase.normalizer.merge.min_region_age.days", "0",
    "hbase.normalizer.merge.min_region_size.mb", "0"
  };

  @TempDir private Path directory;

  private HBaseTestingUtility hbase;
  private ClusterSession session;
  private NormalizerRounds rounds;

  @BeforeEach
  void setUp() throws Exception {
    hbase = ObservedCluster.running();
    session = new ClusterSession(hbase, directory);
    rounds = new NormalizerRounds(hbase);
  }

  /** A table that the normalizer may normalize, with regions for pairs of salts. */
  private MovingTable normalized(String name, String... keysAndValues) throws IOException {
    MovingTable table =
        MovingTable.create(hbase, name, MovingTable.EIGHT, "reject", "02", "04", "06");
    List<String> values = new ArrayList<>(List.of("NORMALIZATION_ENABLED", "true"));
    values.addAll(List.of(keysAndValues));
    table.alter(values.toArray(new String[0]));
    return table;
  }

  private RelayoutSteps steps(MovingTable table) throws IOException {
    return RelayoutSteps.of(
        hbase.getConnection(), hbase.getConfiguration(), table.name(), StepListener.none());
  }

  private void assertRefused(MovingTable table) throws IOException {
    Round round = rounds.round(table.name());
    assertTrue(round.refused() > 0, round.toString());
    assertEquals(0, round.merges() + round.splits(), round.toString());
  }

  private String merge(MovingTable table, String... args) {
    CommandResult merged = session.run("merge " + table.name() + " --yes", args);
    assertEquals(0, merged.exitCode(), merged.out() + merged.err());
    return merged.out();
  }

  @Test
  void relayout_whereMergesAreRefused_keepsItsRegionsThroughout() throws Exception {
    MovingTable table = normalized("normalized", "rowguard.merge", "reject");
    table.alter(EAGER);
    table.fill(MovingTable.EIGHT, 200, 2);
    Map<String, String> before = table.cells(MovingTable.EIGHT);
    RelayoutSteps steps = steps(table);
    assertEquals(
        List.of(),
        steps.plan(PlanRequest.of(MovingTable.SIXTEEN)).notes().stream()
            .filter(note -> note.contains("normalizer"))
            .toList());

    steps.start(PlanRequest.of(MovingTable.SIXTEEN).withRegions(8));
    assertRefused(table);
    assertEquals(SIXTEEN_IN_EIGHT, table.startKeys());

    assertTrue(steps.run(MoveRequest.usual(), MovePace.of(0)).isDone());
    assertRefused(table);
    assertTrue(steps.finish().isFinished());
    assertRefused(table);
    assertEquals(SIXTEEN_IN_EIGHT, table.startKeys());
    assertEquals(before, table.cells(MovingTable.SIXTEEN));

    // Back to fewer: the regions that this leaves are merged, and stay so.
    steps.start(PlanRequest.of(MovingTable.EIGHT).withRegions(4));
    assertRefused(table);
    assertTrue(steps.run(MoveRequest.usual(), MovePace.of(0)).isDone());
    assertTrue(steps.finish().isFinished());
    assertEquals(SIXTEEN_IN_EIGHT, table.startKeys());
    assertTrue(merge(table, "--empty").contains("8 regions became 4."));
    for (int i = 0; i < 2; i++) {
      assertRefused(table);
      assertTrue(merge(table, "--empty").contains("Nothing was merged"));
      assertEquals(List.of("02", "04", "06"), table.startKeys());
    }
    assertEquals(before, table.cells(MovingTable.EIGHT));
  }

  @Test
  void relayout_whereMergesAreOnlyWarnedOf_isRightWhateverTheNormalizerDoes() throws Exception {
    MovingTable table = normalized("normalized_warned");
    table.fill(MovingTable.EIGHT, 200, 2);
    Map<String, String> before = table.cells(MovingTable.EIGHT);
    RelayoutSteps steps = steps(table);
    hbase.getAdmin().normalizerSwitch(true);
    CommandResult plan =
        session.run(
            "relayout plan", table.name().toString(), "--to", MovingTable.SIXTEEN.toString());
    hbase.getAdmin().normalizerSwitch(false);
    assertTrue(plan.out().contains("METADATA => {'rowguard.merge' => 'reject'}"), plan.out());

    steps.start(PlanRequest.of(MovingTable.SIXTEEN).withRegions(8));
    assertEquals(new Round(0, 0, 0), rounds.round(table.name()), "by default: too young");
    assertEquals(SIXTEEN_IN_EIGHT, table.startKeys());

    table.alter(EAGER);
    Round round = rounds.round(table.name());
    assertTrue(round.merges() > 0, round.toString());
    assertTrue(table.regions() < 8);
    assertTrue(steps.run(MoveRequest.usual(), MovePace.of(0)).isDone());
    assertTrue(steps.finish().isFinished());
    assertEquals(before, table.cells(MovingTable.SIXTEEN));
  }

  /** Four regions of six mebibytes, where the normalizer wants to have regions of two. */
  @Test
  void largeRegions_splitByTheNormalizer_stayAsTheyAre() throws Exception {
    MovingTable table = normalized("normalized_sizes", EAGER);
    table.fillLarge(MovingTable.EIGHT, 400, 64 << 10);
    hbase.getAdmin().flush(table.name());
    table.alter("NORMALIZER_TARGET_REGION_SIZE_MB", "2");
    Eventually.isTrue("the sizes are reported", () -> rounds.mebibytes(table.name()) > 22);

    assertEquals(4, rounds.round(table.name()).splits());
    List<String> starts = table.startKeys();
    LayoutBoundaries boundaries = LayoutBoundaries.of(EntityGroup.of(MovingTable.EIGHT, "user"));
    for (String start : starts) {
      assertTrue(boundaries.judge(Bytes.toBytes(start)).isLegal(), start);
    }
    hbase.getAdmin().majorCompact(table.name());
    Eventually.isTrue(
        "the regions have files of their own",
        () -> rounds.mebibytes(table.name()) > 20 && rounds.mebibytes(table.name()) <= 25);
    for (int i = 0; i < 2; i++) {
      assertEquals(new Round(0, 0, 0), rounds.round(table.name()));
      assertTrue(merge(table, "--smaller-than", "2m").contains("Nothing was merged"));
    }
    assertEquals(starts, table.startKeys());
    assertEquals(400, table.cells(MovingTable.EIGHT).size());
  }
}
