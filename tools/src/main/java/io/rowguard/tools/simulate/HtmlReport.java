package io.rowguard.tools.simulate;

import io.rowguard.tools.cli.CommandFailure;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What came of one or two designs, as one HTML file that needs nothing else: the JSON report, the
 * charting library (Apache ECharts) and a script that draws the one with the other.
 */
final class HtmlReport {
  private static final String TEMPLATE = "report.html";
  private static final String SCRIPT = "report.js";
  private static final String CHARTS = "echarts.min.js";

  private HtmlReport() {}

  /**
   * Writes the file.
   *
   * @param json the report that {@link JsonReport} made
   * @throws CommandFailure when it cannot be written
   */
  static void write(Path file, String json) {
    try {
      Files.writeString(file, html(json), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new CommandFailure("The file cannot be written. file=" + file + " why=" + e, e);
    }
  }

  static String html(String json) {
    // Plain replacement: a dollar sign in the library is no reference to a group.
    return resource(TEMPLATE)
        .replace("@CHARTS@", resource(CHARTS))
        .replace("@SCRIPT@", resource(SCRIPT))
        .replace("@DATA@", json);
  }

  private static String resource(String name) {
    try (InputStream stream = HtmlReport.class.getResourceAsStream(name)) {
      if (stream == null) {
        throw new IllegalStateException("A resource is missing from the jar. name=" + name);
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("A resource cannot be read. name=" + name, e);
    }
  }
}
