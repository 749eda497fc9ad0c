package io.rowguard.soak;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;

/**
 * Splits of a table that were carried out, by the reason for them. HBase counts none of them beyond
 * the life of a server, so they are taken from the logs of masters and region servers.
 *
 * @param bySize of regions that servers, or the normalizer, found too large
 * @param byLoad of regions that Rowguard's load splitter asked for
 * @param byHand of regions that another client asked for
 */
record Splits(int bySize, int byLoad, int byHand) {
  /** A master carried one out. */
  private static final Pattern DONE =
      Pattern.compile("Finished pid=.* SplitTableRegionProcedure table=(\\S+), parent=(\\w+),.*");

  /** Rowguard is about to ask a master for one. */
  private static final Pattern BY_LOAD =
      Pattern.compile("A region is split by its load\\. table=(\\S+) region=(\\w+) ");

  /**
   * Those of a table.
   *
   * @param logs the directory with all logs of a cluster
   * @param requested the encoded names of regions whose splits other clients asked for
   */
  static Splits of(Path logs, TableName table, Set<String> requested) throws IOException {
    Set<String> done = new HashSet<>();
    Set<String> byLoad = new HashSet<>();
    for (Path file : files(logs)) {
      // Each byte is a character here, also where a line was cut off by a kill.
      try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
        lines.forEach(
            line -> {
              add(done, DONE, line, table);
              add(byLoad, BY_LOAD, line, table);
            });
      }
    }
    Set<String> byHand = new HashSet<>(requested);
    byHand.retainAll(done);
    byLoad.retainAll(done);
    byLoad.removeAll(byHand);
    return new Splits(done.size() - byLoad.size() - byHand.size(), byLoad.size(), byHand.size());
  }

  private static List<Path> files(Path logs) throws IOException {
    try (Stream<Path> files = Files.walk(logs)) {
      return files.filter(file -> file.getFileName().toString().startsWith("hbase.log")).toList();
    }
  }

  /** Adds the encoded name of the region that a line names, if it is one of the table. */
  private static void add(Set<String> regions, Pattern pattern, String line, TableName table) {
    Matcher matcher = pattern.matcher(line);
    if (matcher.find() && matcher.group(1).equals(table.getNameAsString())) {
      regions.add(matcher.group(2));
    }
  }

  @Override
  public String toString() {
    return "by size=" + bySize + " by load=" + byLoad + " by hand=" + byHand;
  }
}
