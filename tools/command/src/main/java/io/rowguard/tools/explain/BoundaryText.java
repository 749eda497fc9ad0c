package io.rowguard.tools.explain;

import io.rowguard.layout.PrefixSegment;
import io.rowguard.layout.RowText;
import io.rowguard.layout.RowkeyLayout;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Boundaries for people, as the layout reads rows: {@code 07-al} is {@code salt=07 user=al...}. A
 * boundary may end anywhere, so the last segment may be incomplete, which three dots say.
 * Immutable.
 */
public final class BoundaryText {
  private final RowkeyLayout layout;
  private final RowkeyLayout previous;

  /**
   * @param layout null when there is none: boundaries stay as they are
   */
  public BoundaryText(RowkeyLayout layout) {
    this(layout, null);
  }

  /**
   * @param previous the layout that rows leave, for boundaries that the other cannot read; null for
   *     none
   */
  public BoundaryText(RowkeyLayout layout, RowkeyLayout previous) {
    this.layout = layout;
    this.previous = previous;
  }

  /** The values that a boundary holds; the boundary as the shell shows it where it holds none. */
  public String of(byte[] key) {
    List<PrefixSegment> segments = layout == null ? null : layout.readPrefix(key);
    if (segments == null && previous != null) {
      segments = previous.readPrefix(key);
    }
    return segments == null || segments.isEmpty() ? RowText.abbreviated(key) : of(segments);
  }

  /** The values of segments; the last may be incomplete. */
  public static String of(List<PrefixSegment> segments) {
    return segments.stream().map(BoundaryText::of).collect(Collectors.joining(" "));
  }

  private static String of(PrefixSegment segment) {
    String value =
        segment.isComplete()
            ? ValuesText.show(segment.segment(), segment.value())
            : RowText.abbreviated(segment.bytes()) + "...";
    return segment.segment().name() + "=" + value;
  }
}
