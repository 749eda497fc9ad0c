package io.rowguard.tools.simulate;

import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cli.OutputFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A report as one HTML file that needs nothing else: the JSON report, the charting library (Apache
 * ECharts) and a script that draws the one with the other.
 */
public final class HtmlReport {
  private static final String TITLE = "rowguard simulate";
  private static final String TEMPLATE = "report.html";
  private static final String SCRIPT = "report.js";
  private static final String CHARTS = "echarts.min.js";
  private static final String HELPERS = "charts.js";
  private static final String LICENSE = "LICENSE";

  /** Begins the terms of what the charting library contains. */
  private static final String SUBCOMPONENTS = "   Subcomponents in the tools module";

  private HtmlReport() {}

  /**
   * Writes the file of a simulation.
   *
   * @param json the report that {@link JsonReport} made
   * @throws CommandFailure when it cannot be written
   */
  static void write(Path file, String json) {
    OutputFile.write(file, html(json));
  }

  /**
   * Writes the file of another report.
   *
   * @param title what made it, such as {@code rowguard heatmap}
   * @param script a resource that draws what stands in the element {@code data}
   * @param json safe inside of a script element
   * @throws CommandFailure when it cannot be written
   */
  public static void write(Path file, String title, String script, String json) {
    OutputFile.write(file, html(title, script, json));
  }

  static String html(String json) {
    return html(TITLE, SCRIPT, json);
  }

  private static String html(String title, String script, String json) {
    // Plain replacement: a dollar sign in the library is no reference to a group.
    return resource(TEMPLATE)
        .replace("@TITLE@", title)
        .replace("@LICENSES@", licenses())
        .replace("@CHARTS@", resource(CHARTS))
        .replace("@HELPERS@", resource(HELPERS))
        .replace("@SCRIPT@", resource(script))
        .replace("@DATA@", json);
  }

  /** A report that is passed on carries the library, whose authors want their terms with it. */
  private static String licenses() {
    String license = resource(LICENSE);
    return license.substring(license.indexOf(SUBCOMPONENTS));
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
