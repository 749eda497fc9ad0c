package io.rowguard.relayout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.relayout.Answer.Item;
import io.rowguard.relayout.Answer.Outcome;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** An answer arrives as it was given; and nothing else is one. */
class AnswerTest {
  private static final byte[] ROW = "any".getBytes(UTF_8);

  private static final Answer ANSWER =
      Answer.of(
          5,
          4,
          true,
          1_000,
          Stream.concat(
                  Arrays.stream(Outcome.values()).map(Item::of),
                  Stream.of(
                      Item.of(Outcome.CELLS, new byte[] {0, -1, 127}),
                      Item.of(Outcome.FAILED, "später, 稍后")))
              .toList());

  @Test
  void of_whatWasAnswered_isTheSame() throws Exception {
    Answer arrived = arrived(ANSWER.toCell(ROW));

    assertEquals(5, arrived.version());
    assertEquals(4, arrived.generation());
    assertTrue(arrived.isMoving());
    assertEquals(1_000, arrived.oldRows());
    assertEquals(ANSWER.clock(), arrived.clock());
    assertEquals(ANSWER.items().size(), arrived.items().size());
    for (int i = 0; i < ANSWER.items().size(); i++) {
      assertEquals(ANSWER.items().get(i).outcome(), arrived.items().get(i).outcome());
      assertArrayEquals(ANSWER.items().get(i).bytes(), arrived.items().get(i).bytes());
    }
    assertEquals("später, 稍后", arrived.items().get(arrived.items().size() - 1).words());
  }

  @Test
  void of_anAnswerAboutNoRow_isTheSame() throws Exception {
    Answer arrived = arrived(Answer.of(0, 0, false, 0, List.of()).toCell(ROW));

    assertEquals(0, arrived.version());
    assertEquals(0, arrived.generation());
    assertFalse(arrived.isMoving());
    assertEquals(List.of(), arrived.items());
  }

  /** Whoever waits for timestamps to be past goes by it. */
  @Test
  void clock_isThatOfTheMomentOfTheAnswer() {
    long before = System.currentTimeMillis();
    long clock = Answer.of(0, 0, false, 0, List.of()).clock();

    assertTrue(before <= clock && clock <= System.currentTimeMillis(), "clock=" + clock);
  }

  @Test
  void toCell_isOfTheRowThatWasAsked() {
    assertArrayEquals(ROW, CellUtil.cloneRow(ANSWER.toCell(ROW)));
  }

  /** Else a table could answer by accident, by a server that knows nothing of this. */
  @Test
  void toCell_isOfAFamilyThatNoTableCanHave() {
    byte[] family = CellUtil.cloneFamily(ANSWER.toCell(ROW));

    assertThrows(
        IllegalArgumentException.class,
        () ->
            TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(family))
                .build());
  }

  @Test
  void next_isWhereACountGoesOn() {
    Item inTheWay = Item.of(Outcome.FAILED, "a marker");

    assertArrayEquals(
        ROW, Answer.of(1, 1, true, 3, List.of(inTheWay, Item.of(Outcome.LATER, ROW))).next());
    assertNull(Answer.of(1, 1, true, 3, List.of(inTheWay)).next());
    assertNull(Answer.of(1, 1, true, 3, List.of()).next());
  }

  @Test
  void of_nothing_isNoAnswer() {
    assertNoAnswer(null);
    assertNoAnswer(Result.EMPTY_RESULT);
    assertNoAnswer(Result.create(new Cell[0], false, false));
    assertNoAnswer(Result.create(new Cell[0], true, false));
  }

  /** What a server without this answers, which reads the row of the Get. */
  @Test
  void of_aRowOfATable_isNoAnswer() {
    byte[] value = CellUtil.cloneValue(ANSWER.toCell(ROW));
    KeyValue cell = new KeyValue(ROW, Bytes.toBytes("f"), Bytes.toBytes("q"), value);

    assertNoAnswer(Result.create(new Cell[] {cell}));
    assertNoAnswer(Result.create(new Cell[] {ANSWER.toCell(ROW), cell}));
  }

  @Test
  void of_anotherMark_isNoAnswer() {
    byte[] value = CellUtil.cloneValue(ANSWER.toCell(ROW));
    int version = Bytes.toString(value, 0, 30).indexOf('1');
    value[version] = '2';

    assertNoAnswer(resultOf(value));
    assertNoAnswer(resultOf(new byte[0]));
    assertNoAnswer(resultOf(Arrays.copyOf(value, version)));
  }

  @Test
  void of_lessOrMoreThanWasAnswered_isNoAnswer() {
    byte[] value = CellUtil.cloneValue(ANSWER.toCell(ROW));
    for (int length = 0; length < value.length; length++) {
      assertNoAnswer(resultOf(Arrays.copyOf(value, length)));
    }
    assertNoAnswer(resultOf(Arrays.copyOf(value, value.length + 1)));
  }

  /** Negative numbers, lengths beyond the end, unknown words: never anything but an IOException. */
  @Test
  void of_anAnswerWithOtherBytes_isNoneOrAnother() {
    byte[] value = CellUtil.cloneValue(ANSWER.toCell(ROW));
    Random random = new Random(18);
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] changed = value.clone();
      int from = random.nextInt(changed.length);
      int to = Math.min(changed.length, from + 1 + random.nextInt(4));
      Arrays.fill(changed, from, to, (byte) random.nextInt(256));
      try {
        Answer.of(resultOf(changed));
      } catch (IOException e) {
        refused++;
      }
    }
    assertTrue(refused > 10_000, "refused=" + refused);
  }

  private static Answer arrived(Cell cell) throws IOException {
    return Answer.of(Result.create(new Cell[] {cell}));
  }

  private static Result resultOf(byte[] value) {
    byte[] family = CellUtil.cloneFamily(ANSWER.toCell(ROW));
    return Result.create(
        new Cell[] {new KeyValue(ROW, family, new byte[0], Long.MAX_VALUE, value)});
  }

  private static void assertNoAnswer(Result result) {
    assertThrows(IOException.class, () -> Answer.of(result));
  }
}
