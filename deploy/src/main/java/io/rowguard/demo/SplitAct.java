package io.rowguard.demo;

import io.rowguard.workload.RegionContent;
import io.rowguard.workload.ScannedRows;
import io.rowguard.workload.SplitDriver;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/** The cut of a region: the same rows under two policies that are to keep countries whole. */
final class SplitAct implements Act {
  private static final TableName OURS = WriteAct.TABLE;
  private static final TableName HBASES = TableName.valueOf("places-hbase");

  /** Small enough for a good number of regions: the table has some 19 MB. */
  private static final long LIMIT = 500_000;

  @Override
  public String title() {
    return "Where a region is cut";
  }

  @Override
  public String why() {
    return "Rows of one country are to stay in one region. Every region over "
        + megabytes(LIMIT)
        + " is split until none is left that can be; the client says which region, the table's"
        + " split policy on the server says where. Beside it the same rows under HBase's own"
        + " policy for such keys, DelimitedKeyPrefixRegionSplitPolicy.";
  }

  @Override
  public void play(Stage stage) throws IOException, InterruptedException {
    Screen screen = stage.screen();
    Connection connection = stage.connection();
    ScannedRows rows;
    SplitOutcome ours;
    SplitOutcome hbases;
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(DemoTable.delimitedByHBase(HBASES));
      try (DemoProgress progress = screen.progress("copying the rows to `" + HBASES + "`")) {
        rows = ScannedRows.scan(connection, OURS, progress::read);
        BatchWriter.write(connection, HBASES, rows.rows(), Places::put, progress);
      }
      ours = split(stage, admin, OURS, rows);
      hbases = split(stage, admin, HBASES, rows);
    }
    show(screen, ours, hbases);
    claim(stage.claims(), ours, hbases);
    claimNoneLost(stage.claims(), rows, ours, hbases);
  }

  private static SplitOutcome split(Stage stage, Admin admin, TableName table, ScannedRows rows)
      throws IOException, InterruptedException {
    SplitDriver driver = new SplitDriver(admin, table, region -> rows.in(region).bytes(), LIMIT);
    try (DemoProgress progress = stage.screen().progress("splitting `" + table + "`")) {
      admin.flush(table);
      driver.run(
          new SplitDriver.Listener() {
            @Override
            public void round(int regions, int toSplit) {
              progress.at("regions: " + regions + ", to split: " + toSplit);
            }
          });
      // Read anew, for what was to be there after the splits is not what counts.
      ScannedRows now = ScannedRows.scan(stage.connection(), table, progress::read);
      return new SplitOutcome(now.in(admin.getRegions(table)), driver.refusals(), LIMIT);
    }
  }

  private static void show(Screen screen, SplitOutcome ours, SplitOutcome hbases) {
    screen.blank();
    row(screen, "", "Rowguard", "HBase's own");
    row(screen, "regions", count(ours.contents()), count(hbases.contents()));
    row(screen, "largest region", size(ours.largest()), size(hbases.largest()));
    row(screen, "  its countries", countries(ours.largest()), countries(hbases.largest()));
    row(screen, "countries cut in two", "" + ours.cutCountries(), "" + hbases.cutCountries());
    row(screen, "regions over " + megabytes(LIMIT), "", "");
    row(
        screen,
        "  of one country: left whole",
        count(ours.ofOneCountry()),
        count(hbases.ofOneCountry()));
    row(screen, "  stuck: of several countries", count(ours.stuck()), count(hbases.stuck()));
    row(screen, "rows in stuck regions", percent(ours), percent(hbases));
    screen.blank();
    hbases.stuck().stream()
        .max(Comparator.comparingInt(RegionContent::rowCount))
        .ifPresent(
            stuck -> {
              screen.say(
                  "HBase's own names the key that the region begins with; asked to split "
                      + countries(stuck)
                      + ", the master answers:");
              screen.quote(hbases.message(stuck));
              screen.say("Stuck are " + ranges(hbases.stuck()) + ".");
            });
    ours.ofOneCountry().stream()
        .max(Comparator.comparingInt(RegionContent::rowCount))
        .ifPresent(
            whole -> {
              screen.say(
                  "Rowguard names no key for "
                      + countries(whole)
                      + ", and HBase goes on compacting it; the master answers:");
              screen.quote(ours.message(whole));
            });
  }

  private static String ranges(List<RegionContent> contents) {
    return contents.stream()
        .map(Places::countries)
        .map(countries -> countries.first() + "-" + countries.last())
        .collect(Collectors.joining(", "));
  }

  private static void claim(Claims claims, SplitOutcome ours, SplitOutcome hbases) {
    claims.add(
        "Rowguard cut no country in two, and left no region stuck",
        ours.cutCountries() == 0 && ours.stuck().isEmpty(),
        ours.cutCountries() + " cut, " + ours.stuck().size() + " stuck");
    claims.add(
        String.format(
            Locale.ROOT,
            "HBase's own policy left %d regions stuck, with %.0f %% of the rows",
            hbases.stuck().size(),
            hbases.stuckPercent()),
        !hbases.stuck().isEmpty()
            && hbases.stuck().stream().allMatch(stuck -> isRefusedForItsStart(hbases, stuck)),
        hbases.stuck().size() + " stuck; the server's messages: " + hbases.refusals().values());
  }

  private static void claimNoneLost(
      Claims claims, ScannedRows before, SplitOutcome ours, SplitOutcome hbases) {
    long rows = before.rows().size();
    claims.add(
        "no row was lost over the splits",
        ours.rowCount() == rows && hbases.rowCount() == rows,
        ours.rowCount() + " and " + hbases.rowCount() + " of " + rows + " rows");
  }

  private static boolean isRefusedForItsStart(SplitOutcome outcome, RegionContent content) {
    return outcome.message(content).startsWith("Split row is equal to startkey");
  }

  private static void row(Screen screen, String what, String ours, String hbases) {
    screen.line(String.format("%-36s%21s%21s", what, ours, hbases));
  }

  private static String count(List<RegionContent> contents) {
    return Screen.count(contents.size());
  }

  private static String size(RegionContent content) {
    return Screen.count(content.rowCount()) + " rows, " + megabytes(content.bytes());
  }

  private static String countries(RegionContent content) {
    SortedSet<String> countries = Places.countries(content);
    return countries.size() == 1
        ? countries.first() + " alone"
        : countries.first() + " to " + countries.last() + " (" + countries.size() + ")";
  }

  private static String percent(SplitOutcome outcome) {
    return String.format(Locale.ROOT, "%.1f %%", outcome.stuckPercent());
  }

  private static String megabytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
  }
}
