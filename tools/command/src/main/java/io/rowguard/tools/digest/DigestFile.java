package io.rowguard.tools.digest;

import io.rowguard.layout.FailureText;
import io.rowguard.layout.RowText;
import io.rowguard.mapreduce.digest.CellsDigest;
import io.rowguard.mapreduce.digest.RangeDigests;
import io.rowguard.mapreduce.digest.RangeDigests.Range;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cli.OutputFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * A table's digest as it is kept: lines of text, some that say of what it is, then one for each
 * range with its first bare key, rows, cells and digest.
 *
 * @param table the table's name
 * @param scope the cells that it is of
 * @param digests the ranges
 */
record DigestFile(String table, DigestScope scope, RangeDigests digests) {
  private static final String FIRST_LINE = "rowguard digest 1";
  private static final int HEAD = 7;

  /** Writes it to a file. */
  void write(Path file) {
    StringBuilder text = new StringBuilder();
    line(text, FIRST_LINE);
    line(text, "table " + table);
    line(text, "from " + scope.from());
    line(text, "to " + scope.to());
    line(text, "versions " + (scope.isOfVersions() ? "all" : "newest"));
    line(text, "timestamps " + (scope.isOfTimestamps() ? "yes" : "no"));
    line(text, "level " + digests.level());
    for (Range range : digests.ranges()) {
      CellsDigest digest = range.digest();
      line(
          text,
          String.format(
              Locale.ROOT,
              "%s\t%d\t%d\t%s",
              RowText.toStringBinary(range.start()),
              digest.rows(),
              digest.cells(),
              digest.hex()));
    }
    OutputFile.write(file, text.toString());
  }

  private static void line(StringBuilder text, String line) {
    text.append(line).append('\n');
  }

  /**
   * Reads a file.
   *
   * @throws CommandFailure when it cannot be read, or is none
   */
  static DigestFile read(Path file) {
    try {
      return of(Files.readAllLines(file));
    } catch (IOException e) {
      throw new CommandFailure(
          "The file cannot be read. file=" + file + " why=" + FailureText.of(e), e);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(
          "This is no file of rowguard digest --output. file=" + file + " why=" + e.getMessage(),
          e);
    }
  }

  private static DigestFile of(List<String> lines) {
    if (lines.size() < HEAD || !lines.get(0).equals(FIRST_LINE)) {
      throw new IllegalArgumentException("The first line is not \"" + FIRST_LINE + "\".");
    }
    DigestScope scope =
        new DigestScope(
            value(lines.get(2), "from"),
            value(lines.get(3), "to"),
            oneOf(value(lines.get(4), "versions"), "all", "newest"),
            oneOf(value(lines.get(5), "timestamps"), "yes", "no"));
    int level = Integer.parseInt(value(lines.get(HEAD - 1), "level"));
    List<String> ranges = lines.subList(HEAD, lines.size());
    RangeDigests digests = new RangeDigests(Math.max(1, ranges.size()));
    digests.raiseTo(level);
    for (String range : ranges) {
      String[] parts = range.split("\t", -1);
      if (parts.length != 4) {
        throw new IllegalArgumentException("A range has four parts. found=\"" + range + "\"");
      }
      digests.add(
          RowText.toBytesBinary(parts[0]),
          level,
          CellsDigest.of(Long.parseLong(parts[1]), Long.parseLong(parts[2]), parts[3]));
    }
    return new DigestFile(value(lines.get(1), "table"), scope, digests);
  }

  private static String value(String line, String name) {
    if (!line.startsWith(name + " ")) {
      throw new IllegalArgumentException(
          "A line does not begin with " + name + ". found=\"" + line + "\"");
    }
    return line.substring(name.length() + 1);
  }

  private static boolean oneOf(String value, String yes, String no) {
    if (!value.equals(yes) && !value.equals(no)) {
      throw new IllegalArgumentException(
          "It is " + yes + " or " + no + ". found=\"" + value + "\"");
    }
    return value.equals(yes);
  }
}
