package io.rowguard.demo;

import io.rowguard.client.SaltedTable;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.workload.RegionContent;
import io.rowguard.workload.ScannedRows;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** A table gets more buckets while it is written and read. */
final class RelayoutAct implements Act {
  private static final TableName TABLE = TableName.valueOf("places-salted");
  private static final RowkeyLayout BEFORE = SaltedPlaces.layout(SaltedPlaces.BUCKETS_BEFORE);
  private static final RowkeyLayout AFTER = SaltedPlaces.layout(SaltedPlaces.BUCKETS_AFTER);

  @Override
  public String title() {
    return "How a live table gets more buckets";
  }

  @Override
  public String why() {
    return "The number of buckets is chosen when a table is born, and changed by copying it, with"
        + " its clients standing still. Table `"
        + TABLE
        + "` has the same places in "
        + SaltedPlaces.BUCKETS_BEFORE
        + " buckets, and gets "
        + SaltedPlaces.BUCKETS_AFTER
        + " in its place, while a writer and a reader never stop.";
  }

  @Override
  public void play(Stage stage) throws IOException, InterruptedException {
    Screen screen = stage.screen();
    List<byte[]> keys = SaltedPlaces.keys(stage.keys());
    fill(stage, keys);
    ReadPlaces before = read(stage, "reading all cells");
    PlacesTraffic traffic = PlacesTraffic.start(stage.connection(), TABLE, keys);
    try {
      change(new RowguardCommand(screen));
    } finally {
      traffic.stop();
    }
    screen.blank();
    screen.line(
        "written meanwhile "
            + Screen.count(traffic.writes())
            + ", read "
            + Screen.count(traffic.reads())
            + ", the longest write took "
            + Screen.count(traffic.longestWriteMillis())
            + " ms");
    ReadPlaces after = read(stage, "reading all cells again");
    List<RegionContent> regions;
    ScannedRows stored;
    try (DemoProgress progress = screen.progress("reading the table as it is");
        Admin admin = stage.connection().getAdmin()) {
      stored = ScannedRows.scan(stage.connection(), TABLE, progress::read);
      regions = stored.in(admin.getRegions(TABLE));
    }
    RegionBars.show(screen, regions);
    claimTraffic(stage.claims(), traffic);
    claimRows(stage.claims(), keys, stored.rows());
    claimCells(stage.claims(), traffic, before, after);
  }

  private static void fill(Stage stage, List<byte[]> keys)
      throws IOException, InterruptedException {
    try (Admin admin = stage.connection().getAdmin();
        DemoProgress progress =
            stage
                .screen()
                .progress("writing " + Screen.count(keys.size()) + " rows by bare keys")) {
      admin.createTable(
          DemoTable.salted(TABLE, BEFORE.toString()),
          SaltedPlaces.bucketStarts(SaltedPlaces.BUCKETS_BEFORE));
      BatchWriter.write(stage.connection(), TABLE, keys, Places::put, progress);
    }
  }

  /** Through SaltedTable, whatever the layout is at that time. */
  private static ReadPlaces read(Stage stage, String what) throws IOException {
    try (Table places = SaltedTable.open(stage.connection(), TABLE);
        DemoProgress progress = stage.screen().progress(what)) {
      return ReadPlaces.of(places, progress);
    }
  }

  /** The commands that an operator types. */
  private static void change(RowguardCommand rowguard) throws IOException, InterruptedException {
    String table = TABLE.getNameAsString();
    String to = AFTER.toString();
    String regions = String.valueOf(SaltedPlaces.BUCKETS_AFTER);
    rowguard.run("relayout", "plan", table, "--regions", regions, "--to", to);
    rowguard.run("relayout", "start", table, "--yes", "--regions", regions, "--to", to);
    // Clients, servers and movers share one machine, which would slow the run to a crawl.
    rowguard.run("relayout", "run", table, "--slowdown", "none");
    rowguard.run("relayout", "finish", table, "--yes");
  }

  private static void claimTraffic(Claims claims, PlacesTraffic traffic) {
    claims.add(
        "while the table went from "
            + SaltedPlaces.BUCKETS_BEFORE
            + " to "
            + SaltedPlaces.BUCKETS_AFTER
            + " buckets none of "
            + Screen.count(traffic.writes())
            + " writes was refused, and each of "
            + Screen.count(traffic.reads())
            + " reads was right",
        traffic.refusal() == null
            && traffic.mistake() == null
            && traffic.writes() > 0
            && traffic.reads() > 0,
        "refused: " + traffic.refusal() + "; read wrong: " + traffic.mistake());
  }

  private static void claimRows(Claims claims, List<byte[]> keys, List<byte[]> stored) {
    List<byte[]> expected =
        keys.stream().map(AFTER::complete).sorted(Bytes.BYTES_COMPARATOR).toList();
    long moved =
        keys.stream()
            .filter(key -> !Arrays.equals(BEFORE.complete(key), AFTER.complete(key)))
            .count();
    claims.add(
        "all "
            + Screen.count(keys.size())
            + " rows lie under their new salt, "
            + Screen.count(moved)
            + " of them under another one than before, and no other row is stored",
        Arrays.deepEquals(expected.toArray(), stored.toArray()),
        Screen.count(stored.size()) + " rows stored");
  }

  private static void claimCells(
      Claims claims, PlacesTraffic traffic, ReadPlaces before, ReadPlaces after) {
    boolean isSame =
        before.digest().equals(after.digest())
            && Arrays.deepEquals(before.keys().toArray(), after.keys().toArray());
    claims.add(
        "the digest of all cells is what it was, and what was written meanwhile is the last write"
            + " of each row",
        isSame && traffic.isLastWritten(after),
        "digest before "
            + before.digest()
            + ", after "
            + after.digest()
            + "; last writes "
            + (traffic.isLastWritten(after) ? "right" : "wrong"));
  }
}
