package io.rowguard.observer.relayout;

import static io.rowguard.observer.fixture.Writes.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.junit.jupiter.api.Test;

class CopyTest {
  private static final byte[] NEW = bytes("b");

  private static Cell cell(KeyValue.Type type, long timestamp) {
    return new KeyValue(NEW, bytes("f"), bytes("q"), timestamp, type);
  }

  /** A leftover hides puts that come later below it, so it is as old as it may be. */
  @Test
  void upTo_isTheNewestPut_orTheNewestMarkerWhereThatHasToGo() {
    Copy copy =
        Copy.of(
            0,
            NEW,
            bytes("a"),
            List.of(
                cell(KeyValue.Type.DeleteColumn, 30),
                cell(KeyValue.Type.Put, 20),
                cell(KeyValue.Type.Put, 10)),
            25);

    assertEquals(20, copy.upTo(false));
    assertEquals(30, copy.upTo(true));
    assertEquals(20, copy.newestOfThePast());
  }
}
