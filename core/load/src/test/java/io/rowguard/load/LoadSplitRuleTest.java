package io.rowguard.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** When a region is cut by load, against the whole history of what was seen of it. */
class LoadSplitRuleTest {
  private static final double LOAD = 100;
  private static final long MILLIS = 5_000;
  private static final int REGIONS = 20;
  private static final LoadFinding EVEN = finding(LoadVerdict.EVEN, 0.4);

  private final LoadSplitRule rule = LoadSplitRule.of(LOAD, MILLIS, REGIONS);

  private static LoadFinding finding(LoadVerdict verdict, double smallerSide) {
    return new LoadFinding(verdict, new LoadCut(new byte[] {1}, smallerSide), null);
  }

  private LoadSplitAnswer at(long now, double perSecond) {
    return rule.answer(now, now + MILLIS, perSecond, EVEN, true, 1);
  }

  @Test
  void answer_aboveForLongEnough_isCut() {
    assertEquals(LoadSplitAnswer.BELOW, at(0, LOAD));
    assertEquals(LoadSplitAnswer.SHORT, at(1, LOAD + 1));
    assertEquals(LoadSplitAnswer.SHORT, at(MILLIS, LOAD + 1));
    assertEquals(LoadSplitAnswer.CUT, at(MILLIS + 1, LOAD + 1));
  }

  @Test
  void answer_belowOnceInBetween_beginsAnew() {
    at(0, LOAD + 1);
    assertEquals(LoadSplitAnswer.BELOW, at(MILLIS - 1, LOAD - 1));
    assertEquals(LoadSplitAnswer.SHORT, at(MILLIS, LOAD + 1));
    assertEquals(LoadSplitAnswer.SHORT, at(2 * MILLIS - 1, LOAD + 1));
    assertEquals(LoadSplitAnswer.CUT, at(2 * MILLIS, LOAD + 1));
  }

  @Test
  void answer_afterACut_waitsAsLongAgain() {
    at(0, LOAD + 1);
    assertEquals(LoadSplitAnswer.CUT, at(MILLIS, LOAD + 1));
    assertEquals(LoadSplitAnswer.ASKED, at(2 * MILLIS - 1, LOAD + 1));
    assertEquals(LoadSplitAnswer.CUT, at(2 * MILLIS, LOAD + 1));
  }

  @Test
  void answer_youngRegionOrManyRegions_waits() {
    at(0, LOAD + 1);
    assertEquals(LoadSplitAnswer.YOUNG, rule.answer(MILLIS, MILLIS - 1, LOAD + 1, EVEN, true, 1));
    assertEquals(
        LoadSplitAnswer.REGIONS, rule.answer(MILLIS, MILLIS, LOAD + 1, EVEN, true, REGIONS));
    assertEquals(
        LoadSplitAnswer.CUT, rule.answer(MILLIS, MILLIS, LOAD + 1, EVEN, true, REGIONS - 1));
  }

  @Test
  void answer_loadThatNoCutDivides_cannot() {
    at(0, LOAD + 1);
    Map<LoadVerdict, LoadSplitAnswer> expected = new EnumMap<>(LoadVerdict.class);
    expected.put(LoadVerdict.LITTLE, LoadSplitAnswer.LITTLE);
    expected.put(LoadVerdict.ASCENDING, LoadSplitAnswer.CANNOT);
    expected.forEach(
        (verdict, answer) ->
            assertEquals(
                answer, rule.answer(MILLIS, MILLIS, LOAD + 1, finding(verdict, 0.4), true, 1)));
    for (LoadVerdict verdict : List.of(LoadVerdict.ONE_ROW, LoadVerdict.ONE_GROUP)) {
      LoadFinding one = finding(verdict, 0.24);
      assertEquals(LoadSplitAnswer.CANNOT, rule.answer(MILLIS, MILLIS, LOAD + 1, one, true, 1));
    }
    LoadFinding few = finding(LoadVerdict.FEW_BUCKETS, 0.25);
    assertEquals(LoadSplitAnswer.CUT, rule.answer(MILLIS, MILLIS, LOAD + 1, few, true, 1));
  }

  /** A look at a region, and the answer to it. */
  private static final class Look {
    private long now;
    private long age;
    private double perSecond;
    private LoadFinding finding;
    private boolean isSplittable;
    private int regions;
    private LoadSplitAnswer answer;
  }

  @Test
  void answer_randomHistories_isThatOfTheOracle() {
    Map<LoadSplitAnswer, Integer> seen = new EnumMap<>(LoadSplitAnswer.class);
    for (int seed = 0; seed < 2_000; seed++) {
      Random random = new Random(seed);
      LoadSplitRule own = LoadSplitRule.of(LOAD, MILLIS, 3);
      List<Look> history = new ArrayList<>();
      long now = random.nextInt(100);
      long made = now - random.nextInt(6_000);
      double mostlyAbove = random.nextDouble();
      for (int i = 0; i < 60; i++) {
        Look look = new Look();
        now += random.nextInt(1_500);
        look.now = now;
        look.age = now - made;
        look.perSecond = random.nextDouble() < mostlyAbove ? LOAD + 1 : LOAD;
        LoadVerdict[] verdicts = LoadVerdict.values();
        look.finding =
            finding(verdicts[random.nextInt(verdicts.length)], 0.2 + 0.3 * random.nextDouble());
        look.regions = 1 + random.nextInt(3);
        look.isSplittable = random.nextInt(4) > 0;
        history.add(look);
        LoadSplitAnswer expected = slowAnswer(history);
        look.answer =
            own.answer(
                look.now, look.age, look.perSecond, look.finding, look.isSplittable, look.regions);
        assertEquals(expected, look.answer, "seed=" + seed + " index=" + i);
        seen.merge(look.answer, 1, Integer::sum);
      }
    }
    for (LoadSplitAnswer answer : LoadSplitAnswer.values()) {
      assertTrue(seen.getOrDefault(answer, 0) > 100, answer + " is hardly tried: " + seen);
    }
  }

  /** The rule as people say it, over all that was seen; the last look has no answer yet. */
  private static LoadSplitAnswer slowAnswer(List<Look> history) {
    Look last = history.get(history.size() - 1);
    if (last.perSecond <= LOAD) {
      return LoadSplitAnswer.BELOW;
    }
    if (last.age < MILLIS) {
      return LoadSplitAnswer.YOUNG;
    }
    boolean isLong = false;
    boolean isAsked = false;
    for (int i = 0; i < history.size(); i++) {
      Look look = history.get(i);
      boolean isAboveSince =
          history.subList(i, history.size()).stream().allMatch(later -> later.perSecond > LOAD);
      isLong |= isAboveSince && last.now - look.now >= MILLIS;
      isAsked |= look.answer == LoadSplitAnswer.CUT && last.now - look.now < MILLIS;
    }
    if (!isLong) {
      return LoadSplitAnswer.SHORT;
    }
    switch (last.finding.verdict()) {
      case LITTLE:
        return LoadSplitAnswer.LITTLE;
      case ASCENDING:
        return LoadSplitAnswer.CANNOT;
      default:
        if (last.finding.smallerSide() < 0.25) {
          return LoadSplitAnswer.CANNOT;
        }
        if (!last.isSplittable) {
          return LoadSplitAnswer.UNSPLITTABLE;
        }
        return isAsked
            ? LoadSplitAnswer.ASKED
            : last.regions < 3 ? LoadSplitAnswer.CUT : LoadSplitAnswer.REGIONS;
    }
  }
}
