package io.rowguard.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The region of a row, against counting the split keys that are not above it. */
class RegionIndexTest {
  private static final long SEED = 401;

  @Test
  void regionOf_randomKeys_equalsCounting() {
    Random random = new Random(SEED);
    for (int i = 0; i < 2000; i++) {
      TreeSet<byte[]> splits = new TreeSet<>(Arrays::compareUnsigned);
      for (int n = random.nextInt(20); n > 0; n--) {
        splits.add(key(random));
      }
      RegionIndex index = new RegionIndex(List.copyOf(splits));
      for (int r = 0; r < 20; r++) {
        byte[] row = random.nextInt(4) == 0 && !splits.isEmpty() ? splits.first() : key(random);
        long expected =
            splits.stream().filter(split -> Arrays.compareUnsigned(split, row) <= 0).count();
        byte[] longer = Arrays.copyOf(row, row.length + 3);
        Arrays.fill(longer, row.length, longer.length, (byte) 0xff);
        assertEquals(expected, index.regionOf(longer, row.length), "seed=" + SEED + " index=" + i);
      }
    }
  }

  /** A key of few different bytes, zeros among them, so that keys often begin alike. */
  private static byte[] key(Random random) {
    byte[] bytes = {0, 1, 'a', (byte) 0x80, (byte) 0xff};
    byte[] key = new byte[1 + random.nextInt(12)];
    int same = random.nextInt(key.length + 1);
    for (int i = 0; i < key.length; i++) {
      key[i] = i < same ? 0 : bytes[random.nextInt(bytes.length)];
    }
    return key;
  }
}
