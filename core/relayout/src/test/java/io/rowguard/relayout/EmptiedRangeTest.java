package io.rowguard.relayout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.rowguard.relayout.RelayoutResponse.Item;
import io.rowguard.relayout.RelayoutResponse.Outcome;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.junit.jupiter.api.Test;

class EmptiedRangeTest {
  private static final byte[] NONE = {};

  @Test
  void range_thatTravels_arrives() throws Exception {
    byte[] row = {1, 2, 3};
    for (EmptiedRange range :
        List.of(
            new EmptiedRange(NONE, NONE),
            new EmptiedRange(row, NONE),
            new EmptiedRange(NONE, row),
            new EmptiedRange(row, new byte[] {-1}))) {
      RelayoutResponse response = RelayoutResponse.of(2, 1, true, 0, List.of(range.toItem()));
      RelayoutResponse arrived =
          RelayoutResponse.of(Result.create(new Cell[] {response.toCell(new byte[] {1})}));

      assertEquals(Outcome.NOTHING, arrived.items().get(0).outcome());
      EmptiedRange same = EmptiedRange.of(arrived.items().get(0));
      assertArrayEquals(range.from(), same.from());
      assertArrayEquals(range.to(), same.to());
    }
  }

  @Test
  void of_anItemWithoutOne_isNull() {
    assertNull(EmptiedRange.of(Item.of(Outcome.NOTHING)));
    assertNull(EmptiedRange.of(Item.of(Outcome.CELLS, new byte[] {0, 0, 0, 0})));
    assertNull(EmptiedRange.of(Item.of(Outcome.NOTHING, new byte[] {0, 0})));
    assertNull(EmptiedRange.of(Item.of(Outcome.NOTHING, new byte[] {0, 0, 0, 9, 1})));
    assertNull(EmptiedRange.of(Item.of(Outcome.NOTHING, new byte[] {-1, 0, 0, 0, 1})));
  }
}
