package io.rowguard.tools.explain;

import io.rowguard.layout.Derivation;
import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.KeyRange;
import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.Part;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.SaltBuckets;
import io.rowguard.layout.Segment;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cli.Terminal.Style;
import io.rowguard.tools.cli.TextTable;
import io.rowguard.tools.keys.SplitKeyText;
import java.util.ArrayList;
import java.util.List;

/** Shows a layout part by part: where it stands, what it holds, where its value comes from. */
final class LayoutDrawing {
  private final EntityGroup group;
  private final RowkeyLayout layout;

  LayoutDrawing(EntityGroup group) {
    this.group = group;
    this.layout = group.layout();
  }

  void print(Terminal terminal) {
    terminal.line(terminal.styled(Style.STRONG, layout.toString()));
    terminal.line("");
    TextTable parts = new TextTable("  ", "rrlll");
    parts.row("offset", "bytes", "part", "type", "");
    int offset = 0;
    boolean isKnown = true;
    for (Part part : layout.parts()) {
      String at = isKnown ? Integer.toString(offset) : "";
      parts.row(at, length(part), name(part), type(part), remark(part));
      offset += part.minLength();
      boolean mayBeLacking = part instanceof Segment segment && segment.isOptional();
      isKnown &= part.isFixedLength() && !mayBeLacking;
    }
    parts.print(terminal);
    terminal.line("");
    TextTable facts = new TextTable("  ", "ll");
    facts.row("row", range(layout.minRowLength(), layout.maxRowLength()));
    if (layout.hasDerivedSegments()) {
      RowkeyLayout bare = layout.bare();
      facts.row("bare key", bare + ", " + range(bare.minRowLength(), bare.maxRowLength()));
    }
    if (layout.hasDerivedSegments()) {
      facts.row("scans", scans());
    }
    facts.row("group", groupText());
    facts.row("boundaries", boundaries());
    facts.print(terminal);
  }

  private static String length(Part part) {
    return part.isFixedLength()
        ? Integer.toString(part.minLength())
        : part.minLength() + (isUnlimited(part) ? " or more" : " to " + part.maxLength());
  }

  private static boolean isUnlimited(Part part) {
    return part.maxLength() >= RowkeyLayout.MAX_ROW_LENGTH;
  }

  private static String range(int least, int most) {
    return least == most ? least + " bytes" : least + " to " + Terminal.count(most) + " bytes";
  }

  private static String name(Part part) {
    return part instanceof Segment segment ? segment.name() : "\"" + part + "\"";
  }

  private static String type(Part part) {
    if (!(part instanceof Segment segment)) {
      return "literal";
    }
    String modifier = segment.isReversed() ? " reversed" : "";
    return segment.type()
        + (segment.isDescending() ? " descending" : modifier)
        + (segment.isDescendingFrom() ? " from " + segment.minuend() : "")
        + (segment.hasLength() ? " " + segment.lengthForm() : "")
        + (segment.isOptional() ? " optional" : "");
  }

  private String remark(Part part) {
    if (!(part instanceof Segment segment)) {
      return "";
    }
    List<String> remarks = new ArrayList<>();
    if (segment.isDerived()) {
      Derivation derivation = segment.derivation();
      remarks.add("= " + derivation);
      if (derivation.hasBuckets()) {
        remarks.add(buckets(derivation));
      }
    }
    if (segment.name().equals(group.segment())) {
      remarks.add("the group ends here");
    }
    return String.join(", ", remarks);
  }

  private static String buckets(Derivation derivation) {
    boolean rising = !derivation.steps().isEmpty();
    String count =
        (rising ? Terminal.count(derivation.firstBuckets()) + " to " : "")
            + Terminal.count(derivation.buckets())
            + " buckets";
    return derivation.second() == null || derivation.isOverBareKey()
        ? count
        : count
            + ", "
            + Terminal.count(derivation.second().buckets())
            + " for each value of "
            + String.join(",", derivation.inputs());
  }

  private String scans() {
    long buckets = SaltBuckets.of(layout).count(KeyRange.all());
    return buckets == 1
        ? "a range of bare keys is one scan"
        : "a range of bare keys is one scan in each of "
            + Terminal.count(buckets)
            + " buckets, merged"
            + fewerScans();
  }

  /** The ranges that are in fewer buckets because they fix the first of two terms. */
  private String fewerScans() {
    for (Segment segment : layout.segments()) {
      Derivation derivation = segment.derivation();
      if (derivation != null && derivation.second() != null && !derivation.isOverBareKey()) {
        String count = Terminal.count(derivation.second().buckets());
        return "; of " + count + " where it fixes " + String.join(",", derivation.inputs());
      }
    }
    return "";
  }

  private String groupText() {
    return group.segment() == null
        ? "none: every row is its own group"
        : "rows that agree up to and including " + group.segment() + " stay in one region";
  }

  /** The even cuts of four regions; the words for it when nothing fixed comes first. */
  private String boundaries() {
    LayoutBoundaries boundaries = LayoutBoundaries.of(group);
    for (int regions = 4; regions > 1; regions--) {
      List<String> keys = evenly(boundaries, regions);
      if (keys != null) {
        return "evenly in " + regions + ": " + String.join(" ", keys);
      }
    }
    return "no even division, as nothing of fixed length comes first: pre-split by a sample";
  }

  private static List<String> evenly(LayoutBoundaries boundaries, int regions) {
    try {
      return boundaries.evenly(regions).stream().map(SplitKeyText::of).toList();
    } catch (IllegalArgumentException e) {
      // The space has fewer values than regions: a fact about the layout, not a failure.
      return null;
    }
  }
}
