package io.rowguard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Headless Chromium, where {@code chromium} is installed (Debian: {@code apt-get install
 * chromium}); elsewhere the test that asks is skipped.
 */
public final class Browser {
  private final Path chromium;
  private final Path directory;

  /**
   * @param directory for what the browser writes
   */
  public Browser(Path directory) {
    this.directory = directory;
    this.chromium =
        Stream.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
            .map(Path::of)
            .filter(Files::isExecutable)
            .findFirst()
            .orElse(null);
    assumeTrue(chromium != null, "chromium is not installed");
  }

  /** Opens a page, and answers its elements after its scripts have run without a complaint. */
  public String open(Path html) throws Exception {
    Path dom = directory.resolve("dom.html");
    run(html, dom, List.of("--dump-dom"));
    return Files.readString(dom);
  }

  /** Takes a picture of a page. */
  public void screenshot(Path html, Path png, int width, int height) throws Exception {
    run(
        html,
        directory.resolve("screenshot.log"),
        List.of("--screenshot=" + png, "--window-size=" + width + "," + height));
  }

  private void run(Path html, Path out, List<String> options) throws Exception {
    Path log = directory.resolve("chromium.log");
    List<String> command =
        Stream.concat(
                Stream.of(
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
                    "--virtual-time-budget=5000"),
                Stream.concat(options.stream(), Stream.of(html.toUri().toString())))
            .toList();
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(log.toFile())
            .start();
    assertEquals(0, process.waitFor());
    String console =
        Files.readString(log).lines().filter(line -> line.contains("CONSOLE")).toList().toString();
    assertEquals("[]", console, "what the page's scripts complained of");
  }
}
