package io.rowguard.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Holds the reference page to {@link RowguardKey}, and prints what it should say. */
class ConfigurationDocTest {
  private static final String BEGIN = "<!-- from RowguardKey: begin -->\n";
  private static final String END = "<!-- from RowguardKey: end -->\n";

  @Test
  void configurationPage_always_holdsTheTableOfAllKeys() throws IOException {
    Path page =
        Path.of(System.getProperty("basedir", "."), "../..", "docs", "configuration.md")
            .normalize();
    String text = Files.readString(page);
    int begin = text.indexOf(BEGIN);
    int end = text.indexOf(END);
    assertTrue(begin >= 0 && end > begin, page + " lacks its markers:\n" + BEGIN + END);

    String expected = table();
    assertEquals(
        expected,
        text.substring(begin + BEGIN.length(), end),
        page + " and RowguardKey differ; put what is expected between the markers");
  }

  private static String table() {
    StringBuilder table =
        new StringBuilder("| key | values | default | meaning |\n|---|---|---|---|\n");
    for (RowguardKey key : RowguardKey.values()) {
      String value = key.defaultValue();
      table
          .append("| `" + key.key() + "` | ")
          .append(cell(key.type()) + " | ")
          .append((value == null ? "none" : "`" + cell(value) + "`") + " | ")
          .append(cell(key.help()) + " |\n");
    }
    return table.toString();
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }
}
