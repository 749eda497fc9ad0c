package io.rowguard.tools.heatmap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.tools.HeadlessChromium;
import io.rowguard.tools.explain.BoundaryText;
import io.rowguard.tools.hot.HotKeyRate;
import io.rowguard.tools.hot.HotRegion;
import io.rowguard.tools.hot.HotTable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The heatmap's HTML in headless Chromium: its script runs to the end and draws all charts. */
@Tag("no-hbase")
class HeatmapInBrowserIT {
  /** Where to put a picture for the manual; it shows no trap for scripts. */
  private static final String PICTURE = System.getProperty("rowguard.heatmap.picture");

  private static final String LITERAL = PICTURE == null ? "</script><b>" : "|";
  private static final RowkeyLayout LAYOUT =
      RowkeyLayout.parse(
          "{salt:digits(2)=murmur3(user)%16}-{user:word}" + LITERAL + "{n:digits(4)}");

  @TempDir private Path directory;

  private static Heatmap heatmap() {
    SampleHistory history = new SampleHistory(64);
    List<String> starts = new ArrayList<>(List.of("", "04", "08", "12"));
    long[] writes = new long[5];
    long[] reads = new long[5];
    for (int time = 0; time <= 40; time++) {
      if (time == 20) {
        // The hot region is split, with a key that would be an element.
        starts.add(3, "10-a" + LITERAL);
        writes[4] = writes[3];
        reads[4] = reads[3];
        reads[2] = 0;
        reads[3] = 0;
        writes[2] = 0;
        writes[3] = 0;
      }
      List<RegionSample> samples = new ArrayList<>();
      for (int i = 0; i < starts.size(); i++) {
        writes[i] += i == 2 ? 1000 + 10 * time : 100;
        String end = i + 1 < starts.size() ? starts.get(i + 1) : "";
        samples.add(
            new RegionSample(
                starts.get(i) + ".." + end,
                "s",
                new RegionRange(
                    starts.get(i).getBytes(StandardCharsets.US_ASCII),
                    end.getBytes(StandardCharsets.US_ASCII)),
                reads[i] += i < 2 ? 60 + time : 20,
                writes[i],
                (long) (i == 2 ? 4 * time : time) << 20));
      }
      history.add(new LoadReading(1_763_596_800_000L + 5000L * time, samples, List.of()));
    }
    return new Heatmap(
        "orders",
        LAYOUT.toString(),
        "user",
        new BoundaryText(LAYOUT),
        history,
        new Grid(history.slices()),
        new HotTable(
            "orders",
            EntityGroup.of(LAYOUT, "user"),
            List.of(
                hot("", "04", "even"),
                hot("08", "10-a" + LITERAL, "one group"),
                hot("12", "", "little")),
            List.of()));
  }

  private static HotRegion hot(String start, String end, String verdict) {
    return new HotRegion(
        "s",
        start + "..",
        start,
        end,
        0,
        100,
        60,
        1,
        1,
        0,
        verdict,
        "advice for " + verdict,
        null,
        null,
        0.1,
        0,
        null,
        List.of(new HotKeyRate("09-ann" + LITERAL, 20, 0.75, 1, 1, 0)),
        List.of());
  }

  @Test
  void html_regionsThatSplit_drawsAllHeatmaps() throws Exception {
    HeadlessChromium chromium = HeadlessChromium.orSkip(directory);
    Path html = directory.resolve("heatmap.html");
    HeatmapCommand.writeHtml(html, HeatmapJson.text(heatmap()));
    String dom = chromium.dom(html);
    // The scripts' output follows the elements that they were given.
    String made = dom.substring(dom.indexOf("id=\"keys\""), dom.indexOf("<footer>"));
    assertTrue(made.contains("orders</p>"), made);
    assertEquals(3, made.split("<canvas", -1).length - 1);
    assertTrue(made.contains("<td>even</td><td>advice for even</td>"), made);
    assertTrue(made.contains("<td>one group</td><td>advice for one group</td>"), made);
    assertFalse(made.contains("advice for little"), made);
    assertTrue(made.contains("ann"), made);
    assertTrue(made.contains("<td>regions moved, opened, gone</td><td>0, 2, 1</td>"), made);
    assertTrue(made.contains(LITERAL.replace("<", "&lt;").replace(">", "&gt;")), made);
    assertFalse(made.contains("undefined") || made.contains("NaN"), made);
    if (PICTURE != null) {
      Files.copy(
          chromium.screenshot(html, 1000, 1210),
          Path.of(PICTURE),
          StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
