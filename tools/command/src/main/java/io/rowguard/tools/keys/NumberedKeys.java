package io.rowguard.tools.keys;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Segment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Rows of a layout whose segments are filled from {@link ValueSource}s. For one thread. */
final class NumberedKeys implements RowKeys {
  private final NumberedRows rows;
  private final ValueSource[] sources;
  private final long[] numbers;

  private NumberedKeys(NumberedRows rows, ValueSource[] sources) {
    this.rows = rows;
    this.sources = sources;
    this.numbers = new long[sources.length];
  }

  /**
   * The keys of a generator: its own sources, by segment, and those that the user gave as options,
   * which come first.
   *
   * <p>A generator with one source fits every layout with one plain segment, whatever their names.
   *
   * @throws IllegalArgumentException when a segment has no source, a source has no segment, or its
   *     numbers do not fit
   */
  static NumberedKeys open(String generator, Map<String, String> own, GeneratorRequest request) {
    NumberedRows rows = NumberedRows.of(request.layout());
    Map<String, String> wanted = new LinkedHashMap<>(own);
    List<Segment> segments = rows.segments();
    if (own.size() == 1 && segments.size() == 1 && request.options().isEmpty()) {
      wanted = Map.of(segments.get(0).name(), own.values().iterator().next());
    }
    wanted = new LinkedHashMap<>(wanted);
    wanted.putAll(request.options());
    refuseUnknown(generator, wanted, own, request.layout(), segments);
    ValueSource[] sources = new ValueSource[segments.size()];
    for (int i = 0; i < sources.length; i++) {
      String text = wanted.get(segments.get(i).name());
      if (text == null) {
        throw noSource(generator, own, segments, segments.get(i));
      }
      // Two random segments are not to choose alike.
      sources[i] = ValueSource.parse(text, segments.get(i), ValueSource.mixed(i, request.seed()));
      requireFitting(sources[i], text, segments.get(i), request.count());
    }
    return new NumberedKeys(rows, sources);
  }

  private static void refuseUnknown(
      String generator,
      Map<String, String> wanted,
      Map<String, String> own,
      RowkeyLayout layout,
      List<Segment> segments) {
    for (String name : wanted.keySet()) {
      if (segments.stream().noneMatch(segment -> segment.name().equals(name))) {
        throw new IllegalArgumentException(
            (own.containsKey(name)
                    ? "The generator fills a segment that the layout does not have."
                    : "There is no such segment to fill.")
                + " generator="
                + generator
                + " segment="
                + name
                + " layout="
                + layout
                + ". The generator \"values\" fills any layout: "
                + example(segments));
      }
    }
  }

  private static IllegalArgumentException noSource(
      String generator, Map<String, String> own, List<Segment> segments, Segment segment) {
    return new IllegalArgumentException(
        "A segment has no values. segment="
            + segment.name()
            + " generator="
            + generator
            + " fills="
            + own.keySet()
            + ". Say where they come from: "
            + example(segments));
  }

  private static String example(List<Segment> segments) {
    return "--generator 'values:"
        + segments.stream()
            .map(segment -> segment.name() + "=" + usual(segment))
            .collect(Collectors.joining(","))
        + "' ("
        + ValueSource.FORMS
        + ")";
  }

  private static String usual(Segment segment) {
    switch (segment.type().kind()) {
      case MILLIS:
        return "clock(1000)";
      case TEXT:
      case WORD:
        return "zipf(1000)";
      default:
        return "seq";
    }
  }

  private static void requireFitting(ValueSource source, String text, Segment segment, long count) {
    String reached;
    try {
      long largest = source.largest(count);
      if (largest <= NumberedRows.largest(segment)) {
        return;
      }
      reached = Long.toString(largest);
    } catch (ArithmeticException e) {
      reached = "more than 2^63";
    }
    throw new IllegalArgumentException(
        "The values do not fit their segment. segment="
            + segment.name()
            + " type="
            + segment.type()
            + " largest="
            + NumberedRows.largest(segment)
            + " values="
            + text
            + " reach="
            + reached
            + ". Make the segment longer, or the values fewer.");
  }

  @Override
  public int maxLength() {
    return rows.maxLength();
  }

  /** The law of {@link NumberedRows}; only too long could they be. */
  @Override
  public boolean areRows() {
    return rows.maxLength() <= RowkeyLayout.MAX_ROW_LENGTH;
  }

  @Override
  public int write(long index, byte[] target) {
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = sources[i].at(index);
    }
    return rows.write(numbers, target);
  }
}
