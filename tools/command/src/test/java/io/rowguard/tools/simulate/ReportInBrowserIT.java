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
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The HTML report in headless Chromium: its script runs to the end and draws all charts. */
@Tag("no-hbase")
class ReportInBrowserIT {
  private static final int CHARTS_PER_DESIGN = 3;
  private static final int CHARTS_PER_DESIGN_OF_THE_FULL_MODEL = 5;

  @TempDir private Path directory;

  /** The scripts' output for a report; it follows the elements that they were given. */
  private String made(String... simulation) throws Exception {
    HeadlessChromium chromium = HeadlessChromium.orSkip(directory);
    Path html = directory.resolve("report.html");
    Terminal terminal =
        new Terminal(
            InputStream.nullInputStream(),
            new PrintWriter(Writer.nullWriter()),
            new PrintWriter(Writer.nullWriter()),
            "plain");
    String[] args =
        Stream.concat(Stream.of(simulation), Stream.of("--html", html.toString()))
            .toArray(String[]::new);
    assertEquals(0, Rowguard.run(terminal, args));
    String dom = chromium.dom(html);
    String made = dom.substring(dom.indexOf("id=\"designs\""), dom.indexOf("<footer>"));
    assertFalse(made.contains("undefined") || made.contains("NaN"), made);
    return made;
  }

  private static int charts(String made) {
    return made.split("<canvas", -1).length - 1;
  }

  @Test
  void html_twoDesigns_drawsAllCharts() throws Exception {
    String made =
        made(
            "simulate",
            "{id:uint64}",
            "--compare",
            "{hash:hex(8)=md5(id)}{id:uint64}",
            "--count",
            "20000");
    assertEquals(2 * CHARTS_PER_DESIGN, charts(made));
    assertTrue(made.contains("Design A") && made.contains("Design B"), made);
    assertTrue(made.contains("<p class=\"bad\">Hotspot</p>"), made);
    assertTrue(made.contains("<p class=\"good\">No hotspot</p>"), made);
    assertTrue(made.contains("<td>hottest region at a time</td><td>100.0 %</td>"), made);
  }

  @Test
  void html_fullModelOfTwoDesigns_drawsAllCharts() throws Exception {
    String made =
        made(
            "simulate",
            "{id:uint64}",
            "--compare",
            "{hash:hex(8)=md5(id)}{id:uint64}",
            "--count",
            "50000",
            "--model",
            "full",
            "--max-file-size",
            "1m",
            "--flush-size",
            "200k");
    assertEquals(2 * CHARTS_PER_DESIGN_OF_THE_FULL_MODEL, charts(made));
    assertTrue(made.contains("Regions over time"), made);
    assertTrue(made.contains("1 region at first, "), made);
    assertTrue(made.contains("full: split when stepping"), made);
    assertTrue(made.contains("<td>hottest server at a time</td>"), made);
  }
}
