package io.rowguard.observer.relayout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class MarkersTest {
  private static final KeyValue.Type[] TYPES = {
    KeyValue.Type.Delete,
    KeyValue.Type.DeleteColumn,
    KeyValue.Type.DeleteFamily,
    KeyValue.Type.DeleteFamilyVersion
  };

  /** Against each marker by itself, with families, columns and timestamps that often meet. */
  @Test
  void hide_ofRandomMarkers_isWhatOneOfThemHides() {
    Random random = new Random(20261123);
    for (int index = 0; index < 20_000; index++) {
      List<Cell> markers = new ArrayList<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        Cell marker = cell(random, TYPES[random.nextInt(TYPES.length)]);
        markers.add(marker);
      }
      markers.add(cell(random, KeyValue.Type.Put)); // which hides nothing
      Cell put = cell(random, KeyValue.Type.Put);

      boolean expected = markers.stream().anyMatch(marker -> hides(marker, put));

      String seed = "seed=20261123 index=" + index + " " + markers + " " + put;
      assertEquals(expected, Markers.of(markers).hide(put), seed);
    }
  }

  private static boolean hides(Cell marker, Cell put) {
    String family = Bytes.toString(marker.getFamilyArray(), marker.getFamilyOffset(), 1);
    boolean sameFamily =
        family.equals(Bytes.toString(put.getFamilyArray(), put.getFamilyOffset(), 1));
    boolean sameColumn = sameFamily && qualifier(marker).equals(qualifier(put));
    long at = marker.getTimestamp();
    return switch (marker.getType()) {
      case DeleteFamily -> sameFamily && put.getTimestamp() <= at;
      case DeleteFamilyVersion -> sameFamily && put.getTimestamp() == at;
      case DeleteColumn -> sameColumn && put.getTimestamp() <= at;
      case Delete -> sameColumn && put.getTimestamp() == at;
      default -> false;
    };
  }

  private static String qualifier(Cell cell) {
    return Bytes.toString(
        cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength());
  }

  private static Cell cell(Random random, KeyValue.Type type) {
    boolean ofFamily =
        type == KeyValue.Type.DeleteFamily || type == KeyValue.Type.DeleteFamilyVersion;
    return new KeyValue(
        Bytes.toBytes("row"),
        Bytes.toBytes("fg".substring(random.nextInt(2)).substring(0, 1)),
        ofFamily ? new byte[0] : Bytes.toBytes("q" + random.nextInt(2)),
        1 + random.nextInt(4),
        type);
  }
}
