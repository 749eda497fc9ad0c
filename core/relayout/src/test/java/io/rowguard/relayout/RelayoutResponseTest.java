package io.rowguard.relayout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.relayout.RelayoutResponse.Item;
import io.rowguard.relayout.RelayoutResponse.Outcome;
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

/** A response arrives as it was given; nothing else is taken for one. */
class RelayoutResponseTest {
  private static final byte[] ROW = "any".getBytes(UTF_8);

  private static final RelayoutResponse RESPONSE =
      RelayoutResponse.of(
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
    RelayoutResponse arrived = arrived(RESPONSE.toCell(ROW));

    assertEquals(5, arrived.version());
    assertEquals(4, arrived.generation());
    assertTrue(arrived.isMoving());
    assertEquals(1_000, arrived.misplacedRows());
    assertEquals(RESPONSE.clock(), arrived.clock());
    assertEquals(RESPONSE.items().size(), arrived.items().size());
    for (int i = 0; i < RESPONSE.items().size(); i++) {
      assertEquals(RESPONSE.items().get(i).outcome(), arrived.items().get(i).outcome());
      assertArrayEquals(RESPONSE.items().get(i).bytes(), arrived.items().get(i).bytes());
    }
    assertEquals("später, 稍后", arrived.items().get(arrived.items().size() - 1).words());
  }

  @Test
  void of_aProgress_isTheSame() throws Exception {
    for (boolean isCounted : new boolean[] {true, false}) {
      RegionProgress progress = new RegionProgress(1, 2, 3, isCounted, 4, 5);
      RelayoutResponse response = RelayoutResponse.of(5, 4, true, 0, List.of(progress.toItem()));

      RegionProgress arrived = RegionProgress.of(arrived(response.toCell(ROW)));

      assertEquals(1, arrived.openedMillis());
      assertEquals(2, arrived.gone());
      assertEquals(3, arrived.left());
      assertEquals(isCounted, arrived.isCounted());
      assertEquals(4, arrived.lately());
      assertEquals(5, arrived.latelyMillis());
    }
    for (Item item : List.of(Item.of(Outcome.REFUSED, "no"), Item.of(Outcome.DONE))) {
      assertNull(RegionProgress.of(RelayoutResponse.of(5, 4, true, 0, List.of(item))));
    }
  }

  @Test
  void of_aPausedRegion_isTheSameAndPaused() throws Exception {
    RelayoutResponse running =
        RelayoutResponse.of(
            5, 4, true, 3, List.of(new RegionProgress(1, 2, 3, true, 4, 5).toItem()));
    assertFalse(running.isPaused());

    RelayoutResponse arrived = arrived(running.withPaused().toCell(ROW));

    assertTrue(arrived.isPaused());
    assertEquals(5, arrived.version());
    assertEquals(4, arrived.generation());
    assertEquals(3, arrived.misplacedRows());
    assertEquals(running.clock(), arrived.clock());
    assertEquals(2, RegionProgress.of(arrived).gone());
  }

  /** The master asks for the state before a step, which a pause does not forbid. */
  @Test
  void inTheWay_ofAPausedRegion_isNothing() {
    assertNull(RelayoutResponse.of(5, 4, true, 0, List.of()).withPaused().inTheWay());
  }

  @Test
  void of_aResponseAboutNoRow_isTheSame() throws Exception {
    RelayoutResponse arrived = arrived(RelayoutResponse.of(0, 0, false, 0, List.of()).toCell(ROW));

    assertEquals(0, arrived.version());
    assertEquals(0, arrived.generation());
    assertFalse(arrived.isMoving());
    assertEquals(List.of(), arrived.items());
  }

  /** The puller waits until the timestamps before it are past. */
  @Test
  void clock_isThatOfTheMomentOfTheResponse() {
    long before = System.currentTimeMillis();
    long clock = RelayoutResponse.of(0, 0, false, 0, List.of()).clock();

    assertTrue(before <= clock && clock <= System.currentTimeMillis(), "clock=" + clock);
  }

  @Test
  void toCell_isOfTheRowThatWasAsked() {
    assertArrayEquals(ROW, CellUtil.cloneRow(RESPONSE.toCell(ROW)));
  }

  /** Ensures that no table answers by accident, on a server without this code. */
  @Test
  void toCell_isOfAFamilyThatNoTableCanHave() {
    byte[] family = CellUtil.cloneFamily(RESPONSE.toCell(ROW));

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
        ROW,
        RelayoutResponse.of(1, 1, true, 3, List.of(inTheWay, Item.of(Outcome.LATER, ROW))).next());
    assertNull(RelayoutResponse.of(1, 1, true, 3, List.of(inTheWay)).next());
    assertNull(RelayoutResponse.of(1, 1, true, 3, List.of()).next());
  }

  @Test
  void of_nothing_isNoAnswer() {
    assertNoAnswer(null);
    assertNoAnswer(Result.EMPTY_RESULT);
    assertNoAnswer(Result.create(new Cell[0], false, false));
    assertNoAnswer(Result.create(new Cell[0], true, false));
  }

  /** A server without this code answers the Get with its row. */
  @Test
  void of_aRowOfATable_isNoAnswer() {
    byte[] value = CellUtil.cloneValue(RESPONSE.toCell(ROW));
    KeyValue cell = new KeyValue(ROW, Bytes.toBytes("f"), Bytes.toBytes("q"), value);

    assertNoAnswer(Result.create(new Cell[] {cell}));
    assertNoAnswer(Result.create(new Cell[] {RESPONSE.toCell(ROW), cell}));
  }

  @Test
  void of_anotherMark_isNoAnswer() {
    byte[] value = CellUtil.cloneValue(RESPONSE.toCell(ROW));
    int version = Bytes.toString(value, 0, 30).indexOf('1');
    value[version] = '2';

    assertNoAnswer(resultOf(value));
    assertNoAnswer(resultOf(new byte[0]));
    assertNoAnswer(resultOf(Arrays.copyOf(value, version)));
  }

  @Test
  void of_lessOrMoreThanWasAnswered_isNoAnswer() {
    byte[] value = CellUtil.cloneValue(RESPONSE.toCell(ROW));
    for (int length = 0; length < value.length; length++) {
      assertNoAnswer(resultOf(Arrays.copyOf(value, length)));
    }
    assertNoAnswer(resultOf(Arrays.copyOf(value, value.length + 1)));
  }

  /** Negative numbers, lengths beyond the end, unknown words: never anything but an IOException. */
  @Test
  void of_aResponseWithOtherBytes_isNoneOrAnother() {
    byte[] value = CellUtil.cloneValue(RESPONSE.toCell(ROW));
    Random random = new Random(18);
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] changed = value.clone();
      int from = random.nextInt(changed.length);
      int to = Math.min(changed.length, from + 1 + random.nextInt(4));
      Arrays.fill(changed, from, to, (byte) random.nextInt(256));
      try {
        RelayoutResponse.of(resultOf(changed));
      } catch (IOException e) {
        refused++;
      }
    }
    assertTrue(refused > 10_000, "refused=" + refused);
  }

  private static RelayoutResponse arrived(Cell cell) throws IOException {
    return RelayoutResponse.of(Result.create(new Cell[] {cell}));
  }

  private static Result resultOf(byte[] value) {
    byte[] family = CellUtil.cloneFamily(RESPONSE.toCell(ROW));
    return Result.create(
        new Cell[] {new KeyValue(ROW, family, new byte[0], Long.MAX_VALUE, value)});
  }

  private static void assertNoAnswer(Result result) {
    assertThrows(IOException.class, () -> RelayoutResponse.of(result));
  }
}
