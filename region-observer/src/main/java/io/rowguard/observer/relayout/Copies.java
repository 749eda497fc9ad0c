package io.rowguard.observer.relayout;

import io.rowguard.observer.metrics.RelayoutMetrics;
import io.rowguard.observer.request.InternalMutations;
import io.rowguard.observer.request.InternalRpcCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * Steps 4 and 5 of a pull: writes the content of old rows to the new ones, as it is, unless it is
 * there already or could not be seen there. One per region instance; thread-safe.
 */
final class Copies {
  private static final long SLICE_MILLIS = 20;

  private final HRegion region;
  private final OldRows rows;
  private final InternalMutations own;
  private final RelayoutMetrics metrics;

  Copies(HRegion region, InternalMutations own, RelayoutMetrics metrics) {
    this.region = region;
    this.rows = new OldRows(region, false);
    this.own = own;
    this.metrics = metrics;
  }

  /**
   * Writes copies. Each is {@link Copy#written} then or has failed, but for those of nothing.
   *
   * <p>A row that a reader sees at its new place was copied before by a pull that failed. One of
   * which markers hide all is written again, which changes nothing: until it is pulled nothing else
   * is written there. Markers alone are no sign of a copy, since they may be older than that.
   *
   * @param until when it is to be over, as {@link System#nanoTime} has it
   */
  void write(List<Copy> copies, long until) throws InterruptedException {
    List<Copy> toWrite = new ArrayList<>(copies.size());
    List<Copy> there = new ArrayList<>();
    for (Copy copy : copies) {
      try {
        if (copy.isNothing()) {
          continue;
        }
        // Mostly nothing is stored there, which this one look says.
        byte[] stored = rows.read(copy.newRow(), PullSource.MOST_BYTES);
        boolean isBlank = stored != null && stored.length == 0;
        if (!isBlank && !rows.isEmpty(copy.newRow())) {
          there.add(copy);
          continue;
        }
        checkMarkers(copy, stored);
        if (copy.failure() == null) {
          toWrite.add(copy);
        }
      } catch (IOException e) {
        copy.fail("The new row cannot be read: " + PullClient.words(e));
      }
    }
    passFence(there);
    awaitClock(toWrite, until);
    toWrite.removeIf(copy -> copy.failure() != null);
    if (!toWrite.isEmpty()) {
      store(toWrite, until);
    }
  }

  /**
   * Spares rows that an earlier pull has copied before it failed. But only the server that still
   * has the region's log may have the old row removed for it.
   */
  private void passFence(List<Copy> there) {
    try {
      if (!there.isEmpty()) {
        LogFence.pass(region);
        there.forEach(Copy::wasThere);
        metrics.leftoversRemoved(there.size());
      }
    } catch (IOException e) {
      there.forEach(copy -> copy.fail("The region's log takes nothing: " + PullClient.words(e)));
    }
  }

  /**
   * Fails a copy that markers at the new row would hide, those of an earlier relayout for example.
   *
   * @param stored all that is stored at the new row; null where that is too much
   */
  private static void checkMarkers(Copy copy, byte[] stored) throws IOException {
    if (stored == null) {
      copy.fail("The new row has too many old versions and delete markers." + Leftovers.COMPACT);
      return;
    }
    Markers there = Markers.of(CellCodec.read(stored, copy.newRow()));
    Markers moved = Markers.of(copy.cells());
    for (Cell cell : copy.cells()) {
      if (cell.getType() == Cell.Type.Put && there.hide(cell) && !moved.hide(cell)) {
        copy.fail(
            "Delete markers at the new row would hide what is moved there." + Leftovers.COMPACT);
        return;
      }
    }
  }

  /** Waits until a write gets a newer timestamp than what is moved here. */
  private void awaitClock(List<Copy> copies, long until) throws InterruptedException {
    boolean waited = false;
    for (Copy copy : copies) {
      while (EnvironmentEdgeManager.currentTime() <= copy.newestOfThePast()) {
        waited = true;
        if (System.nanoTime() - until >= 0 || region.isClosing()) {
          copy.fail(
              "The clock of this server is behind that of another one. newest="
                  + copy.newestOfThePast()
                  + " clock="
                  + EnvironmentEdgeManager.currentTime());
          break;
        }
        long behind = copy.newestOfThePast() + 1 - EnvironmentEdgeManager.currentTime();
        Thread.sleep(Math.max(1, Math.min(SLICE_MILLIS, behind)));
      }
    }
    if (waited) {
      metrics.waited();
    }
  }

  private void store(List<Copy> copies, long until) {
    Mutation[] edits = new Mutation[copies.size()];
    OperationStatus[] statuses;
    try {
      for (int i = 0; i < edits.length; i++) {
        edits[i] = editOf(copies.get(i));
      }
      long millis = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
      if (millis <= 0) {
        throw new IOException("The time is over.");
      }
      statuses =
          InternalRpcCall.run(millis, Collections.emptyList(), () -> region.batchMutate(edits));
    } catch (IOException e) {
      for (Copy copy : copies) {
        copy.fail("The moved cells cannot be written: " + PullClient.words(e));
      }
      return;
    }
    for (int i = 0; i < statuses.length; i++) {
      if (statuses[i].getOperationStatusCode() != OperationStatusCode.SUCCESS) {
        copies.get(i).fail("The moved cells cannot be written: " + statuses[i].getExceptionMsg());
      } else if (own.isLogged(edits[i])) {
        copies.get(i).written();
      } else {
        copies.get(i).fail("Another coprocessor keeps the moved cells from being written.");
      }
    }
  }

  /**
   * One edit that holds the whole row, synced whatever the table says. Where cells are of the
   * future it goes as a Delete, which may hold puts too: the table has taken them once, and may
   * have been told since to take no Put of that ({@code HRegion#checkTimestamps}).
   */
  private Mutation editOf(Copy copy) throws IOException {
    Put put = new Put(copy.newRow());
    boolean ofTheFuture = false;
    long now = EnvironmentEdgeManager.currentTime();
    for (Cell cell : copy.cells()) {
      put.add(cell);
      ofTheFuture |= cell.getTimestamp() > now;
    }
    Mutation edit =
        ofTheFuture ? new Delete(put.getRow(), put.getTimestamp(), put.getFamilyCellMap()) : put;
    edit.setDurability(LogSync.of(region));
    own.mark(edit);
    return edit;
  }
}
