package io.rowguard.client;

import io.rowguard.config.TableConfig;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.relayout.Answer;
import io.rowguard.relayout.Question;
import io.rowguard.testing.Eventually;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * Changes the layout of a table step by step, as {@code rowguard relayout} does: each is an alter,
 * after which all regions are asked whether they have it. For one thread.
 */
final class Operator {
  private static final String LAYOUT = "rowguard.layout";
  private static final String PREVIOUS = "rowguard.layout.previous";
  private static final String PHASE = "rowguard.layout.phase";
  private static final String GENERATION = "rowguard.layout.generation";
  private static final String VERSION = "rowguard.layout.version";

  private final LiveTable table;
  private final LiveCluster cluster;
  private final RegionTrouble trouble;
  private final LiveTraffic traffic;
  private final Admin admin;

  Operator(LiveCluster cluster, LiveTraffic traffic, RegionTrouble trouble) throws IOException {
    this.cluster = cluster;
    this.table = traffic.table();
    this.traffic = traffic;
    this.trouble = trouble;
    this.admin = cluster.patient().getAdmin();
  }

  private TableDescriptor descriptor() throws IOException {
    return admin.getDescriptor(table.name());
  }

  private TableConfig config() throws IOException {
    TableConfig config = TableConfig.of(descriptor(), cluster.hbase().getConfiguration());
    if (config.isWrong()) {
      throw new AssertionError(config.problemMessage("" + table.name(), "relayout"));
    }
    return config;
  }

  /**
   * Both layouts become known; rows stay where they are. Gives the new rows regions of their own.
   */
  void prepare(RowkeyLayout to) throws Exception {
    split(to);
    TableConfig config = config();
    long version = config.layoutVersion() + 1;
    table.setLayouts(config.layout(), to);
    alter(
        TableDescriptorBuilder.newBuilder(descriptor())
            .setValue(LAYOUT, to.toString())
            .setValue(PREVIOUS, config.layout().toString())
            .setValue(PHASE, "prepared")
            .setValue(GENERATION, "" + version),
        version);
  }

  /** From now on the new rows are home. */
  void move() throws Exception {
    TableConfig config = config();
    table.setLayouts(config.relayout().change().to(), config.relayout().change().from());
    alter(
        TableDescriptorBuilder.newBuilder(descriptor()).setValue(PHASE, "moving"),
        config.layoutVersion() + 1);
  }

  /** Gives up while the old rows are home. */
  void giveUp() throws Exception {
    TableConfig config = config();
    RowkeyLayout old = config.relayout().change().from();
    table.setLayouts(old, config.relayout().change().to());
    alter(withoutRelayout().setValue(LAYOUT, old.toString()), config.layoutVersion() + 1);
  }

  /**
   * Has the rows go back: the two layouts exchange their roles. Without the delete markers that
   * moving has left, under which nothing could be copied.
   */
  void back() throws Exception {
    trouble.compactAll();
    TableConfig config = config();
    RowkeyLayout to = config.relayout().change().from();
    RowkeyLayout from = config.relayout().change().to();
    table.setLayouts(to, from);
    long version = config.layoutVersion() + 2;
    alter(
        TableDescriptorBuilder.newBuilder(descriptor())
            .setValue(LAYOUT, to.toString())
            .setValue(PREVIOUS, from.toString())
            .setValue(GENERATION, "" + version),
        version);
    trouble.compactAll();
  }

  /** Ends it, when each region has said that nothing of it is left. */
  void finish() throws Exception {
    TableConfig config = config();
    Question count = Question.count(config.relayout().generation());
    Eventually.isTrue(
        "no old row is left",
        () -> {
          Mover mover = startMover();
          mover.join();
          return isTrueOfRegions(
              count,
              answer ->
                  answer.generation() == count.generation()
                      && answer.isMoving()
                      && answer.oldRows() == 0
                      && answer.items().isEmpty());
        });
    alter(withoutRelayout(), config.layoutVersion() + 1);
  }

  private TableDescriptorBuilder withoutRelayout() throws IOException {
    return TableDescriptorBuilder.newBuilder(descriptor())
        .removeValue(PREVIOUS)
        .removeValue(PHASE)
        .removeValue(GENERATION);
  }

  private void alter(TableDescriptorBuilder changed, long version) throws Exception {
    long start = System.nanoTime();
    admin
        .modifyTableAsync(changed.setValue(VERSION, "" + version).build())
        .get(3, TimeUnit.MINUTES);
    Eventually.isTrue(
        "version " + version + " in all regions",
        () -> isTrueOfRegions(Question.state(), answer -> answer.version() == version));
    traffic.note("alter " + version + " seconds=" + (System.nanoTime() - start) / 1_000_000_000);
  }

  private interface Said {
    boolean by(Answer answer);
  }

  /** Whether something is true of all regions that the table has. */
  private boolean isTrueOfRegions(Question question, Said said) throws IOException {
    try (Table raw = cluster.patient().getTable(table.name())) {
      for (RegionInfo region : admin.getRegions(table.name())) {
        byte[] start = region.getStartKey();
        byte[] row = start.length == 0 ? new byte[1] : start;
        if (!said.by(Answer.of(raw.get(question.toGet(row))))) {
          return false;
        }
      }
    }
    return true;
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
          admin.splitRegionAsync(region.getRegionName(), at).get(60, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
          traffic.note("failed split of the operator: " + LiveClient.root(e));
        }
      }
    }
  }

  /** Starts to move what is left, on a thread of its own. */
  Mover startMover() throws IOException {
    Mover mover = new Mover(cluster, table, config().relayout(), traffic);
    mover.start();
    return mover;
  }
}
