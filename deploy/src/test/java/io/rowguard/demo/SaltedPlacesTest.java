package io.rowguard.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.LayoutChange;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Verdict;
import io.rowguard.workload.KeySets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SaltedPlacesTest {
  private static final RowkeyLayout BEFORE = SaltedPlaces.layout(SaltedPlaces.BUCKETS_BEFORE);
  private static final RowkeyLayout AFTER = SaltedPlaces.layout(SaltedPlaces.BUCKETS_AFTER);

  /** As mode salt needs it: a bare key is no row, and its salted rows are rows of their layouts. */
  @Test
  void keys_ofTheData_areBareKeysOfBothLayouts() {
    List<byte[]> keys = SaltedPlaces.keys(KeySets.geonames());
    assertEquals(135_208, keys.size());
    for (byte[] key : keys) {
      assertNotEquals(Verdict.CONFORMS, AFTER.check(key));
      assertEquals(Verdict.CONFORMS, BEFORE.check(BEFORE.complete(key)));
      assertEquals(Verdict.CONFORMS, AFTER.check(AFTER.complete(key)));
    }
  }

  /** A bucket of the 16 takes half of one of the 8, and the other half stays. */
  @Test
  void change_toTwiceAsManyBuckets_movesHalfOfTheRows() {
    assertNull(LayoutChange.obstacle(BEFORE, AFTER));
    List<byte[]> keys = SaltedPlaces.keys(KeySets.geonames());
    long moved =
        keys.stream()
            .filter(key -> !Arrays.equals(BEFORE.complete(key), AFTER.complete(key)))
            .count();
    assertTrue(Math.abs(2.0 * moved / keys.size() - 1) < 0.02, "moved " + moved);
  }
}
