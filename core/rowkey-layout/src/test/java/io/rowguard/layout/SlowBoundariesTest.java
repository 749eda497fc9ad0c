package io.rowguard.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds the search in {@link SlowBoundaries} against the plain list of all boundaries, so that it
 * can be trusted where no list is possible.
 */
@Tag("whole")
class SlowBoundariesTest {
  private static final int LAYOUTS_PER_SEED = 100;
  private static final int KEYS_PER_LAYOUT = 10;

  static LongStream seeds() {
    return LawSeeds.of(501, 505);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void everyAnswer_smallLayouts_isTheListsAnswer(long seed) {
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      Random random = LayoutCase.random(seed, i);
      SmallLayouts layouts = new SmallLayouts(random);
      SlowModel model = layouts.next();
      String group = layouts.group(model);
      ListedBoundaries listed = new ListedBoundaries(model, group);
      SlowBoundaries slow = new SlowBoundaries(model, group);
      RandomRows mutations = new RandomRows(model, random);
      for (int k = 0; k < KEYS_PER_LAYOUT; k++) {
        byte[] key = listed.key(mutations, random);
        byte[] end = listed.key(mutations, random);
        String at = "seed=" + seed + " index=" + i + " layout=" + model + " group=" + group;
        String message = at + " key=" + SlowBytes.show(key) + " end=" + SlowBytes.show(end);
        assertEquals(listed.legal.containsKey(key), slow.isLegal(key), message);
        assertEquals(show(listed.floor(key)), show(slow.floor(key)), message);
        assertEquals(show(listed.ceiling(key)), show(slow.ceiling(key)), message);
        assertEquals(show(listed.successor(group, key)), show(slow.successor(key)), message);
        boolean reachable = ListedBoundaries.anyBetween(listed.rows, key, end);
        assertEquals(reachable, slow.isReachable(key, end), message);
      }
    }
  }

  private static String show(byte[] boundary) {
    return boundary == null ? "none" : SlowBytes.show(boundary);
  }
}
