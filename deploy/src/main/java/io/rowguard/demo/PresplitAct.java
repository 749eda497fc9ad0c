package io.rowguard.demo;

import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.workload.RegionContent;
import io.rowguard.workload.ScannedRows;
import io.rowguard.workload.ServerMessage;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** How a table is divided before it has rows: over all bytes, and over those that ids can have. */
final class PresplitAct implements Act {
  private static final TableName NAIVE = TableName.valueOf("ids-naive");
  private static final TableName EVEN = TableName.valueOf("ids-even");
  private static final int REGIONS = 16;
  private static final int BAR_COLUMNS = 38;
  private static final int NAME_BYTES = 2;
  private static final int SHOWN_OF_REFUSAL = 290;

  /**
   * With 135,233 rows in 16 regions the mean is 8,452 and a good hash's standard deviation 89, so
   * the fullest of 16 is some 2 % above the mean; 5 % would happen once in 60,000 times.
   */
  private static final double BALANCED = 1.05;

  @Override
  public String title() {
    return "How a table is pre-split";
  }

  @Override
  public String why() {
    return "Ids of 16 hex digits spread evenly, but only over 0-9 and a-f: no id begins with any of"
        + " the 39 bytes between `9` and `a`. HBase's createTable(table, start, end, "
        + REGIONS
        + ") divides all bytes alike (Bytes.split), so many regions, and the servers that have"
        + " them, would stay idle for good. The layout knows which bytes there are.";
  }

  @Override
  public void play(Stage stage) throws IOException, InterruptedException {
    Screen screen = stage.screen();
    LayoutBoundaries boundaries = LayoutBoundaries.of(RowkeyLayout.parse(HexIds.LAYOUT), null);
    List<byte[]> ids = HexIds.of(stage.keys());
    PresplitOutcome naive;
    PresplitOutcome even;
    try (Admin admin = stage.connection().getAdmin()) {
      createNaive(stage, admin);
      byte[][] splits = boundaries.evenly(REGIONS).toArray(new byte[0][]);
      admin.createTable(DemoTable.guarded(EVEN, HexIds.LAYOUT, null), splits);
      naive = fill(stage, admin, NAIVE, ids, boundaries);
      even = fill(stage, admin, EVEN, ids, boundaries);
    }
    show(screen, "The naive way", naive);
    show(screen, "By the layout " + HexIds.LAYOUT, even);
    claim(stage.claims(), naive, even, ids.size());
  }

  /** The master refuses it, and takes it with a reason. */
  private static void createNaive(Stage stage, Admin admin) throws IOException {
    TableDescriptor naive = DemoTable.guarded(NAIVE, HexIds.LAYOUT, null);
    String refusal = "";
    try {
      admin.createTable(naive, HexIds.FIRST, HexIds.LAST, REGIONS);
    } catch (DoNotRetryIOException e) {
      refusal = ServerMessage.of(e);
      Screen screen = stage.screen();
      screen.say("The master refuses the naive way, and names the keys, beginning with:");
      screen.quote(refusal.substring(0, Math.min(SHOWN_OF_REFUSAL, refusal.length())) + "...");
      screen.say("Given a reason in `rowguard.force`, it lets it through; so one can see:");
      TableDescriptor forced =
          TableDescriptorBuilder.newBuilder(naive)
              .setValue("rowguard.force", "to show what becomes of it")
              .build();
      admin.createTable(forced, HexIds.FIRST, HexIds.LAST, REGIONS);
    }
    boolean forceIsGone = admin.getDescriptor(NAIVE).getValue("rowguard.force") == null;
    stage
        .claims()
        .add(
            "the master refused the naive pre-split, and took it with a reason",
            refusal.contains("rule=presplit_unreachable") && forceIsGone,
            refusal.isEmpty() ? "it was not refused" : "refused: " + refusal);
  }

  private static PresplitOutcome fill(
      Stage stage, Admin admin, TableName table, List<byte[]> ids, LayoutBoundaries boundaries)
      throws IOException, InterruptedException {
    String what = "writing and reading back " + Screen.count(ids.size()) + " rows of `";
    try (DemoProgress progress = stage.screen().progress(what + table + "`")) {
      BatchWriter.write(stage.connection(), table, ids, HexIds::put, progress);
      ScannedRows stored = ScannedRows.scan(stage.connection(), table, progress::read);
      return new PresplitOutcome(stored.in(admin.getRegions(table)), boundaries);
    }
  }

  private static void show(Screen screen, String title, PresplitOutcome outcome) {
    screen.blank();
    screen.line(String.format("%-30s%8s", title, "rows"));
    for (RegionContent content : outcome.contents()) {
      byte[] start = content.region().getStartKey();
      String from =
          start.length == 0
              ? "from the start"
              : "from \""
                  + Bytes.toStringBinary(head(start))
                  + (start.length > NAME_BYTES ? "..." : "")
                  + '"';
      String bar =
          outcome.isReachable(content)
              ? screen.bar(content.rowCount(), outcome.most(), BAR_COLUMNS)
              : "no key can reach it";
      screen.line(String.format("  %-28s%8s  %s", from, Screen.count(content.rowCount()), bar));
    }
  }

  private static byte[] head(byte[] key) {
    return Arrays.copyOf(key, Math.min(key.length, NAME_BYTES));
  }

  private static void claim(
      Claims claims, PresplitOutcome naive, PresplitOutcome even, int idCount) {
    List<RegionContent> unreachable = naive.unreachable();
    long inUnreachable = PresplitOutcome.rows(unreachable);
    claims.add(
        "pre-split the naive way, "
            + unreachable.size()
            + " of "
            + naive.contents().size()
            + " regions can never get a row, and have none",
        !unreachable.isEmpty() && inUnreachable == 0 && naive.rowCount() == idCount,
        inUnreachable + " rows in them, " + naive.rowCount() + " in all");
    claims.add(
        String.format(
            Locale.ROOT,
            "pre-split by the layout, all regions get rows, the fullest %.2f times the mean (bound:"
                + " %.2f)",
            even.imbalance(),
            BALANCED),
        even.unreachable().isEmpty() && even.imbalance() < BALANCED && even.rowCount() == idCount,
        even.unreachable().size() + " unreachable, " + even.rowCount() + " rows in all");
  }
}
