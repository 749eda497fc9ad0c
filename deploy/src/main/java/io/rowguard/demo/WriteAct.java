package io.rowguard.demo;

import io.rowguard.workload.ScannedRows;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;

/** The act of writing: real keys of which a few are bad. */
final class WriteAct implements Act {
  static final TableName TABLE = TableName.valueOf("places");

  @Override
  public String title() {
    return "What may be written";
  }

  @Override
  public String why() {
    return "Table `places` declares its rowkeys: "
        + Places.LAYOUT
        + ". Real data rarely keeps to what was agreed: a few of these keys have an empty admin"
        + " part. One bad row in a batch must not cost the good ones around it.";
  }

  @Override
  public void play(Stage stage) throws IOException, InterruptedException {
    Screen screen = stage.screen();
    List<byte[]> keys = stage.keys();
    try (Admin admin = stage.connection().getAdmin()) {
      admin.createTable(DemoTable.guarded(TABLE, Places.LAYOUT, Places.GROUP));
    }
    BatchWriter.WriteOutcome outcome;
    try (DemoProgress progress =
        screen.progress("writing " + Screen.count(keys.size()) + " rows")) {
      outcome = BatchWriter.write(stage.connection(), TABLE, keys, Places::put, progress);
    }
    SortedMap<byte[], String> refusals = outcome.refusals();
    screen.line("landed  " + number(outcome.landed()));
    screen.line(
        "refused "
            + number(refusals.size())
            + ", in "
            + outcome.mixedBatches()
            + " batches whose other rows landed");
    if (!refusals.isEmpty()) {
      screen.blank();
      screen.say("One refusal, as the client gets it:");
      screen.quote(refusals.get(refusals.firstKey()));
      screen.blank();
    }
    ScannedRows stored;
    try (DemoProgress progress = screen.progress("reading them back")) {
      stored = ScannedRows.scan(stage.connection(), TABLE, progress::read);
    }
    screen.line("stored  " + number(stored.rows().size()));
    claim(stage, outcome, stored);
  }

  private static void claim(Stage stage, BatchWriter.WriteOutcome outcome, ScannedRows stored) {
    List<byte[]> bad = stage.keys().stream().filter(Places::hasNoAdmin).toList();
    List<byte[]> good = stage.keys().stream().filter(key -> !Places.hasNoAdmin(key)).toList();
    List<byte[]> refused = List.copyOf(outcome.refusals().keySet());
    stage
        .claims()
        .add(
            "the " + bad.size() + " keys without an admin part were refused, and no other key was",
            isSame(bad, refused),
            refused.size() + " refusals");
    stage
        .claims()
        .add(
            "the other " + Screen.count(good.size()) + " rows are stored, and no other row is",
            isSame(good, stored.rows()) && outcome.landed() == good.size(),
            Screen.count(stored.rows().size()) + " rows stored");
  }

  private static String number(int count) {
    return String.format("%9s", Screen.count(count));
  }

  private static boolean isSame(List<byte[]> expected, List<byte[]> found) {
    return Arrays.deepEquals(expected.toArray(), found.toArray());
  }
}
