package io.rowguard.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.Legality;
import io.rowguard.layout.RowkeyLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The keys offered instead of an illegal one, against every row of a small layout. */
class PresplitLawsTest {
  private static final String ALPHABET = "09afgxz|+\\x00";

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 2, 3})
  void nearest_ofAnyKey_isLegalAndDividesGroupsOnlyWhereTheKeyDidNot(long seed) {
    Random random = new Random(seed);
    LayoutBoundaries boundaries =
        LayoutBoundaries.of(RowkeyLayout.parse("{a:hex(1)}{b:digits(1)}|{c:digits(1)}"), "b");
    List<byte[]> rows = rows();
    int cutting = 0;
    int harmless = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] key = key(random);
      Legality legality = boundaries.judge(key);
      if (legality.isLegal()) {
        continue;
      }
      byte[] nearest = PresplitCheck.nearest(boundaries, key, legality);
      assertTrue(boundaries.isLegal(nearest), () -> Bytes.toStringBinary(key));
      boolean same = below(rows, key) == below(rows, nearest);
      boolean outside = boundaries.ceiling(key) == null;
      if (legality.cutsGroup()) {
        cutting++;
        byte[] group = Arrays.copyOf(key, 2);
        assertTrue(Bytes.startsWith(nearest, group), () -> Bytes.toStringBinary(key));
      } else {
        harmless++;
        assertTrue(same || outside, () -> Bytes.toStringBinary(key));
        assertTrue(dividesNoGroup(rows, key), () -> Bytes.toStringBinary(key));
      }
    }
    assertTrue(cutting > 100 && harmless > 1_000, "cutting=" + cutting + " harmless=" + harmless);
  }

  /** Without mistakes a pre-split leaves every region at least one row, and the other way round. */
  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {4, 5, 6})
  void violations_ofAnyPresplit_nameExactlyTheRegionsWithoutRows(long seed) {
    Random random = new Random(seed);
    LayoutBoundaries boundaries =
        LayoutBoundaries.of(RowkeyLayout.parse("{a:hex(1)}{b:digits(1)}|{c:digits(1)}"), "b");
    List<byte[]> rows = rows();
    int clean = 0;
    for (int i = 0; i < 3_000; i++) {
      TreeSet<byte[]> keys = new TreeSet<>(Bytes.BYTES_COMPARATOR);
      for (int k = 0; k < 1 + random.nextInt(3); k++) {
        keys.add(key(random));
      }
      List<byte[]> splitKeys = new ArrayList<>(keys);
      List<RuleViolation> violations =
          new PresplitCheck(TableName.valueOf("t"), boundaries, splitKeys).violations();
      long illegal = splitKeys.stream().filter(key -> !boundaries.isLegal(key)).count();
      assertEquals(count(violations, Rule.PRESPLIT_ILLEGAL), illegal);
      assertEquals(count(violations, Rule.PRESPLIT_UNREACHABLE), withoutRows(rows, splitKeys));
      clean += violations.isEmpty() ? 1 : 0;
    }
    assertTrue(clean > 50, "clean=" + clean);
  }

  private static long count(List<RuleViolation> violations, Rule rule) {
    for (RuleViolation violation : violations) {
      if (violation.rule() == rule) {
        return Long.parseLong(violation.message().replaceFirst(".* count=(\\d+):.*", "$1"));
      }
    }
    return 0;
  }

  private static long withoutRows(List<byte[]> rows, List<byte[]> splitKeys) {
    long without = 0;
    int before = 0;
    for (byte[] key : splitKeys) {
      int here = below(rows, key);
      without += here == before ? 1 : 0;
      before = here;
    }
    return without + (before == rows.size() ? 1 : 0);
  }

  private static boolean dividesNoGroup(List<byte[]> rows, byte[] key) {
    int below = below(rows, key);
    return below == 0
        || below == rows.size()
        || !Arrays.equals(rows.get(below - 1), 0, 3, rows.get(below), 0, 3);
  }

  private static int below(List<byte[]> rows, byte[] key) {
    int below = 0;
    while (below < rows.size() && Bytes.compareTo(rows.get(below), key) < 0) {
      below++;
    }
    return below;
  }

  private static List<byte[]> rows() {
    List<byte[]> rows = new ArrayList<>();
    for (char a : "0123456789abcdef".toCharArray()) {
      for (int b = 0; b < 10; b++) {
        for (int c = 0; c < 10; c++) {
          rows.add(Bytes.toBytes("" + a + b + "|" + c));
        }
      }
    }
    return rows;
  }

  private static byte[] key(Random random) {
    byte[] alphabet = Bytes.toBytesBinary(ALPHABET);
    byte[] key = new byte[1 + random.nextInt(5)];
    for (int i = 0; i < key.length; i++) {
      key[i] = alphabet[random.nextInt(alphabet.length)];
    }
    if (random.nextInt(3) == 0 && key.length > 2) {
      key[0] = 'a';
      key[1] = '9';
      key[2] = '|';
    }
    return key;
  }
}
