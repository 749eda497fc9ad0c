package io.rowguard.observer.relayout;

import io.rowguard.layout.LayoutChange;
import java.io.InterruptedIOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * Gets old rows to this region of their new ones, before something is written there. The
 * specification is {@code PullSteps} of {@code testing/relayout-model}, whose steps are named here.
 * One per region instance; thread-safe.
 *
 * <p>To be called by whoever holds no row lock of HBase's. All of it is in the thread that calls,
 * and ends in the time that it is given, or when the region closes. What fails needs not be undone:
 * the next pull finds what there is.
 */
public final class Puller {
  /** So many rows are pulled at a time, at most. */
  public static final int MOST_ROWS = 1_024;

  private final HRegion region;
  private final LayoutChange change;
  private final long generation;
  private final Wire wire;
  private final RelayoutMetrics metrics;
  private final KeyLocks locks = new KeyLocks();
  private final PulledRows pulledRows = new PulledRows();
  private final Questioner questioner;
  private final Copies copies;

  /**
   * @param own with what the region's hooks know the copies as its own
   */
  public Puller(
      HRegion region,
      LayoutChange change,
      long generation,
      Wire wire,
      OwnEdits own,
      RelayoutMetrics metrics) {
    this.region = region;
    this.change = change;
    this.generation = generation;
    this.wire = wire;
    this.metrics = metrics;
    this.questioner = new Questioner(wire, region);
    this.copies = new Copies(region, own, metrics);
  }

  /** Whether a row is known to be pulled, at no cost to speak of. */
  public boolean isPulled(byte[] newRow) {
    return pulledRows.contains(newRow);
  }

  /**
   * Pulls rows.
   *
   * @param newRows each in this region and {@link LayoutChange.Place#NEW}, in any order
   * @param millis how long it may take
   * @param byTouch whether nobody wants to write them
   * @return what it came to for each row
   * @throws InterruptedIOException when HBase interrupts the thread, since the region closes
   */
  public List<Pulled> pull(List<byte[]> newRows, long millis, boolean byTouch)
      throws InterruptedIOException {
    return pull(Collections.singletonMap(this, newRows), millis, byTouch).get(this);
  }

  /**
   * The same with rows of other regions of this server that {@link #goesWith} it: what is asked and
   * what is dropped goes to the old rows' regions at once.
   *
   * @param newRows of each region; some of this one
   */
  public Map<Puller, List<Pulled>> pull(
      Map<Puller, List<byte[]>> newRows, long millis, boolean byTouch)
      throws InterruptedIOException {
    long began = System.nanoTime();
    PullWork work = new PullWork(this, newRows, byTouch);
    if (!work.isEmpty()) {
      try {
        work.run(began + TimeUnit.MILLISECONDS.toNanos(millis));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // which HBase wants to see afterwards too
        throw (InterruptedIOException)
            new InterruptedIOException("Interrupted while pulling").initCause(e);
      } finally {
        if (!byTouch) {
          metrics.blocked(System.nanoTime() - began);
        }
      }
    }
    Map<Puller, List<Pulled>> answers = new HashMap<>();
    newRows.forEach((puller, rows) -> answers.put(puller, work.of(puller, rows)));
    return answers;
  }

  /** Whether the rows of another region of this server can be pulled with this one's. */
  public boolean goesWith(Puller other) {
    return other.generation == generation
        && other.region.getRegionInfo().getTable().equals(region.getRegionInfo().getTable());
  }

  RegionInfo region() {
    return region.getRegionInfo();
  }

  long generation() {
    return generation;
  }

  byte[] oldRow(byte[] newRow) {
    return change.toOld(newRow);
  }

  Wire wire() {
    return wire;
  }

  RelayoutMetrics metrics() {
    return metrics;
  }

  KeyLocks locks() {
    return locks;
  }

  PulledRows pulledRows() {
    return pulledRows;
  }

  Questioner questioner() {
    return questioner;
  }

  Copies copies() {
    return copies;
  }

  @Override
  public String toString() {
    return "generation=" + generation + " region=" + region.getRegionInfo().getEncodedName();
  }
}
