package io.rowguard.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The share of one segment in a prefix of rows. Immutable.
 *
 * <pre>{@code
 * layout: {salt:digits(2)=murmur3(user)%16}-{user:word}|{time:millis descending}
 * prefix: 13-al -> salt="13" user="al"...
 * prefix: 13-alice| -> salt="13" user="alice"
 * prefix: 07-alice| -> none
 * }</pre>
 *
 * @see RowkeyLayout#readPrefix
 */
public final class PrefixSegment {
  private final Segment segment;
  private final byte[] bytes;
  private final boolean complete;

  private PrefixSegment(Segment segment, byte[] bytes, boolean complete) {
    this.segment = segment;
    this.bytes = bytes;
    this.complete = complete;
  }

  /** As {@link RowkeyLayout#readPrefix}. */
  static List<PrefixSegment> read(RowkeyLayout layout, byte[] prefix) {
    List<Part> parts = layout.parts();
    PrefixWalk walk = new PrefixWalk(layout, new PrefixAutomaton(parts), parts.size() - 1);
    if (walk.follow(prefix) < prefix.length) {
      return null;
    }
    int completeParts = walk.state().part;
    List<PrefixSegment> segments = new ArrayList<>();
    int pos = 0;
    for (int i = 0; i < completeParts; i++) {
      int end = layout.matcher().part(i).skip(prefix, pos, prefix.length);
      boolean isLacking = end == pos && RowMatcher.isInner(parts, i);
      if (parts.get(i) instanceof Segment && !isLacking) {
        byte[] bytes = Arrays.copyOfRange(prefix, pos, end);
        segments.add(new PrefixSegment((Segment) parts.get(i), bytes, true));
      }
      pos = end;
    }
    if (pos < prefix.length && parts.get(completeParts) instanceof Segment) {
      byte[] bytes = Arrays.copyOfRange(prefix, pos, prefix.length);
      segments.add(new PrefixSegment((Segment) parts.get(completeParts), bytes, false));
    }
    return Collections.unmodifiableList(segments);
  }

  /** The segment. */
  public Segment segment() {
    return segment;
  }

  /**
   * Whether the prefix holds all bytes of the segment, and shows it: a segment of variable length
   * is complete from the literal on that ends it, and never where it is the layout's last part.
   * Only the last segment of a prefix can be incomplete.
   */
  public boolean isComplete() {
    return complete;
  }

  /**
   * A copy of the segment's bytes; one or more. Where it is incomplete, all bytes of the prefix
   * from its start on, among them those that may begin the literal that ends it.
   */
  public byte[] bytes() {
    return bytes.clone();
  }

  /**
   * The value, as {@link RowkeyLayout#decode} gives it for every row with this prefix: {@link
   * String}, {@link Long} or {@code byte[]}. Null where the segment is incomplete.
   */
  public Object value() {
    return complete ? ValueCodec.decode(segment, bytes, 0, bytes.length) : null;
  }

  /** Such as {@code user="al"...}. */
  @Override
  public String toString() {
    return segment.name() + "=\"" + RowText.abbreviated(bytes) + (complete ? "\"" : "\"...");
  }
}
