package io.rowguard.tools.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rowguard.tools.Rowguard;
import io.rowguard.tools.cli.Terminal;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The HTML report in headless Chromium: its script runs to the end and draws all charts. Runs where
 * {@code chromium} is installed (Debian: {@code apt-get install chromium}).
 */
class ReportInBrowserIT {
  private static final int CHARTS_PER_DESIGN = 3;

  @TempDir private Path directory;

  private static Path chromium() {
    return Stream.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst()
        .orElse(null);
  }

  private String opened(Path chromium, Path html) throws Exception {
    Path dom = directory.resolve("dom.html");
    Path log = directory.resolve("chromium.log");
    List<String> command =
        List.of(
            chromium.toString(),
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--enable-logging=stderr",
            "--user-data-dir=" + directory.resolve("profile"),
            "--virtual-time-budget=5000",
            "--dump-dom",
            html.toUri().toString());
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(dom.toFile())
            .redirectError(log.toFile())
            .start();
    assertEquals(0, process.waitFor());
    String console =
        Files.readString(log).lines().filter(line -> line.contains("CONSOLE")).toList().toString();
    assertEquals("[]", console, "what the page's scripts complained of");
    return Files.readString(dom);
  }

  @Test
  void html_twoDesigns_drawsAllCharts() throws Exception {
    Path chromium = chromium();
    assumeTrue(chromium != null, "chromium is not installed");
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
    String dom = opened(chromium, html);
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
