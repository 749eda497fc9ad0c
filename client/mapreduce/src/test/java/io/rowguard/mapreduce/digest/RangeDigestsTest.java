package io.rowguard.mapreduce.digest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Ranges of random keys, held against sums of big integers over the same keys. */
class RangeDigestsTest {
  private static final BigInteger MODULUS = BigInteger.ONE.shiftLeft(128);
  private static final int ROUNDS = 200;

  private final Random random = new Random(20261126);

  /** Keys of up to 6 bytes, each with the digest of one cell. */
  private NavigableMap<byte[], byte[]> cells() {
    NavigableMap<byte[], byte[]> cells = new TreeMap<>(Arrays::compareUnsigned);
    int count = random.nextInt(300);
    for (int i = 0; i < count; i++) {
      byte[] key = new byte[1 + random.nextInt(6)];
      random.nextBytes(key);
      byte[] digest = new byte[16];
      random.nextBytes(digest);
      cells.put(key, digest);
    }
    return cells;
  }

  private static RangeDigests digest(Map<byte[], byte[]> cells, int most) {
    RangeDigests digests = new RangeDigests(most);
    for (Map.Entry<byte[], byte[]> cell : cells.entrySet()) {
      CellsDigest digest = digests.at(cell.getKey());
      digest.addRow();
      digest.addCell(cell.getValue());
    }
    return digests;
  }

  @Test
  void ranges_ofRandomKeys_haveTheSumsOfTheirCellsAndBeginWhereTheLevelSays() {
    for (int round = 0; round < ROUNDS; round++) {
      NavigableMap<byte[], byte[]> cells = cells();
      int most = 1 + random.nextInt(40);

      RangeDigests digests = digest(cells, most);

      assertTrue(digests.ranges().size() <= most);
      List<RangeDigests.Range> ranges = digests.ranges();
      long rows = 0;
      for (int i = 0; i < ranges.size(); i++) {
        byte[] start = ranges.get(i).start();
        Map<byte[], byte[]> own =
            i + 1 < ranges.size()
                ? cells.subMap(start, ranges.get(i + 1).start())
                : cells.tailMap(start);
        BigInteger sum = BigInteger.ZERO;
        for (Map.Entry<byte[], byte[]> cell : own.entrySet()) {
          sum = sum.add(new BigInteger(1, cell.getValue()));
          int level = RangeDigests.levelOf(cell.getKey());
          assertTrue(
              Arrays.equals(cell.getKey(), start)
                  ? level >= digests.level() || i == 0
                  : level < digests.level());
        }
        assertEquals(
            CellsDigest.of(own.size(), own.size(), hex(sum.mod(MODULUS))), ranges.get(i).digest());
        rows += own.size();
      }
      assertEquals(cells.size(), rows);
      assertEquals(rows, digests.total().rows());
    }
  }

  private static String hex(BigInteger number) {
    String digits = number.toString(16);
    return "0".repeat(32 - digits.length()) + digits;
  }

  /** However many mappers read the keys, and wherever one takes over from the other. */
  @Test
  void ranges_putTogetherFromParts_areThoseOfTheWhole() {
    for (int round = 0; round < ROUNDS; round++) {
      NavigableMap<byte[], byte[]> cells = cells();
      int most = 1 + random.nextInt(40);
      RangeDigests whole = digest(cells, most);

      RangeDigests together = new RangeDigests(most);
      List<byte[]> keys = new ArrayList<>(cells.keySet());
      for (int from = 0; from < keys.size(); ) {
        int to = Math.min(keys.size(), from + 1 + random.nextInt(100));
        Map<byte[], byte[]> part =
            to == keys.size()
                ? cells.tailMap(keys.get(from))
                : cells.subMap(keys.get(from), keys.get(to));
        RangeDigests digests = digest(part, most);
        digests
            .ranges()
            .forEach(range -> together.add(range.start(), digests.level(), range.digest()));
        from = to;
      }

      assertEquals(whole.total(), together.total());
      together.raiseTo(whole.level());
      whole.raiseTo(together.level());
      assertEquals(whole.ranges().size(), together.ranges().size());
      for (int i = 0; i < whole.ranges().size(); i++) {
        assertArrayEquals(whole.ranges().get(i).start(), together.ranges().get(i).start());
        assertEquals(whole.ranges().get(i).digest(), together.ranges().get(i).digest());
      }
    }
  }

  /** Keys that count up, whose hashes must not. */
  @Test
  void levels_ofKeysThatCountUp_halveEachTime() {
    int[] counts = new int[65];
    int keys = 1 << 14;
    for (int i = 0; i < keys; i++) {
      counts[RangeDigests.levelOf(ByteBuffer.allocate(4).putInt(i).array())]++;
    }
    for (int level = 0; level < 5; level++) {
      double expected = keys / Math.pow(2, level + 1);
      assertEquals(expected, counts[level], 5 * Math.sqrt(expected), "level " + level);
    }
  }
}
