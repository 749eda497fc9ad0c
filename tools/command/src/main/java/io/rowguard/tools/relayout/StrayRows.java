package io.rowguard.tools.relayout;

import io.rowguard.layout.LayoutChange;
import io.rowguard.layout.LayoutChange.Place;
import io.rowguard.layout.RowText;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cluster.RegionKeys;
import io.rowguard.tools.cluster.TableRegions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Looks through all of a table's keys for rows that fit only the layout that rows are to go to:
 * such a row would be taken for one that has moved, and hide the good one.
 */
final class StrayRows {
  private final Connection connection;
  private final LayoutChange change;
  private final boolean isSalted;
  private final AtomicLong count = new AtomicLong();
  private volatile byte[] example;

  private StrayRows(Connection connection, LayoutChange change, boolean isSalted) {
    this.connection = connection;
    this.change = change;
    this.isSalted = isSalted;
  }

  /**
   * Reads all keys.
   *
   * @param isSalted whether the table is in salt mode
   * @param threads how many regions are read at a time
   */
  static StrayRows search(
      Connection connection,
      TableName table,
      LayoutChange change,
      boolean isSalted,
      int threads,
      StepListener listener)
      throws IOException {
    StrayRows strays = new StrayRows(connection, change, isSalted);
    List<HRegionLocation> regions = TableRegions.of(connection, table);
    ExecutorService readers = Executors.newFixedThreadPool(threads);
    int done = 0;
    try {
      List<Future<Boolean>> all = new ArrayList<>();
      for (HRegionLocation region : regions) {
        all.add(readers.submit(() -> strays.read(region)));
      }
      for (Future<Boolean> each : all) {
        each.get();
        done++;
        listener.counting("regions read", done, regions.size());
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("Interrupted.", e);
    } finally {
      readers.shutdownNow();
    }
    return strays;
  }

  private boolean read(HRegionLocation region) throws IOException {
    return new RegionKeys(connection, region.getRegion(), isSalted)
        .read(
            row -> {
              if (change.place(row) == Place.NEW) {
                count.incrementAndGet();
                example = row;
              }
              return false;
            });
  }

  /**
   * The words about them.
   *
   * @param counted how many the regions have counted; some may be gone by now
   */
  RelayoutObstacle obstacle(long counted) {
    byte[] found = example;
    return found == null
        ? of(counted, "one that is gone by now")
        : of(count.get(), RowText.abbreviated(found));
  }

  /** The words about such rows. */
  static RelayoutObstacle of(long rows, String example) {
    return new RelayoutObstacle(
        "stray_rows",
        "Rows fit only the layout that rows are to go to: "
            + rows
            + ", such as \""
            + example
            + "\". They would hide the good ones.",
        "Read them, write what is good of them under its right key, and delete them (HBase shell:"
            + " deleteall).");
  }
}
