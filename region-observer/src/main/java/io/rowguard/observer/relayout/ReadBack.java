package io.rowguard.observer.relayout;

import io.rowguard.config.Verify;
import io.rowguard.layout.RowText;
import io.rowguard.load.OneIn;
import io.rowguard.observer.metrics.RelayoutMetrics;
import io.rowguard.observer.metrics.SampleLog;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * Reads copies back before their old rows are deleted: between steps 5 and 6 of a pull. A reader of
 * the new row has to find what a reader of the old one would: the cells that were copied, but for
 * those that markers hide, that are more than their family keeps, or whose time to live has ended.
 * One per region instance; thread-safe. A row that is read back is in memory twice.
 *
 * <p>A copy that is not so fails its pull, each time until somebody decides: which of the two rows
 * is right is not known here. So a sample has all copies of pulls that have failed before, and,
 * from the first difference on, all of the region.
 */
public final class ReadBack {
  /** Of how many copies one is read back for {@link Verify#SAMPLE}. */
  private static final int SAMPLE = 100;

  private final HRegion region;
  private final OldRows rows;
  private final OneIn sample;
  private final RelayoutMetrics metrics;
  private final SampleLog log;
  private volatile boolean hasDifference;

  /**
   * @param log of the table
   */
  public ReadBack(HRegion region, Verify verify, RelayoutMetrics metrics, SampleLog log) {
    this.region = region;
    this.rows = new OldRows(region, false);
    this.sample = verify == Verify.OFF ? null : OneIn.of(verify == Verify.ALL ? 1 : SAMPLE);
    this.metrics = metrics;
    this.log = log;
  }

  /** Fails those of the copies that are written, are read back, and are not what they should be. */
  void check(List<Copy> copies) {
    for (Copy copy : copies) {
      if (sample != null && copy.isToBeDropped() && isDue(copy)) {
        check(copy);
      }
    }
  }

  private boolean isDue(Copy copy) {
    return copy.isRetried() || hasDifference || sample.isDue();
  }

  private void check(Copy copy) {
    try {
      List<Cell> found = rows.visible(copy.newRow());
      String difference = difference(copy.cells(), found);
      if (difference != null) {
        hasDifference = true;
        String words = words(copy, difference);
        metrics.different();
        log.sample(() -> words);
        copy.fail(words);
      }
    } catch (IOException e) {
      copy.fail("The new row cannot be read back: " + PullClient.words(e));
    }
  }

  private String words(Copy copy, String difference) {
    return "A row is not what was copied, so the old one is not deleted. table="
        + region.getTableDescriptor().getTableName().getNameAsString()
        + " new=\""
        + RowText.abbreviated(copy.newRow())
        + "\" old=\""
        + RowText.abbreviated(copy.oldRow())
        + "\" "
        + difference
        + ". Compare the two by a raw scan; rowguard.relayout.verify says what is compared.";
  }

  /**
   * The first difference between what was copied and what is found; null for none.
   *
   * @param copied in the order of HBase, markers too
   * @param found likewise, what a reader sees
   */
  private String difference(List<Cell> copied, List<Cell> found) {
    int at = 0;
    for (Expected expected : expected(copied)) {
      Cell cell = expected.cell;
      Cell next = at < found.size() ? found.get(at) : null;
      int order = next == null ? -1 : compare(cell, next);
      if (order > 0) {
        return named("is not of the row", next);
      }
      if (order < 0) {
        if (expected.isSeen) {
          return named("is missing", cell);
        }
        continue;
      }
      if (expected.isHidden) {
        return named("has been deleted, and is there", cell);
      }
      if (!CellUtil.matchingValue(cell, next)) {
        return named("has another value", cell);
      }
      if (!hasSameTags(cell, next)) {
        return named("has other tags", cell);
      }
      at++;
    }
    return at < found.size() ? named("is not of the row", found.get(at)) : null;
  }

  private static int compare(Cell a, Cell b) {
    return CellComparator.getInstance().compareWithoutRow(a, b);
  }

  @SuppressWarnings("deprecation") // tags as bytes, deprecated in Cell, which lacks them in HBase 3
  private static boolean hasSameTags(Cell one, Cell other) {
    ExtendedCell a = (ExtendedCell) one;
    ExtendedCell b = (ExtendedCell) other;
    return Bytes.equals(
        a.getTagsArray(),
        a.getTagsOffset(),
        a.getTagsLength(),
        b.getTagsArray(),
        b.getTagsOffset(),
        b.getTagsLength());
  }

  /** The puts among cells, each with what a reader has to make of it. */
  private List<Expected> expected(List<Cell> copied) {
    Markers markers = Markers.of(copied);
    Map<String, ColumnFamilyDescriptor> families = new HashMap<>();
    for (ColumnFamilyDescriptor family : region.getTableDescriptor().getColumnFamilies()) {
      families.put(family.getNameAsString(), family);
    }
    // After the row was read, so that what had not ended by now had not ended then.
    long now = EnvironmentEdgeManager.currentTime();
    List<Expected> all = new ArrayList<>();
    Cell last = null;
    int versions = 0;
    for (Cell cell : copied) {
      if (cell.getType() != Cell.Type.Put) {
        continue;
      }
      ColumnFamilyDescriptor family = families.get(Bytes.toString(CellUtil.cloneFamily(cell)));
      versions = last != null && CellUtil.matchingColumn(last, cell) ? versions : 0;
      last = cell;
      boolean isHidden = markers.hide(cell);
      versions += isHidden ? 0 : 1;
      boolean isKept = versions <= family.getMaxVersions();
      all.add(new Expected(cell, isHidden, !isHidden && isKept && !isEnded(cell, family, now)));
    }
    return all;
  }

  private static boolean isEnded(Cell cell, ColumnFamilyDescriptor family, long now) {
    int seconds = family.getTimeToLive();
    boolean ofFamily =
        seconds >= 0
            && seconds != HConstants.FOREVER
            && cell.getTimestamp() < now - TimeUnit.SECONDS.toMillis(seconds);
    return ofFamily || OldRows.isEnded(cell, now);
  }

  private static String named(String difference, Cell cell) {
    return "difference=\"a cell "
        + difference
        + "\" column="
        + RowText.abbreviated(CellUtil.cloneFamily(cell))
        + ":"
        + RowText.abbreviated(CellUtil.cloneQualifier(cell))
        + " timestamp="
        + cell.getTimestamp();
  }

  /** A copied put. */
  private static final class Expected {
    final Cell cell;

    /** Whether a marker of the row hides it. */
    final boolean isHidden;

    /** Whether a reader finds it. Where this is false and it is not hidden, one may. */
    final boolean isSeen;

    Expected(Cell cell, boolean isHidden, boolean isSeen) {
      this.cell = cell;
      this.isHidden = isHidden;
      this.isSeen = isSeen;
    }
  }
}
