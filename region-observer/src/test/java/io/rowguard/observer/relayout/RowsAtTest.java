package io.rowguard.observer.relayout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.LayoutChange;
import io.rowguard.layout.LayoutChange.Place;
import io.rowguard.layout.RowkeyLayout;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.filter.Filter.ReturnCode;
import org.junit.jupiter.api.Test;

/** The rows that it leaves, and where it stops. */
class RowsAtTest {
  private static final LayoutChange CHANGE =
      LayoutChange.of(
          RowkeyLayout.parse("{user:word}|{item:digits(4)}"),
          RowkeyLayout.parse("{salt:digits(2)=murmur3(user)%16}-{user:word}|{item:digits(4)}"));

  private static final String NEW = new String(CHANGE.toNew("alice|0001".getBytes(UTF_8)), UTF_8);

  private static final long FOR_EVER = Long.MAX_VALUE;

  @Test
  void filterRowKey_eachPlace_leavesItsRows() {
    String[] rows = {NEW, "alice|0001", "neither", "zoe|0001"};

    assertEquals(List.of("alice|0001", "zoe|0001"), left(rowsAt(Place.OLD, FOR_EVER), rows));
    assertEquals(List.of(NEW), left(rowsAt(Place.NEW, FOR_EVER), rows));
  }

  @Test
  void filterRowKey_enoughFound_stopsAtTheNextRow() {
    RowsAt filter = rowsAt(Place.OLD, FOR_EVER);
    assertFalse(isFiltered(filter, "a|0001"));
    filter.found();
    assertTrue(isFiltered(filter, "neither"));
    assertFalse(isFiltered(filter, "b|0001"));
    filter.found();
    assertFalse(filter.filterAllRemaining());

    assertTrue(isFiltered(filter, "c|0001"));
    assertTrue(filter.filterAllRemaining());
    assertTrue(isFiltered(filter, "d|0001"));
    assertArrayEquals("c|0001".getBytes(UTF_8), filter.stoppedAt());
  }

  /** Going on from where it stopped advances by a row at least, even without any time. */
  @Test
  void filterRowKey_noTime_stopsAtTheSecondRow() {
    RowsAt filter = rowsAt(Place.OLD, -1);

    assertTrue(isFiltered(filter, "neither"));
    assertNull(filter.stoppedAt());
    assertTrue(isFiltered(filter, "z|0001"));
    assertArrayEquals("z|0001".getBytes(UTF_8), filter.stoppedAt());
  }

  @Test
  void stopBefore_aRow_stopsThereOrBehind() {
    for (String end : List.of("c|0001", "b|0002")) {
      RowsAt filter = rowsAt(Place.OLD, FOR_EVER);
      filter.stopBefore(end.getBytes(UTF_8));

      assertEquals(
          List.of("a|0001", "b|0001"), left(filter, "a|0001", "b|0001", "c|0001", "d|0001"));
      assertArrayEquals("c|0001".getBytes(UTF_8), filter.stoppedAt());
    }
  }

  @Test
  void filterCell_ofARow_leavesTheFirst() {
    RowsAt filter = rowsAt(Place.OLD, FOR_EVER);
    for (String row : List.of("a|0001", "b|0001")) {
      filter.reset();
      assertEquals(ReturnCode.INCLUDE, filter.filterCell(cell(row, KeyValue.Type.Put)));
      assertEquals(ReturnCode.NEXT_ROW, filter.filterCell(cell(row, KeyValue.Type.Put)));
    }
  }

  @Test
  void filterCell_ofLeftovers_leavesTheFirstOfARow() {
    byte[] row = NEW.getBytes(UTF_8);
    byte[] f = {'f'};
    Cell users = new KeyValue(row, f, new byte[0], 2, KeyValue.Type.DeleteFamily);
    Cell leftover = Leftovers.marker(row, f, 1);
    RowsAt filter = rowsAt(Place.NEW, FOR_EVER).ofLeftovers();
    for (int rows = 0; rows < 2; rows++) {
      filter.reset();
      assertEquals(ReturnCode.SKIP, filter.filterCell(users));
      assertEquals(ReturnCode.INCLUDE_AND_SEEK_NEXT_ROW, filter.filterCell(leftover));
      assertEquals(ReturnCode.NEXT_ROW, filter.filterCell(leftover));
    }
    filter.reset();
    Cell put = new KeyValue(row, f, new byte[] {'q'}, 2, KeyValue.Type.Put);
    assertEquals(ReturnCode.NEXT_ROW, filter.filterCell(put));
  }

  private static RowsAt rowsAt(Place place, long nanos) {
    return new RowsAt(CHANGE, place, 2, nanos);
  }

  private static List<String> left(RowsAt filter, String... rows) {
    List<String> left = new ArrayList<>();
    for (String row : rows) {
      if (!isFiltered(filter, row)) {
        left.add(row);
      }
    }
    return left;
  }

  private static boolean isFiltered(RowsAt filter, String row) {
    filter.reset();
    return filter.filterRowKey(cell(row, KeyValue.Type.Put));
  }

  private static Cell cell(String row, KeyValue.Type type) {
    return new KeyValue(
        row.getBytes(UTF_8), "f".getBytes(UTF_8), "q".getBytes(UTF_8), 1, type, new byte[0]);
  }
}
