package io.rowguard.observer.relayout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All that is stored of a cell comes back, under another row. */
class CellCodecTest {
  private static final byte[] OLD = "alice|0001".getBytes(UTF_8);
  private static final byte[] NEW = "13-alice|0001".getBytes(UTF_8);
  private static final byte[] F = "f".getBytes(UTF_8);
  private static final byte[] Q = "q".getBytes(UTF_8);

  @ParameterizedTest
  @EnumSource(
      value = KeyValue.Type.class,
      names = {"Put", "Delete", "DeleteFamilyVersion", "DeleteColumn", "DeleteFamily"})
  void read_cellsOfEachType_areTheSameInAnotherRow(KeyValue.Type type) throws IOException {
    Random random = new Random(type.getCode());
    for (int i = 0; i < 200; i++) {
      Cell cell = randomCell(random, OLD, type);

      List<Cell> read = CellCodec.read(written(List.of(cell)), NEW);

      assertEquals(1, read.size());
      assertSameInAnotherRow(cell, read.get(0), "index=" + i);
    }
  }

  @Test
  void read_manyCells_areInTheirOrder() throws IOException {
    Random random = new Random(19);
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      cells.add(randomCell(random, OLD, KeyValue.Type.Put));
    }

    List<Cell> read = CellCodec.read(written(cells), NEW);

    assertEquals(cells.size(), read.size());
    for (int i = 0; i < cells.size(); i++) {
      assertSameInAnotherRow(cells.get(i), read.get(i), "index=" + i);
    }
  }

  /** At the ends of what the lengths can say. */
  @Test
  void read_theLongestParts_areTheSame() throws IOException {
    List<Tag> tags = List.of(new ArrayBackedTag(TagType.ACL_TAG_TYPE, new byte[60_000]));
    Cell cell =
        new KeyValue(
            OLD,
            filled(127),
            filled(70_000),
            Long.MAX_VALUE - 1,
            KeyValue.Type.Put,
            filled(3_000_000),
            tags);

    assertSameInAnotherRow(cell, CellCodec.read(written(List.of(cell)), NEW).get(0), "longest");
  }

  @Test
  void read_noBytes_areNoCells() throws IOException {
    assertEquals(List.of(), CellCodec.read(new byte[0], NEW));
  }

  @Test
  void read_whatIsCutOff_isAnError() throws IOException {
    byte[] bytes = written(List.of(randomCell(new Random(20), OLD, KeyValue.Type.Put)));
    for (int length = 1; length < bytes.length; length++) {
      byte[] part = Arrays.copyOf(bytes, length);
      assertThrows(IOException.class, () -> CellCodec.read(part, NEW), "length=" + length);
    }
  }

  /** Types that are not stored, and lengths that are none. */
  @Test
  void read_whatIsNoCell_isAnError() throws IOException {
    byte[] bytes = written(List.of(new KeyValue(OLD, F, Q, 1, KeyValue.Type.Put, Q)));
    int type = 1 + F.length + Integer.BYTES + Q.length + Long.BYTES;
    assertEquals(KeyValue.Type.Put.getCode(), bytes[type]);

    for (int code : new int[] {0, 1, 127, 255}) {
      byte[] other = bytes.clone();
      other[type] = (byte) code;
      assertThrows(IOException.class, () -> CellCodec.read(other, NEW), "type=" + code);
    }
    byte[] negative = bytes.clone();
    negative[type + 1] = -1;
    assertThrows(IOException.class, () -> CellCodec.read(negative, NEW));
  }

  private static Cell randomCell(Random random, byte[] row, KeyValue.Type type) {
    List<Tag> tags = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      byte tag = random.nextBoolean() ? TagType.TTL_TAG_TYPE : TagType.ACL_TAG_TYPE;
      tags.add(new ArrayBackedTag(tag, randomBytes(random, 300)));
    }
    return new KeyValue(
        row,
        Arrays.copyOf(F, 1 + random.nextInt(3)),
        randomBytes(random, 50),
        random.nextLong() >>> 1,
        type,
        randomBytes(random, 500),
        tags);
  }

  private static byte[] randomBytes(Random random, int most) {
    byte[] bytes = new byte[random.nextInt(most)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] filled(int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) 'x');
    return bytes;
  }

  private static byte[] written(List<Cell> cells) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      for (Cell cell : cells) {
        CellCodec.write(cell, out);
      }
    }
    return bytes.toByteArray();
  }

  private static void assertSameInAnotherRow(Cell expected, Cell actual, String where) {
    KeyValue a = (KeyValue) expected;
    KeyValue b = (KeyValue) actual;
    assertArrayEquals(NEW, CellUtil.cloneRow(b), where);
    assertArrayEquals(CellUtil.cloneFamily(a), CellUtil.cloneFamily(b), where);
    assertArrayEquals(CellUtil.cloneQualifier(a), CellUtil.cloneQualifier(b), where);
    assertEquals(a.getTimestamp(), b.getTimestamp(), where);
    assertEquals(a.getTypeByte(), b.getTypeByte(), where);
    assertArrayEquals(CellUtil.cloneValue(a), CellUtil.cloneValue(b), where);
    assertArrayEquals(tags(a), tags(b), where);
  }

  private static byte[] tags(KeyValue cell) {
    int from = cell.getTagsOffset();
    return Arrays.copyOfRange(cell.getTagsArray(), from, from + cell.getTagsLength());
  }
}
