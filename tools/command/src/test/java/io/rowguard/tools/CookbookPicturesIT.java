package io.rowguard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.tools.ManualPage.Kind;
import io.rowguard.tools.ManualPage.Part;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Makes the pictures of {@code docs/cookbook.md}: the HTML reports of its simulations, without what
 * is too long for a page, as headless Chromium shows them. {@code -Drowguard.pictures=write} writes
 * all of them anew; without it the first one is made and thrown away.
 */
@Tag("no-hbase")
class CookbookPicturesIT {
  private static final boolean WRITE = "write".equals(System.getProperty("rowguard.pictures"));
  private static final int WIDTH = 900;
  private static final int MOST_HEIGHT = 1200;

  // Two designs side by side, each with its first two charts, low ones.
  private static final String STYLE =
      "<style>body { margin: 0; max-width: none; padding: 4px 12px; line-height: 1.3 }h1, #keys,"
          + " footer, table, .chart ~ .chart ~ h3, .chart ~ .chart ~ .chart  { display: none"
          + " }.designs { grid-template-columns: repeat(auto-fit, minmax(380px, 1fr)); gap: 0"
          + " 1.5rem }section { display: grid; grid-template-rows: subgrid; grid-row: span 8 }h2 {"
          + " margin: 0 }h3 { font-size: .85rem; font-weight: 500; margin: .4rem 0 0 }.chart {"
          + " height: 240px !important; min-width: 0 }section:only-child .chart { height: 330px"
          + " !important }section .chart ~ .chart { height: 150px !important }</style>";

  @TempDir private Path directory;

  @Test
  void simulations_inABrowser_becomePictures() throws Exception {
    HeadlessChromium chromium = HeadlessChromium.orSkip(directory);
    Cookbook cookbook = Cookbook.read();
    Shell shell = new Shell(directory);
    List<Cookbook.Illustration> illustrations = cookbook.illustrations();
    int wanted = WRITE ? illustrations.size() : 1;
    int made = 0;
    for (Part part : cookbook.page().parts()) {
      if (made == wanted) {
        break;
      }
      if (part.kind() == Kind.CONSOLE) {
        Transcript.rerun(part.fixed(), shell); // Makes the files that later commands read.
      } else if (part.kind() == Kind.PICTURE) {
        Cookbook.Illustration illustration = illustrations.get(made++);
        Path file =
            WRITE ? ManualPage.DOCS.resolve(illustration.file()) : directory.resolve("picture.png");
        picture(illustration.command(), shell, chromium).write(file);
        assertIsDrawn(Picture.read(file), illustration.command());
      }
    }
    assertEquals(wanted, made);
  }

  private Picture picture(String command, Shell shell, HeadlessChromium chromium)
      throws IOException, InterruptedException {
    Path report = directory.resolve("report.html");
    Files.deleteIfExists(report); // The former report must not pass for this one.
    shell.run(Cookbook.withReport(command, "report.html"));
    String html = Files.readString(report).replace(directory + "/", "");
    int headEnd = html.indexOf("</head>");
    Files.writeString(report, html.substring(0, headEnd) + STYLE + html.substring(headEnd));
    Path screenshot = chromium.screenshot(report, WIDTH, MOST_HEIGHT);
    return new Picture(ImageIO.read(screenshot.toFile()), command);
  }

  private static void assertIsDrawn(Picture picture, String command) {
    BufferedImage image = picture.image();
    assertEquals(command, picture.command());
    assertEquals(WIDTH, image.getWidth());
    assertTrue(image.getHeight() < MOST_HEIGHT, "the page is higher than the screenshot");
    int[] pixels = image.getRGB(0, 0, WIDTH, image.getHeight(), null, 0, WIDTH);
    Set<Integer> colours = IntStream.of(pixels).boxed().collect(Collectors.toSet());
    // No writes, all writes, and the bars, as report.js paints them.
    assertTrue(colours.containsAll(Set.of(0xFF0B1030, 0xFFFCFDBF, 0xFF3B6EA5)), command);
  }
}
