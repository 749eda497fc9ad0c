package io.rowguard.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A patch of {@code planted/}: a header of the fault and of who should find it, then the difference
 * of one file.
 *
 * @param file that it changes, below the project's root
 * @param lines of the difference, each with the sign in front of it
 */
record PlantedFault(
    String fault, List<String> unit, List<String> it, Path file, List<String> lines) {
  private static final Pattern HUNK = Pattern.compile("@@ -\\d+,(\\d+) \\+\\d+,(\\d+) @@.*");

  /** Reads a patch, and fails the test where it has another form. */
  static PlantedFault read(Path patch) throws IOException {
    List<String> all = Files.readAllLines(patch);
    int diff = all.indexOf("");
    assertTrue(diff > 1, "a fault, a finder, and a blank line behind them");
    List<String> unit = new ArrayList<>();
    List<String> it = new ArrayList<>();
    for (String line : all.subList(1, diff)) {
      String[] header = line.split(": ", 2);
      assertTrue(header.length == 2 && List.of("Unit", "IT").contains(header[0]), line);
      (header[0].equals("IT") ? it : unit).addAll(List.of(header[1].split(",")));
    }
    String path = all.get(diff + 3).replaceFirst("^\\+\\+\\+ b/", "");
    assertEquals(
        List.of("diff --git a/" + path + " b/" + path, "--- a/" + path, "+++ b/" + path),
        all.subList(diff + 1, diff + 4));
    Matcher hunk = HUNK.matcher(all.get(diff + 4));
    assertTrue(hunk.matches(), all.get(diff + 4));
    PlantedFault planted =
        new PlantedFault(
            all.get(0), unit, it, Path.of(path), List.copyOf(all.subList(diff + 5, all.size())));
    assertEquals(Integer.parseInt(hunk.group(1)), planted.before().size());
    assertEquals(Integer.parseInt(hunk.group(2)), planted.side('+').size());
    return planted;
  }

  /** The lines without the fault. */
  List<String> before() {
    return side('-');
  }

  private List<String> side(char own) {
    return lines.stream()
        .filter(line -> line.charAt(0) == ' ' || line.charAt(0) == own)
        .map(line -> line.substring(1))
        .toList();
  }

  /** How many lines have a sign in front of them. */
  long count(char sign) {
    return lines.stream().filter(line -> line.charAt(0) == sign).count();
  }
}
