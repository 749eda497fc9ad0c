package io.rowguard.observer.relayout;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;

/**
 * The delete markers of one row, and what they hide. Immutable once made.
 *
 * <p>As HBase has it without {@code NEW_VERSION_BEHAVIOR}: by timestamps, whichever was written
 * first.
 */
final class Markers {
  /** The newest timestamp up to which everything of a family or a column is hidden. */
  private final Map<Object, Long> upTo = new HashMap<>();

  /** A family or a column with a timestamp at which it is hidden. */
  private final Set<Object> at = new HashSet<>();

  private Markers() {}

  /** Finds the markers among the cells of one row. */
  static Markers of(List<Cell> cells) {
    Markers markers = new Markers();
    for (Cell cell : cells) {
      markers.add(cell);
    }
    return markers;
  }

  private void add(Cell cell) {
    switch (cell.getType()) {
      case DeleteFamily:
        upTo.merge(family(cell), cell.getTimestamp(), Math::max);
        break;
      case DeleteColumn:
        upTo.merge(column(cell), cell.getTimestamp(), Math::max);
        break;
      case DeleteFamilyVersion:
        at.add(Arrays.asList(family(cell), cell.getTimestamp()));
        break;
      case Delete:
        at.add(Arrays.asList(column(cell), cell.getTimestamp()));
        break;
      default:
        break;
    }
  }

  /** Whether a cell of the row would not be seen. Not asked of markers. */
  boolean hide(Cell cell) {
    if (upTo.isEmpty() && at.isEmpty()) {
      return false;
    }
    long timestamp = cell.getTimestamp();
    return isUpTo(family(cell), timestamp)
        || isUpTo(column(cell), timestamp)
        || at.contains(Arrays.asList(family(cell), timestamp))
        || at.contains(Arrays.asList(column(cell), timestamp));
  }

  private boolean isUpTo(Object place, long timestamp) {
    Long last = upTo.get(place);
    return last != null && timestamp <= last;
  }

  private static Object family(Cell cell) {
    return ByteBuffer.wrap(CellUtil.cloneFamily(cell));
  }

  private static Object column(Cell cell) {
    return Arrays.asList(family(cell), ByteBuffer.wrap(CellUtil.cloneQualifier(cell)));
  }
}
