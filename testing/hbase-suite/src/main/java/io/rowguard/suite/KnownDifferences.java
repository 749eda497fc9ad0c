package io.rowguard.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The tests that fail and are known to, each with the reason. Immutable.
 *
 * <p>A line of the file has three columns, with tabs between: the kind of tables, or {@code both};
 * the test as {@code Class.method}, or {@code Class.*} for all of the class; and the reason. Lines
 * that begin with {@code #} are comments. Tests with parameters go by their method.
 */
final class KnownDifferences {
  /** One line. */
  record Difference(String kind, String test, String reason) {
    boolean isOf(TableKind tables, String className, String method) {
      boolean kindMatches = kind.equals("both") || kind.equals(tables.toString());
      return kindMatches
          && (test.equals(className + "." + method) || test.equals(className + ".*"));
    }
  }

  private final List<Difference> differences;

  private KnownDifferences(List<Difference> differences) {
    this.differences = List.copyOf(differences);
  }

  /**
   * Reads a file.
   *
   * @throws IllegalArgumentException when a line has not three columns, or another kind of tables
   */
  static KnownDifferences read(Path file) throws IOException {
    List<Difference> differences = new ArrayList<>();
    int number = 0;
    for (String line : Files.readAllLines(file)) {
      number++;
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      String[] columns = line.split("\t", -1);
      if (columns.length != 3 || columns[1].indexOf('.') < 0 || columns[2].isBlank()) {
        throw new IllegalArgumentException(
            "A line has a kind of tables, Class.method and a reason, with tabs between. file="
                + file
                + " line="
                + number);
      }
      if (!columns[0].equals("both")) {
        TableKind.of(columns[0]);
      }
      differences.add(new Difference(columns[0], columns[1], columns[2]));
    }
    return new KnownDifferences(differences);
  }

  /** The reason why a test fails; null where it is not known to. */
  String reason(TableKind tables, String className, String method) {
    for (Difference difference : differences) {
      if (difference.isOf(tables, className, method)) {
        return difference.reason();
      }
    }
    return null;
  }
}
