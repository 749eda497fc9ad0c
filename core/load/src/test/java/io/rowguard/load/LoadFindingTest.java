package io.rowguard.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.KeyRange;
import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.RowkeyLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Verdicts on made-up loads, and the cut against one found by trying every place. */
class LoadFindingTest {
  private static final int OPERATIONS = 3_000;
  private static final KeyRange ALL = KeyRange.all();
  private static final EntityGroup USERS = group("{user:word}|{n:digits(6)}", "user");
  private static final EntityGroup ROWS = group("{user:word}|{n:digits(6)}", null);
  private static final EntityGroup SALTED =
      group("{salt:digits(2)=murmur3(tenant)%16}-{tenant:word}|{n:digits(6)}", null);

  private static EntityGroup group(String layout, String segment) {
    return EntityGroup.of(RowkeyLayout.parse(layout), segment);
  }

  @Test
  void verdict_uniform_isEvenAndCutInTheMiddle() {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      LoadFinding finding =
          found(USERS, seed, i -> String.format("u%03d|000001", random.nextInt(500)), 0.5);
      assertEquals(LoadVerdict.EVEN, finding.verdict(), "seed=" + seed);
      assertTrue(finding.smallerSide() > 0.48, "seed=" + seed + " " + finding.smallerSide());
      assertTrue(finding.isWorthCutting());
      String boundary = new String(finding.boundary(), StandardCharsets.UTF_8);
      assertTrue(boundary.compareTo("u200") > 0 && boundary.compareTo("u300") < 0, boundary);
    }
  }

  @Test
  void verdict_zipfOverUsers_isEven() {
    for (int seed = 0; seed < 20; seed++) {
      int[] stream = Streams.zipf(1_000, 1.0, OPERATIONS, new Random(seed));
      LoadFinding finding =
          found(USERS, seed, i -> String.format("u%03d|000001", stream[i] * 7 % 1000), 0.5);
      assertEquals(LoadVerdict.EVEN, finding.verdict(), "seed=" + seed);
    }
  }

  @Test
  void verdict_oneRow_isThat() {
    Random random = new Random(1);
    for (EntityGroup group : List.of(USERS, ROWS)) {
      LoadFinding finding =
          found(
              group,
              1,
              i -> random.nextInt(10) > 0 ? "m|000001" : "u" + random.nextInt(500) + "|000001",
              0.1);
      assertEquals(LoadVerdict.ONE_ROW, finding.verdict());
      assertFalse(finding.isWorthCutting());
    }
  }

  @Test
  void verdict_onlyOneRow_hasNoBoundary() {
    LoadFinding finding = found(USERS, 1, i -> "m|000001", 1);
    assertEquals(LoadVerdict.ONE_ROW, finding.verdict());
    assertNull(finding.boundary());
    assertEquals(0, finding.smallerSide());
  }

  @Test
  void verdict_oneGroup_isThatWithGroupsOnly() {
    Random random = new Random(1);
    IntFunction<String> rows =
        i ->
            random.nextInt(10) > 0
                ? String.format("m|%06d", random.nextInt(100_000))
                : "u" + random.nextInt(500) + "|000001";
    assertEquals(LoadVerdict.ONE_GROUP, found(USERS, 1, rows, 0.5).verdict());
    assertEquals(LoadVerdict.EVEN, found(ROWS, 1, rows, 0.5).verdict());
  }

  @Test
  void verdict_ascendingInOneGroup_isOneGroup() {
    assertEquals(
        LoadVerdict.ONE_GROUP, found(USERS, 1, i -> String.format("m|%06d", i), 1).verdict());
  }

  @Test
  void verdict_rowsOfNoLayout_areLikeOneGroup() {
    Random random = new Random(1);
    LoadFinding finding = found(USERS, 1, i -> "#" + random.nextInt(500), 1);
    assertEquals(LoadVerdict.ONE_GROUP, finding.verdict());
    assertNull(finding.boundary());
  }

  @Test
  void verdict_newKeysAtAnEnd_isAscendingForWritesOnly() {
    Random random = new Random(1);
    // Eight writers, each a little behind or before the others.
    IntFunction<String> ascending = i -> String.format("u%06d|000001", i + random.nextInt(40));
    IntFunction<String> descending = i -> ascending.apply(900_000 - i);
    LoadFinding finding = found(USERS, 1, ascending, 1);
    assertEquals(LoadVerdict.ASCENDING, finding.verdict());
    assertTrue(finding.smallerSide() > 0.4, "it would look good: " + finding.smallerSide());
    assertFalse(finding.isWorthCutting());
    assertEquals(LoadVerdict.ASCENDING, found(USERS, 1, descending, 1).verdict());
    assertEquals(LoadVerdict.ASCENDING, found(USERS, 1, ascending, 0.6).verdict());
    assertEquals(LoadVerdict.EVEN, found(USERS, 1, ascending, 0).verdict(), "a scan");
    assertEquals(LoadVerdict.EVEN, found(USERS, 1, ascending, 0.4).verdict(), "mostly read");
  }

  @Test
  void verdict_roundAndRound_isEven() {
    LoadFinding finding = found(USERS, 1, i -> String.format("u%03d|000001", i % 300), 1);
    assertEquals(LoadVerdict.EVEN, finding.verdict());
  }

  @Test
  void verdict_saltOfOneTenant_isFewBucketsAndNamesIt() {
    Random random = new Random(1);
    LoadFinding finding =
        found(
            SALTED,
            1,
            i ->
                (random.nextInt(10) > 0 ? "acme" : "t" + random.nextInt(900))
                    + String.format("|%06d", random.nextInt(100_000)),
            0.5);
    assertEquals(LoadVerdict.FEW_BUCKETS, finding.verdict());
    assertEquals("tenant=\"acme\"", finding.repeats());
    assertTrue(finding.isWorthCutting(), "its rows are no group");
  }

  @Test
  void verdict_saltOfManyTenants_isEven() {
    Random random = new Random(1);
    LoadFinding finding = found(SALTED, 1, i -> "t" + random.nextInt(900) + "|000001", 0.5);
    assertEquals(LoadVerdict.EVEN, finding.verdict());
    assertNull(finding.repeats());
  }

  @Test
  void verdict_inputsThatShareABucket_isFewBuckets() {
    Random random = new Random(1);
    List<String> inTwo = new ArrayList<>();
    for (int i = 0; inTwo.size() < 200; i++) {
      String row = "t" + i + "|000001";
      if (SALTED.layout().complete(Streams.bytes(row))[1] < '2') {
        inTwo.add(row);
      }
    }
    // 00, 01, 10 and 11: of 16 buckets a quarter.
    IntFunction<String> rows = i -> inTwo.get(random.nextInt(inTwo.size()));
    LoadFinding finding = found(SALTED, 1, rows, 0.5);
    assertEquals(LoadVerdict.FEW_BUCKETS, finding.verdict());
    assertNull(finding.repeats());
    KeyRange zeroAndOne = KeyRange.of(new byte[0], true, Streams.bytes("02"), false);
    LoadFinding ofTwo =
        LoadFinding.of(
            snapshot(
                SALTED,
                1,
                i -> {
                  String row = rows.apply(i);
                  while (SALTED.layout().complete(Streams.bytes(row))[0] > '0') {
                    row = rows.apply(i);
                  }
                  return row;
                },
                0.5,
                OPERATIONS),
            LayoutBoundaries.of(SALTED),
            zeroAndOne);
    assertEquals(LoadVerdict.EVEN, ofTwo.verdict(), "a region of just these two");
  }

  @Test
  void verdict_littleLoad_isLittle() {
    LoadSnapshot snapshot = snapshot(USERS, 1, i -> "u" + i % 7 + "|000001", 1, 49);
    LoadFinding finding = LoadFinding.of(snapshot, LayoutBoundaries.of(USERS), ALL);
    assertEquals(LoadVerdict.LITTLE, finding.verdict());
    assertNull(finding.boundary());
    assertFalse(finding.isWorthCutting());
  }

  /** The rows of a sample, cut at every place between two groups. */
  @Test
  void boundary_randomLoads_isLegalInsideAndTheBest() {
    String[] layouts = {
      "{user:word}|{n:digits(6)}", "{salt:digits(1)=crc32(user)%7}-{user:word}|{n:digits(6)}"
    };
    int whole = 0;
    for (int seed = 0; seed < 1_000; seed++) {
      Random random = new Random(seed);
      EntityGroup group = group(layouts[random.nextInt(2)], random.nextBoolean() ? "user" : null);
      int users = 1 + random.nextInt(40);
      double skew = 1 + 3 * random.nextDouble();
      LoadSnapshot snapshot =
          snapshot(
              group,
              seed,
              i ->
                  "u"
                      + (int) (users * Math.pow(random.nextDouble(), skew))
                      + "|00000"
                      + random.nextInt(5),
              0.5,
              60 + random.nextInt(600));
      LoadCut cut = LoadCut.best(snapshot.sample(), LayoutBoundaries.of(group), ALL);
      double best = bestSmallerSide(group, snapshot.sample());
      if (best == 0) {
        assertNull(cut, "seed=" + seed);
        whole++;
        continue;
      }
      assertNotNull(cut, "seed=" + seed);
      assertTrue(LayoutBoundaries.of(group).isLegal(cut.boundary()), "seed=" + seed);
      assertEquals(best, cut.smallerSide(), 1e-6, "seed=" + seed);
    }
    assertTrue(whole > 5 && whole < 200, "both kinds are tried. whole=" + whole);
  }

  private static double bestSmallerSide(EntityGroup group, List<SampledRow> sample) {
    List<SampledRow> sorted = new ArrayList<>(sample);
    sorted.sort((a, b) -> Arrays.compareUnsigned(a.row(), b.row()));
    double total = sorted.stream().mapToDouble(SampledRow::weight).sum();
    double below = 0;
    double best = 0;
    for (int i = 1; i < sorted.size(); i++) {
      below += sorted.get(i - 1).weight();
      if (!group.same(sorted.get(i - 1).row(), sorted.get(i).row())) {
        best = Math.max(best, Math.min(below, total - below) / total);
      }
    }
    return best;
  }

  /** Of a long row only the beginning is known, and so not on which side of a longer key it is. */
  @Test
  void cut_betweenLongRows_hasThemOnBothSides() {
    EntityGroup urls = group("{url:word}", null);
    String one = "a".repeat(80);
    String two = "b".repeat(80);
    LoadSnapshot snapshot = snapshot(urls, 1, i -> i % 5 < 3 ? one : two, 0.5, 300);
    KeyRange fromOne = KeyRange.of(Streams.bytes(one.substring(0, 70)), true, new byte[0], false);
    for (KeyRange region : List.of(ALL, fromOne)) {
      LoadCut cut = LoadCut.best(snapshot.sample(), LayoutBoundaries.of(urls), region);

      String boundary = new String(cut.boundary(), StandardCharsets.UTF_8);
      assertTrue(one.compareTo(boundary) < 0 && boundary.compareTo(two) <= 0, boundary);
      assertEquals(0.4, cut.smallerSide(), 0.05);
    }
    LoadSnapshot alike = snapshot(urls, 1, i -> i % 5 < 3 ? one + "x" : one + "y", 0.5, 300);
    assertNull(LoadCut.best(alike.sample(), LayoutBoundaries.of(urls), ALL));
  }

  @Test
  void boundary_outsideOfTheRegion_isNone() {
    LoadSnapshot snapshot = snapshot(USERS, 1, i -> "u" + i % 10 + "|000001", 1, 200);
    KeyRange above = KeyRange.of(Streams.bytes("v"), true, new byte[0], false);
    assertNotNull(LoadCut.best(snapshot.sample(), LayoutBoundaries.of(USERS), ALL));
    assertNull(LoadCut.best(snapshot.sample(), LayoutBoundaries.of(USERS), above));
  }

  @Test
  void tau_fewRows_countsPairs() {
    byte[] a = {1};
    byte[] b = {2};
    byte[] c = {(byte) 200};
    assertEquals(1, Arrivals.tau(List.of(a, b, c)));
    assertEquals(-1, Arrivals.tau(List.of(c, b, a)));
    assertEquals(0, Arrivals.tau(List.of(a, a, a)));
    assertEquals(1.0 / 3, Arrivals.tau(List.of(a, c, b)), 1e-12);
  }

  private static LoadFinding found(
      EntityGroup group, long seed, IntFunction<String> bareRows, double writes) {
    return LoadFinding.of(
        snapshot(group, seed, bareRows, writes, OPERATIONS), LayoutBoundaries.of(group), ALL);
  }

  /** A load over two half-lives. */
  private static LoadSnapshot snapshot(
      EntityGroup group, long seed, IntFunction<String> bareRows, double writes, int operations) {
    LoadSummary summary = LoadSummary.of(group, 1, 0, seed);
    Random random = new Random(seed);
    for (int i = 0; i < operations; i++) {
      byte[] bare = Streams.bytes(bareRows.apply(i));
      byte[] salted = group.layout().completeIfBare(bare);
      byte[] row = salted == null ? bare : salted;
      long now = 2_000_000_000L * i / OPERATIONS;
      summary.record(row, 0, row.length, 1, random.nextDouble() < writes, now);
    }
    return summary.snapshot(2_000_000_000L * operations / OPERATIONS);
  }
}
