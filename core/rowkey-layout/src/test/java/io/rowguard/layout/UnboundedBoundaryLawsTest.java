package io.rowguard.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The laws of boundaries on layouts of the whole grammar, whose rows no list could hold: every
 * answer equals the search's answer, and has the properties that make it right whatever the search
 * says: legal, on the right side, nothing legal in between, no group divided.
 */
@Tag("whole")
class UnboundedBoundaryLawsTest {
  private static final int LAYOUTS_PER_SEED = 150;
  private static final int KEYS_PER_LAYOUT = 10;
  private static final int LONGEST_KEY = 30;

  /** Eight seeds: 1,200 layouts and 12,000 keys for the search. */
  static LongStream seeds() {
    return LawSeeds.of(601, 608);
  }

  /** Layouts whose rows are short enough to search. */
  private static List<LayoutCase> cases(long seed) {
    List<LayoutCase> cases = new ArrayList<>();
    for (int i = 0; cases.size() < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      if (at.model.minLength() <= LONGEST_KEY) {
        cases.add(at);
      }
    }
    return cases;
  }

  private static byte[] key(LayoutCase at) {
    byte[] row = at.random.nextInt(3) == 0 ? at.rows.next() : at.rows.conforming();
    byte[] cut = SlowBytes.first(row, at.random.nextInt(Math.min(row.length, LONGEST_KEY) + 1));
    return switch (at.random.nextInt(4)) {
      case 0 -> row.length <= LONGEST_KEY ? row : cut;
      case 1 -> SlowBytes.first(row, Math.min(row.length, LONGEST_KEY));
      case 2 -> at.rows.mutated(cut);
      default -> cut;
    };
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void everyAnswer_randomLayouts_isTheSearchsAnswer(long seed) {
    int legal = 0;
    int keys = 0;
    for (LayoutCase at : cases(seed)) {
      LayoutBoundaries core = LayoutBoundaries.of(at.core, at.group);
      SlowBoundaries slow = new SlowBoundaries(at.model, at.group);
      for (int k = 0; k < KEYS_PER_LAYOUT; k++) {
        byte[] key = key(at);
        boolean isLegal = slow.isLegal(key);
        keys++;
        legal += isLegal ? 1 : 0;
        assertEquals(isLegal, core.isLegal(key), () -> at.at(key));
        assertEquals(show(slow.floor(key)), show(core.floor(key)), () -> "floor: " + at.at(key));
        String ceiling = show(slow.ceiling(key));
        assertEquals(ceiling, show(core.ceiling(key)), () -> "ceiling: " + at.at(key));
        String successor = show(slow.successor(key));
        assertEquals(successor, show(core.successor(key)), () -> "successor: " + at.at(key));
        byte[] end = key(at);
        boolean may = slow.isReachable(key, end);
        boolean reachable = core.isReachable(key, end);
        assertTrue(may || !reachable, () -> "end=" + show(end) + " start in " + at.at(key));
        if (!at.model.hasDerived()) {
          assertEquals(may, reachable, () -> "end=" + show(end) + " start in " + at.at(key));
        }
      }
    }
    assertTrue(legal > keys / 6 && legal < keys * 5 / 6, "seed=" + seed + " legal=" + legal);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void floorAndCeiling_randomKeys_nothingLegalInBetween(long seed) {
    int between = 0;
    for (LayoutCase at : cases(seed)) {
      LayoutBoundaries core = LayoutBoundaries.of(at.core, at.group);
      List<byte[]> candidates = candidates(at, core);
      for (int k = 0; k < 20; k++) {
        byte[] key = key(at);
        byte[] floor = core.floor(key);
        byte[] ceiling = core.ceiling(key);
        String range = show(floor) + " .. " + show(ceiling) + " of ";
        boolean low = floor == null || (core.isLegal(floor) && SlowBytes.compare(floor, key) <= 0);
        boolean high =
            ceiling == null || (core.isLegal(ceiling) && SlowBytes.compare(ceiling, key) > 0);
        assertTrue(low && high, () -> range + at.at(key));
        for (byte[] candidate : candidates) {
          boolean above = SlowBytes.compare(candidate, key) > 0;
          boolean counts = above || candidate.length <= key.length;
          between += counts ? 1 : 0;
          boolean inside =
              above
                  ? ceiling == null || SlowBytes.compare(candidate, ceiling) < 0
                  : counts && (floor == null || SlowBytes.compare(candidate, floor) > 0);
          assertFalse(inside, () -> show(candidate) + " lies in " + range + at.at(key));
        }
      }
    }
    assertTrue(between > 100_000, "seed=" + seed + " candidates=" + between);
  }

  /** Legal boundaries: beginnings of rows, and the neighbours of some. */
  private static List<byte[]> candidates(LayoutCase at, LayoutBoundaries core) {
    List<byte[]> candidates = new ArrayList<>();
    for (int n = 0; n < 60; n++) {
      byte[] key = key(at);
      if (core.isLegal(key)) {
        candidates.add(key);
        candidates.add(core.ceiling(key));
        candidates.add(core.floor(key));
      }
    }
    candidates.removeIf(candidate -> candidate == null);
    return candidates;
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void ceiling_anyRow_neverDividesItsGroup(long seed) {
    int together = 0;
    for (LayoutCase at : cases(seed)) {
      LayoutBoundaries core = LayoutBoundaries.of(at.core, at.group);
      EntityGroup group = EntityGroup.of(at.core, at.group);
      for (int r = 0; r < 30; r++) {
        byte[] row = at.rows.conforming();
        byte[] other = RandomRows.sameGroup(at, row);
        byte[] ceiling = core.ceiling(row);
        byte[] successor = core.successor(row);
        boolean same = group.same(row, other);
        together += same ? 1 : 0;
        String message = show(ceiling) + ", " + show(successor) + " of " + at.at(row);
        assertTrue(isAbove(ceiling, row) && isAbove(successor, row), message);
        assertTrue(!same || isAbove(ceiling, other), message + " other=" + show(other));
        assertTrue(!same || isAbove(successor, other), message + " other=" + show(other));
        assertTrue(core.isReachable(row, SlowBytes.append(row, 0)), () -> at.at(row));
      }
    }
    assertTrue(together > LAYOUTS_PER_SEED, "seed=" + seed + " together=" + together);
  }

  private static boolean isAbove(byte[] boundary, byte[] row) {
    return boundary == null || SlowBytes.compare(boundary, row) > 0;
  }

  private static String show(byte[] boundary) {
    return boundary == null ? "none" : "\"" + SlowBytes.show(boundary) + "\"";
  }
}
