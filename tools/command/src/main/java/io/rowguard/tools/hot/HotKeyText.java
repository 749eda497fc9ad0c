package io.rowguard.tools.hot;

import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.Literal;
import io.rowguard.layout.Part;
import io.rowguard.layout.RowText;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Segment;
import io.rowguard.tools.explain.BoundaryText;
import io.rowguard.tools.explain.ValuesText;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** Hot keys for people, taken apart by the layout: {@code user=alice}. Immutable. */
public final class HotKeyText {
  private final RowkeyLayout layout;
  private final byte[] afterGroup;
  private final BoundaryText prefixes;

  /**
   * @param group null where there is no layout: keys stay as they are
   */
  public HotKeyText(EntityGroup group) {
    this.layout = group == null ? null : group.layout();
    this.afterGroup = group == null ? new byte[0] : literalAfter(group);
    this.prefixes = new BoundaryText(layout);
  }

  /** Without it a segment of any length does not show that it is complete. */
  private static byte[] literalAfter(EntityGroup group) {
    List<Part> parts = group.layout().parts();
    for (int i = 0; i + 1 < parts.size(); i++) {
      if (parts.get(i) instanceof Segment segment
          && segment.name().equals(group.segment())
          && parts.get(i + 1) instanceof Literal literal) {
        return literal.bytes();
      }
    }
    return new byte[0];
  }

  /** An entity group. */
  public String ofGroup(HotKeyRate key) {
    if (isHidden(key)) {
      return key.key();
    }
    byte[] bytes = RowText.toBytesBinary(key.key());
    boolean isWhole = bytes.length == key.length();
    byte[] ended = Arrays.copyOf(bytes, bytes.length + (isWhole ? afterGroup.length : 0));
    System.arraycopy(afterGroup, 0, ended, bytes.length, ended.length - bytes.length);
    boolean isRead = layout != null && layout.readPrefix(ended) != null;
    return isRead ? prefixes.of(ended) : ofRow(key);
  }

  /** A row. */
  public String ofRow(HotKeyRate key) {
    if (isHidden(key)) {
      return key.key();
    }
    byte[] bytes = RowText.toBytesBinary(key.key());
    if (layout == null || !layout.check(bytes).conforms()) {
      return prefixes.of(bytes);
    }
    Map<String, Object> values = layout.decode(bytes);
    StringJoiner text = new StringJoiner(" ");
    for (Segment segment : layout.segments()) {
      Object value = values.get(segment.name());
      if (value != null) {
        text.add(segment.name() + "=" + ValuesText.show(segment, value));
      }
    }
    return text.toString();
  }

  /** A boundary. */
  String ofBoundary(String boundary) {
    return prefixes.of(RowText.toBytesBinary(boundary));
  }

  /** Hidden keys are a sign and 16 hex digits, and say another length mostly. */
  private static boolean isHidden(HotKeyRate key) {
    return key.key().matches("#[0-9a-f]{16}") && key.length() != key.key().length();
  }
}
