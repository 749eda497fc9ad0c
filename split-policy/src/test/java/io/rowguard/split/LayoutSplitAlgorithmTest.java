package io.rowguard.split;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.RegionSplitter;
import org.apache.hadoop.hbase.util.RegionSplitter.SplitAlgorithm;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The algorithm, made as RegionSplitter and the shell make it. */
class LayoutSplitAlgorithmTest {
  @AfterEach
  void clear() {
    System.clearProperty("rowguard.layout");
    System.clearProperty("rowguard.group");
  }

  @Test
  void split_hexLayout_isEven() throws IOException {
    assertEquals("1 2 3 4 5 6 7 8 9 a b c d e f", keys(of("{id:hex(16)}").split(16)));
    assertEquals("55555 aaaaa", keys(of("{id:hex(16)}").split(3)));
  }

  @Test
  void split_salt_hasOneRegionPerBucket() throws IOException {
    SplitAlgorithm salted = of("{salt:digits(2)=murmur3(user)%4}-{user:word}");
    assertEquals("01 02 03", keys(salted.split(4)));
    SplitAlgorithm sum = of("{salt:digits(2)=murmur3(user)%4+crc32(id)%2}-{user:word}/{id:word}");
    assertEquals("01 02 03", keys(sum.split(4)));
  }

  /**
   * Half of the values of day have two buckets, which so have five times the rows of the others.
   */
  @Test
  void split_saltWithSteps_hasFewerRegionsWhereFewerRowsAre() throws IOException {
    SplitAlgorithm stepped =
        of("{salt:digits(1)=murmur3(*)%2,8 from day=50}-{day:digits(2)}/{id:word}");
    assertEquals("0-8 1-6 4", keys(stepped.split(4)));
  }

  @Test
  void split_moreRegionsThanBuckets_saysSo() throws IOException {
    SplitAlgorithm salted = of("{salt:digits(2)=murmur3(user)%4}-{user:word}");
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> salted.split(5));
    assertTrue(e.getMessage().contains("too few values"), e.getMessage());
  }

  @Test
  void split_oneRegion_isItsMiddle() throws IOException {
    SplitAlgorithm hex = of("{id:hex(4)}");
    assertEquals("48", Bytes.toString(hex.split(Bytes.toBytes("4"), Bytes.toBytes("5"))));
    assertEquals("8", Bytes.toString(hex.split(new byte[0], new byte[0])));
    assertEquals("f8", Bytes.toString(hex.split(Bytes.toBytes("f"), new byte[0])));
  }

  @Test
  void split_inclusive_hasBothEnds() throws IOException {
    byte[][] keys = of("{id:hex(4)}").split(Bytes.toBytes("4"), Bytes.toBytes("8"), 4, true);
    assertEquals("4 5 6 7 8", keys(keys));
  }

  @Test
  void split_withFirstAndLastRow_dividesBetweenThem() throws IOException {
    SplitAlgorithm hex = of("{id:hex(4)}");
    hex.setFirstRow("8");
    hex.setLastRow("a");
    assertEquals("88 9 98", keys(hex.split(4)));
  }

  @Test
  void split_noLayout_saysWhatToType() throws IOException {
    SplitAlgorithm none = instance();
    IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> none.split(4));
    assertEquals(
        "There is no layout to split by. Put it before the command:"
            + " HBASE_OPTS='-Drowguard.layout={id:hex(16)}' hbase ...; one with a blank in it:"
            + " JDK_JAVA_OPTIONS='\"-Drowguard.layout={user:word}|{time:millis descending}\"' hbase"
            + " ...; or set it in the client's hbase-site.xml. A -D after RegionSplitter does not"
            + " reach the algorithm.",
        e.getMessage());
  }

  /** RegionSplitter writes a rolling split as {@code "+ start split"} and reads three parts. */
  @Test
  void rowToStr_anyRow_isReadBackFromALine() throws IOException {
    SplitAlgorithm algorithm = instance();
    byte[] row = {' ', 'a', 0, (byte) 0xff, '\\', '\t'};
    String line = "+ " + "" + algorithm.separator() + algorithm.rowToStr(row);
    String[] parts = line.split(algorithm.separator(), -1);
    assertEquals(3, parts.length);
    assertArrayEquals(row, algorithm.strToRow(parts[2]));
  }

  private static SplitAlgorithm of(String layout) throws IOException {
    System.setProperty("rowguard.layout", layout);
    return instance();
  }

  private static SplitAlgorithm instance() throws IOException {
    return RegionSplitter.newSplitAlgoInstance(
        new Configuration(false), LayoutSplitAlgorithm.class.getName());
  }

  private static String keys(byte[][] keys) {
    return Arrays.stream(keys).map(Bytes::toString).collect(Collectors.joining(" "));
  }
}
