package io.rowguard.benchmarks.salt;

import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.HeatMapChart;
import org.knowm.xchart.HeatMapChartBuilder;

/** Writes as a picture: time to the right, regions upwards, the more writes the darker. */
final class SpreadPicture {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 360;
  private static final Color[] PALE_TO_DARK = {
    new Color(0xf7fbff), new Color(0x6baed6), new Color(0x08306b)
  };

  private SpreadPicture() {}

  /**
   * Writes a PNG file, and the directory it is in.
   *
   * @param writes by window and region
   */
  static void save(Path file, String title, long[][] writes) throws IOException {
    HeatMapChart chart =
        new HeatMapChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title + ": writes by time and region")
            .xAxisTitle("time")
            .yAxisTitle("region")
            .build();
    chart.getStyler().setRangeColors(PALE_TO_DARK);
    chart.getStyler().setMin(0);
    // All writes of a window in one region is as dark as it gets.
    chart.getStyler().setMax((double) Arrays.stream(writes[0]).sum());
    chart.getStyler().setXAxisTicksVisible(false);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    List<Number[]> cells = new ArrayList<>();
    for (int window = 0; window < writes.length; window++) {
      for (int region = 0; region < writes[window].length; region++) {
        cells.add(new Number[] {window, region, writes[window][region]});
      }
    }
    List<Integer> windows = IntStream.range(0, writes.length).boxed().toList();
    List<Integer> regions = IntStream.range(0, writes[0].length).boxed().toList();
    chart.addSeries("writes", windows, regions, cells);
    Files.createDirectories(file.getParent());
    BitmapEncoder.saveBitmap(chart, file.toString(), BitmapFormat.PNG);
  }
}
