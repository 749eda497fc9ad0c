package io.rowguard.client;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.testing.Eventually;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Changes the layout of a table step by step, as {@code rowguard relayout} does, while there is
 * traffic. For one thread.
 */
final class Operator {
  private final LiveTable table;
  private final LiveCluster cluster;
  private final RegionTrouble trouble;
  private final LiveTraffic traffic;
  private final Admin admin;
  private final LayoutSteps steps;

  Operator(LiveCluster cluster, LiveTraffic traffic, RegionTrouble trouble) throws IOException {
    this.cluster = cluster;
    this.table = traffic.table();
    this.traffic = traffic;
    this.trouble = trouble;
    this.admin = cluster.patient().getAdmin();
    this.steps = new LayoutSteps(cluster.patient(), table.name());
  }

  /**
   * Both layouts become known; rows stay where they are. Gives the new rows regions of their own.
   */
  void prepare(RowkeyLayout to) throws Exception {
    split(to);
    table.setOther(to);
    steps.prepare(to);
    traffic.happened("prepared", System.nanoTime());
  }

  /** From now on the new rows are home. */
  void move() throws Exception {
    table.exchange();
    steps.move();
    traffic.happened("moving", System.nanoTime());
  }

  /** Gives up while the old rows are home. */
  void giveUp() throws Exception {
    steps.giveUp();
    traffic.happened("given up", System.nanoTime());
  }

  /**
   * Has the rows go back: the two layouts exchange their roles. Without the delete markers that
   * moving has left, under which nothing could be copied.
   */
  void back() throws Exception {
    trouble.compactAll();
    table.exchange();
    steps.back();
    traffic.happened("back", System.nanoTime());
    trouble.compactAll();
  }

  /** Ends it, when each region has said that nothing of it is left. */
  void finish() throws Exception {
    Eventually.isTrue(
        "no old row is left",
        () -> {
          MoverThread mover = startMover();
          mover.join();
          return steps.isNothingLeft();
        });
    steps.finish();
    traffic.happened("finished", System.nanoTime());
  }

  /** Cuts regions where the rows of a layout spread evenly. */
  private void split(RowkeyLayout to) throws Exception {
    for (byte[] at : table.boundaries(to)) {
      trouble.inPeace(
          () -> {
            splitAt(at);
            return null;
          });
    }
  }

  private void splitAt(byte[] at) throws Exception {
    for (RegionInfo region : admin.getRegions(table.name())) {
      if (region.containsRow(at) && !Arrays.equals(region.getStartKey(), at)) {
        try {
          trouble.whenSettled(() -> admin.splitRegionAsync(region.getRegionName(), at), region);
        } catch (IOException | ExecutionException | TimeoutException e) {
          traffic.note("failed split of the operator: " + LiveClient.root(e));
        }
      }
    }
  }

  /** Starts to move what is left, on a thread of its own. */
  MoverThread startMover() throws IOException {
    MoverThread mover = new MoverThread(cluster, table, steps.config().relayout(), traffic);
    mover.start();
    return mover;
  }
}
