package io.rowguard.demo;

import io.rowguard.client.SaltedConnection;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.workload.RegionContent;
import io.rowguard.workload.ScannedRows;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.util.Bytes;

/** A writer that knows nothing of salts, and a reader that need not either. */
final class SaltAct implements Act {
  private static final TableName TABLE = TableName.valueOf("orders");
  private static final int ORDERS = 40_000;
  private static final int SHOWN = 3;
  private static final String CONNECTION = "hbase.client.connection.impl";

  /**
   * With 40,000 rows in 8 buckets the mean is 5,000 and a good hash's standard deviation 66: the
   * fullest of 8 is some 2 % above the mean; 6 % would happen once in 60,000 times.
   */
  private static final double BALANCED = 1.06;

  @Override
  public String title() {
    return "How bare keys get their salt";
  }

  @Override
  public String why() {
    return "A writer that nobody can change any more numbers its orders: 0000000000, 0000000001,"
        + " ... All of them would go to one region at a time. Table `orders` declares "
        + DemoOrders.LAYOUT
        + " and rowguard.mode=salt, so the servers complete each key. With "
        + CONNECTION
        + "="
        + SaltedConnection.class.getName()
        + " in its hbase-site.xml, the program that read the table as it is reads the keys without"
        + " their salt, in their order.";
  }

  @Override
  public void play(Stage stage) throws IOException, InterruptedException {
    Screen screen = stage.screen();
    List<byte[]> ids = DemoOrders.ids(ORDERS);
    BatchWriter.WriteOutcome outcome;
    List<RegionContent> regions;
    ScannedRows stored;
    try (Admin admin = stage.connection().getAdmin()) {
      admin.createTable(DemoTable.salted(TABLE, DemoOrders.LAYOUT), DemoOrders.bucketStarts());
      try (DemoProgress progress =
          screen.progress("writing " + Screen.count(ORDERS) + " orders by their number")) {
        outcome = BatchWriter.write(stage.connection(), TABLE, ids, DemoOrders::put, progress);
      }
      try (DemoProgress progress = screen.progress("reading the table as it is")) {
        stored = ScannedRows.scan(stage.connection(), TABLE, progress::read);
      }
      regions = stored.in(admin.getRegions(TABLE));
    }
    RegionBars.show(screen, regions);
    claimStored(stage.claims(), outcome, stored, regions, ids);
    Configuration conf = new Configuration(stage.connection().getConfiguration());
    conf.set(CONNECTION, SaltedConnection.class.getName());
    ScannedRows read;
    try (Connection salted = ConnectionFactory.createConnection(conf);
        DemoProgress progress = screen.progress("reading it with that property")) {
      read = ScannedRows.scan(salted, TABLE, progress::read);
    }
    showOrders(screen, stored, read);
    stage
        .claims()
        .add(
            "the same program, with one property more, reads the "
                + Screen.count(ORDERS)
                + " orders in their order",
            isSame(ids, read.rows()),
            Screen.count(read.rows().size()) + " rows read");
  }

  private static void showOrders(Screen screen, ScannedRows stored, ScannedRows read) {
    screen.blank();
    screen.line("The first rows as they are stored  " + head(stored));
    screen.line("The first rows with the property   " + head(read));
  }

  private static String head(ScannedRows rows) {
    StringBuilder text = new StringBuilder();
    for (byte[] row : rows.rows().subList(0, Math.min(SHOWN, rows.rows().size()))) {
      text.append(Bytes.toStringBinary(row)).append("  ");
    }
    return text.append("...").toString();
  }

  private static void claimStored(
      Claims claims,
      BatchWriter.WriteOutcome outcome,
      ScannedRows stored,
      List<RegionContent> regions,
      List<byte[]> ids) {
    RowkeyLayout layout = RowkeyLayout.parse(DemoOrders.LAYOUT);
    List<byte[]> expected =
        ids.stream().map(layout::complete).sorted(Bytes.BYTES_COMPARATOR).toList();
    claims.add(
        "the servers stored each of "
            + Screen.count(ids.size())
            + " bare keys once, under its salted row, and nothing else",
        isSame(expected, stored.rows()) && outcome.landed() == ids.size(),
        Screen.count(outcome.landed())
            + " acknowledged, "
            + Screen.count(stored.rows().size())
            + " stored");
    double imbalance = (double) RegionBars.most(regions) * regions.size() / ids.size();
    claims.add(
        String.format(
            Locale.ROOT,
            "sequential keys lie in all %d regions, the fullest %.2f times the mean (bound: %.2f)",
            regions.size(),
            imbalance,
            BALANCED),
        imbalance < BALANCED && regions.stream().allMatch(content -> content.rowCount() > 0),
        RegionBars.most(regions) + " rows in the fullest");
  }

  private static boolean isSame(List<byte[]> expected, List<byte[]> found) {
    return Arrays.deepEquals(expected.toArray(), found.toArray());
  }
}
