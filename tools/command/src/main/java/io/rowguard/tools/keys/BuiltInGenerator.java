package io.rowguard.tools.keys;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One of Rowguard's own generators: a layout of its own, and the sources of the numbers of its
 * segments. With another layout it fills the segments of the same names. Immutable.
 */
final class BuiltInGenerator implements RowKeyGenerator {
  /** All of them, in the order in which they are listed. */
  static final List<BuiltInGenerator> ALL =
      List.of(
          new BuiltInGenerator("sequential", "ids that count up", "{id:uint64}", "id", "seq(1)"),
          new BuiltInGenerator(
              "timestamped",
              "the time first, then an id",
              "{time:millis}{id:uint32}",
              "time",
              "clock(1000)",
              "id",
              "uniform(1000000)"),
          new BuiltInGenerator(
              "md5-id",
              "ids that count up, after the first digits of their md5",
              "{hash:hex(8)=md5(id)}{id:uint64}",
              "id",
              "seq(1)"),
          new BuiltInGenerator(
              "partitioned-id",
              "ids that count up, after id % 20",
              "{part:uint64=id%20}{id:uint64}",
              "id",
              "seq(1)"),
          new BuiltInGenerator(
              "reversed-id",
              "ids that count up, back to front",
              "{id:digits(12) reversed}",
              "id",
              "seq(1)"),
          new BuiltInGenerator(
              "reversed-id-newest",
              "order numbers back to front, four states of each, newest first",
              "{order:digits(12) reversed}{time:millis descending}",
              "order",
              "each(4)",
              "time",
              "clock(1000)"),
          new BuiltInGenerator(
              "salted-event",
              "events of 50 kinds, salted over 100 buckets",
              "{salt:digits(2)=murmur3(*)%100}{event:digits(4)}{date:digits(8)}{offset:uint64}",
              "event",
              "zipf(50)",
              "date",
              "day(1000)",
              "offset",
              "seq"),
          new BuiltInGenerator(
              "metric",
              "OpenTSDB rows: 100 metrics, 1,000 tag sets, one row an hour",
              "{salt:uint8=java31(metric,tags)%20}{metric:bytes(3)}{hour:uint32}{tags:bytes}",
              "metric",
              "cycle(100)",
              "hour",
              "hour(1000)",
              "tags",
              "uniform(1000)"),
          new BuiltInGenerator("values", "any layout, each segment as you say", null));

  private final String name;
  private final String description;
  private final String layout;
  private final Map<String, String> sources = new LinkedHashMap<>();

  /**
   * @param layout null when the user must give one
   * @param sources pairs of a segment's name and a {@link ValueSource}
   */
  private BuiltInGenerator(String name, String description, String layout, String... sources) {
    this.name = name;
    this.description = description;
    this.layout = layout;
    for (int i = 0; i < sources.length; i += 2) {
      this.sources.put(sources[i], sources[i + 1]);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String description() {
    return description;
  }

  /** Its segments, each with its source unless another is given. */
  @Override
  public Map<String, String> options() {
    return sources;
  }

  @Override
  public String layout() {
    return layout;
  }

  @Override
  public RowKeys open(GeneratorRequest request) {
    return NumberedKeys.open(name, sources, request);
  }
}
