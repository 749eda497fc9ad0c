package io.rowguard.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The table of programs in {@code docs/client.md}, held to those that {@code testing/twins/run.sh}
 * runs on a plain table and on a salted one.
 */
class ClientPageTest {
  private static final String NOT_SERVED = "not to be had";

  private static List<String[]> programs() throws IOException {
    List<String[]> programs =
        Files.readAllLines(Page.ROOT.resolve("testing/twins/programs.tsv")).stream()
            .filter(line -> !line.startsWith("#"))
            .map(line -> line.split("\t", -1))
            .toList();
    assertTrue(programs.size() > 5);
    return programs;
  }

  @Test
  void programs_ofTheTwins_standInTheTable() throws IOException {
    List<String> rows =
        Files.readAllLines(Page.ROOT.resolve("docs/client.md")).stream()
            .dropWhile(line -> !line.startsWith("| your program"))
            .takeWhile(line -> line.startsWith("|"))
            .toList();
    for (String[] program : programs()) {
      List<String> found =
          rows.stream().filter(row -> row.split("\\|", -1)[1].contains(program[1])).toList();
      assertTrue(!found.isEmpty(), () -> "no row of docs/client.md has " + program[1]);
      assertEquals(
          !program[2].equals("-"),
          found.stream().anyMatch(row -> row.contains(NOT_SERVED)),
          () -> program[1] + " works on salted tables or it does not: " + found);
    }
  }
}
