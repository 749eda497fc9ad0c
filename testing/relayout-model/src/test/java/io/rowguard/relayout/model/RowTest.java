package io.rowguard.relayout.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The model's row is HBase's, as far as relayout cares. */
class RowTest {
  private static final long ROW = Row.put(Row.put(Row.EMPTY, 0, 1, 5), 1, 3, 6);

  @Test
  void put_newerOlderAndEqualTimestamps_theNewestShowsAndOfTwoTheLater() {
    assertEquals("c1=v5 c2=v6", Row.shownText(Row.shown(ROW)));
    assertEquals(7, Row.value(Row.put(ROW, 0, 2, 7), 0));
    assertEquals(6, Row.value(Row.put(ROW, 1, 2, 7), 1));
    assertEquals(7, Row.value(Row.put(ROW, 0, 1, 7), 0));
  }

  @Test
  void delete_upToATimestamp_masksWhatIsNotNewerAndWhatComesLate() {
    long deleted = Row.delete(ROW, 2);
    assertEquals("[c2=v6@3 deleted up to @2]", Row.text(deleted));
    assertEquals(deleted, Row.put(deleted, 0, 2, 7));
    assertEquals(deleted, Row.delete(deleted, 1));
    assertTrue(Row.isEmpty(Row.delete(ROW, 3)));
  }

  @Test
  void cells_afterACompaction_areNotMaskedAnyMore() {
    long compacted = Row.cells(Row.delete(ROW, Row.FUTURE));
    assertEquals(Row.EMPTY, compacted);
    assertEquals("c1=v7", Row.shownText(Row.shown(Row.put(compacted, 0, 1, 7))));
  }

  @Test
  void copy_ontoOtherCells_hasTheCopysCellsOnTopAndBothMarkers() {
    long other = Row.put(Row.put(Row.EMPTY, 0, 1, 2), 0, 4, 3);
    assertEquals("[c1=v5@1 c1=v3@4 c2=v6@3]", Row.text(Row.copy(other, ROW)));
    assertEquals("[c2=v6@3 deleted up to @1]", Row.text(Row.copy(Row.delete(Row.EMPTY, 1), ROW)));
  }

  @Test
  void wouldMask_aMarkerAtTheOldestCell_does() {
    assertTrue(Row.wouldMask(Row.delete(Row.EMPTY, 1), ROW));
    assertFalse(Row.wouldMask(Row.delete(Row.EMPTY, 1), Row.put(Row.EMPTY, 0, 2, 1)));
    assertFalse(Row.wouldMask(ROW, ROW));
  }

  @Test
  void newest_cellsOfTheFuture_areLeftOutOfThePast() {
    long row = Row.put(ROW, 0, Row.FUTURE, 2);
    assertEquals(Row.FUTURE, Row.newest(row));
    assertEquals(3, Row.newestOfThePast(row));
    assertEquals(ROW, Row.without(row, Row.FUTURE));
  }
}
