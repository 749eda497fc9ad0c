package io.rowguard.observer.relayout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class PulledRowsTest {
  @Test
  void contains_isWhatWasAdded() {
    PulledRows rows = new PulledRows();
    rows.add(List.of(row(1), row(3)));

    assertTrue(rows.contains(row(1)));
    assertFalse(rows.contains(row(2)));
  }

  @Test
  void add_ofMoreThanTheMost_forgetsThoseNotAskedAboutForTheLongest() {
    PulledRows rows = new PulledRows(3, 1_000);
    rows.add(List.of(row(1), row(2), row(3)));
    assertTrue(rows.contains(row(1)));

    rows.add(List.of(row(4)));

    assertFalse(rows.contains(row(2)));
    assertTrue(rows.contains(row(1)) && rows.contains(row(3)) && rows.contains(row(4)));
  }

  @Test
  void add_ofMoreBytesThanTheMost_forgetsToo_butNotTheLast() {
    PulledRows rows = new PulledRows(1_000, 10);
    rows.add(List.of(row(1), row(2)));
    assertEquals(2, rows.size());

    rows.add(List.of(row(3)));
    assertEquals(2, rows.size());
    rows.add(List.of(new byte[100]));

    assertEquals(1, rows.size());
    assertTrue(rows.contains(new byte[100]));
  }

  @Test
  void add_ofTheSameAgain_countsItOnce() {
    PulledRows rows = new PulledRows(1_000, 10);
    for (int i = 0; i < 10; i++) {
      rows.add(List.of(row(1), row(2)));
    }
    assertEquals(2, rows.size());
  }

  private static byte[] row(int number) {
    return Bytes.toBytes("row" + number);
  }
}
