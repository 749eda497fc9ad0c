package io.rowguard.tools.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.tools.HeadlessChromium;
import io.rowguard.tools.Rowguard;
import io.rowguard.tools.cli.Terminal;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The HTML report in headless Chromium: its script runs to the end and draws all charts. */
class ReportInBrowserIT {
  private static final int CHARTS_PER_DESIGN = 3;

  @TempDir private Path directory;

  @Test
  void html_twoDesigns_drawsAllCharts() throws Exception {
    HeadlessChromium chromium = HeadlessChromium.orSkip(directory);
    Path html = directory.resolve("report.html");
    Terminal terminal =
        new Terminal(
            InputStream.nullInputStream(),
            new PrintWriter(Writer.nullWriter()),
            new PrintWriter(Writer.nullWriter()),
            "plain");
    int exitCode =
        Rowguard.run(
            terminal,
            "simulate",
            "{id:uint64}",
            "--compare",
            "{hash:hex(8)=md5(id)}{id:uint64}",
            "--count",
            "20000",
            "--html",
            html.toString());
    assertEquals(0, exitCode);
    String dom = chromium.dom(html);
    // What the scripts made is behind the elements that they were given.
    String made = dom.substring(dom.indexOf("id=\"designs\""), dom.indexOf("<footer>"));
    assertEquals(2 * CHARTS_PER_DESIGN, made.split("<canvas", -1).length - 1);
    assertTrue(made.contains("Design A") && made.contains("Design B"), made);
    assertTrue(made.contains("<p class=\"bad\">Hotspot</p>"), made);
    assertTrue(made.contains("<p class=\"good\">No hotspot</p>"), made);
    assertTrue(made.contains("<td>hottest region at a time</td><td>100.0 %</td>"), made);
    assertFalse(made.contains("undefined") || made.contains("NaN"), made);
  }
}
