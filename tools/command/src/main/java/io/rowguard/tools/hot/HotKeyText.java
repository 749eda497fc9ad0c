package io.rowguard.tools.hot;

import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.Literal;
import io.rowguard.layout.Part;
import io.rowguard.layout.PrefixSegment;
import io.rowguard.layout.RowText;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Segment;
import io.rowguard.tools.explain.BoundaryText;
import io.rowguard.tools.explain.ValuesText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** Hot keys for people, taken apart by the layout: {@code user=alice}. Immutable. */
public final class HotKeyText {
  private final RowkeyLayout layout;
  private final byte[] afterGroup;
  private final BoundaryText prefixes;
  private final boolean showsChosen;

  /**
   * @param group null where there is no layout: keys stay as they are
   */
  public HotKeyText(EntityGroup group) {
    this(group, true);
  }

  private HotKeyText(EntityGroup group, boolean showsChosen) {
    this.showsChosen = showsChosen;
    this.layout = group == null ? null : group.layout();
    this.afterGroup = group == null ? new byte[0] : literalAfter(group);
    this.prefixes = new BoundaryText(layout);
  }

  /**
   * The same without the values that writers choose, so that the rows of one bare key read alike.
   * Rows and groups that a server does not show whole keep them.
   */
  static HotKeyText ofBareKeys(EntityGroup group) {
    return new HotKeyText(group, group == null || !group.layout().hasChoice());
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
    List<PrefixSegment> segments = layout == null ? null : layout.readPrefix(ended);
    if (segments == null || segments.isEmpty()) {
      return ofRow(key);
    }
    List<PrefixSegment> shown = new ArrayList<>(segments);
    shown.removeIf(segment -> isWhole && !isShown(segment.segment()));
    return BoundaryText.of(shown);
  }

  private boolean isShown(Segment segment) {
    return showsChosen || !segment.isDerived() || !segment.derivation().hasChoice();
  }

  /** A row. */
  public String ofRow(HotKeyRate key) {
    if (isHidden(key)) {
      return key.key();
    }
    byte[] bytes = RowText.toBytesBinary(key.key());
    boolean isWhole = bytes.length == key.length();
    if (layout == null || !isWhole || !layout.check(bytes).conforms()) {
      return prefixes.of(bytes);
    }
    Map<String, Object> values = layout.decode(bytes);
    StringJoiner text = new StringJoiner(" ");
    for (Segment segment : layout.segments()) {
      Object value = values.get(segment.name());
      if (value != null && isShown(segment)) {
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
