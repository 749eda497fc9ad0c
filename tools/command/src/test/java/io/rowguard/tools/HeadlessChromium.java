package io.rowguard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A browser without a window, for tests of what the HTML reports draw. Tests that need it are
 * skipped where {@code chromium} is not installed (Debian: {@code apt-get install chromium}).
 */
public final class HeadlessChromium {
  private final String program;
  private final Path directory;

  private HeadlessChromium(String program, Path directory) {
    this.program = program;
    this.directory = directory;
  }

  /**
   * The installed one; where there is none, the test that asks is skipped.
   *
   * @param directory for its profile and its logs
   */
  public static HeadlessChromium orSkip(Path directory) {
    Path program =
        Stream.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
            .map(Path::of)
            .filter(Files::isExecutable)
            .findFirst()
            .orElse(null);
    assumeTrue(program != null, "chromium is not installed");
    return new HeadlessChromium(program.toString(), directory);
  }

  /** The document that is there when the scripts of a page are done. They must not complain. */
  public String dom(Path html) throws IOException, InterruptedException {
    Path dom = directory.resolve("dom.html");
    open(html, dom, List.of("--dump-dom"));
    return Files.readString(dom);
  }

  /** A PNG of the upper left corner of a page, in pixels of the page. */
  public Path screenshot(Path html, int width, int height)
      throws IOException, InterruptedException {
    Path png = directory.resolve("screenshot.png");
    open(
        html,
        directory.resolve("out.log"),
        List.of(
            "--screenshot=" + png,
            "--window-size=" + width + "," + height,
            "--force-device-scale-factor=1",
            "--hide-scrollbars"));
    return png;
  }

  private void open(Path html, Path out, List<String> options)
      throws IOException, InterruptedException {
    Path log = directory.resolve("chromium.log");
    List<String> command =
        new ArrayList<>(
            List.of(
                program,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--enable-logging=stderr",
                "--user-data-dir=" + directory.resolve("profile"),
                "--virtual-time-budget=5000"));
    command.addAll(options);
    command.add(html.toUri().toString());
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
