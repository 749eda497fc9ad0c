package io.rowguard.tools.keys;

/** Metrics as OpenTSDB stores them: all series report in turn. */
public final class OpenTsdbRows extends BuiltInGenerator {
  /** For {@link java.util.ServiceLoader}. */
  public OpenTsdbRows() {
    super(
        "metric",
        "OpenTSDB rows: 100 metrics, 1,000 tag sets, one row an hour",
        "{salt:uint8=java31(metric,tags)%20}{metric:bytes(3)}{hour:uint32}{tags:bytes}",
        "metric",
        "cycle(100)",
        "hour",
        "hour(1000)",
        "tags",
        "uniform(1000)");
  }
}
