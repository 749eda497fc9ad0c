package io.rowguard.tools.explain;

import io.rowguard.layout.Derivation;
import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.Hash;
import io.rowguard.layout.KeyRange;
import io.rowguard.layout.Part;
import io.rowguard.layout.RowText;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.SaltBuckets;
import io.rowguard.layout.Segment;
import io.rowguard.layout.SegmentType.Kind;
import io.rowguard.tools.cli.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The advice of a good colleague on a layout before the table exists.
 *
 * @param isWarning whether it is likely to hurt; else it is worth knowing
 * @param text one line
 */
record LayoutAdvice(boolean isWarning, String text) {
  /** Above this many bytes a row begins to cost more than it needs to. */
  private static final int LONG_ROW = 16;

  /** Above this many it costs more than most values do. */
  private static final int VERY_LONG_ROW = 100;

  /** Numbers that small are kinds and types, which do not count up. */
  private static final int SHORTEST_COUNTER = 4;

  /** A fullest bucket with more than this much of the mean is a hot bucket. */
  private static final double UNEVEN = 1.5;

  private static final long CELLS = 1_000_000;

  /** The default of {@code rowguard.scan.max.buckets}. */
  static final long MOST_SCANS = 256;

  /** All there is to say, the most important first. */
  static List<LayoutAdvice> of(EntityGroup group) {
    RowkeyLayout layout = group.layout();
    List<LayoutAdvice> advice = new ArrayList<>();
    addMonotonic(layout, advice);
    addScattering(group, advice);
    addSpread(layout, advice);
    addScans(layout, advice);
    addChoice(layout, advice);
    addAmbiguity(layout, advice);
    addCase(layout, advice);
    addCost(layout, advice);
    return advice;
  }

  private static void warn(List<LayoutAdvice> advice, String text) {
    advice.add(new LayoutAdvice(true, text));
  }

  private static void note(List<LayoutAdvice> advice, String text) {
    advice.add(new LayoutAdvice(false, text));
  }

  private static void addMonotonic(RowkeyLayout layout, List<LayoutAdvice> advice) {
    Segment first = layout.segments().get(0);
    if (first.isDerived() || first.isReversed()) {
      return;
    }
    String region = first.isDescending() ? "first" : "last";
    if (first.type().kind() == Kind.MILLIS) {
      warn(
          advice,
          "The row begins with a time: all new rows go to the "
              + region
              + " region, and so to one server. Put a salt or an id before "
              + first.name()
              + ".");
      return;
    }
    Kind kind = first.type().kind();
    boolean canCount = kind == Kind.UINT || kind == Kind.INT || kind == Kind.DIGITS;
    if (canCount && first.minLength() >= SHORTEST_COUNTER) {
      String cure =
          first.type().kind() == Kind.DIGITS
              ? "Write it reversed, or derive a salt from it."
              : "Derive a salt or a hash from it and put that first.";
      warn(
          advice,
          "The row begins with a number: if "
              + first.name()
              + " counts up, all new rows go to the "
              + region
              + " region, and so to one server. "
              + cure);
    }
  }

  private static void addScattering(EntityGroup group, List<LayoutAdvice> advice) {
    List<Segment> plain =
        group.layout().segments().stream().filter(segment -> !segment.isDerived()).toList();
    Segment last = plain.get(plain.size() - 1);
    for (Segment segment : group.layout().segments()) {
      if (segment.isDerived() && plain.size() > 1 && group.segment() == null) {
        Derivation derivation = dependsOn(segment.derivation(), last);
        if (derivation != null) {
          String buckets =
              derivation.hasBuckets()
                  ? Terminal.count(derivation.buckets()) + " buckets"
                  : "all values of " + segment.name();
          note(
              advice,
              "The salt depends on "
                  + last.name()
                  + ", the last segment, so rows that agree in "
                  + plain.get(0).name()
                  + " are scattered over "
                  + buckets
                  + ": reading them together asks each."
                  + (derivation.equals(segment.derivation())
                      ? " If they are one entity, derive "
                          + segment.name()
                          + " from "
                          + plain.get(0).name()
                          + " alone and declare the group."
                      : ""));
        }
      }
    }
  }

  /** The term that makes a salt depend on a segment: the first where that does, or null. */
  private static Derivation dependsOn(Derivation derivation, Segment segment) {
    if (derivation.isOverBareKey() || derivation.inputs().contains(segment.name())) {
      return derivation;
    }
    return derivation.second() == null ? null : dependsOn(derivation.second(), segment);
  }

  private static void addSpread(RowkeyLayout layout, List<LayoutAdvice> advice) {
    for (Segment segment : layout.segments()) {
      if (segment.isDerived() && segment.derivation().hasBuckets()) {
        SaltSpread spread = SaltSpread.worst(layout, segment);
        if (spread != null && (spread.fullest() > UNEVEN || spread.empty() > 0)) {
          warn(advice, unevenText(layout, segment, spread));
        }
      }
    }
  }

  private static String unevenText(RowkeyLayout layout, Segment segment, SaltSpread spread) {
    String text =
        String.format(
            Locale.ROOT,
            "%s spreads regular ids badly: of %,d rows with consecutive values of %s, the fullest"
                + " of %,d buckets gets %.1f times the mean, and %,d get none.",
            segment.derivation(),
            spread.rows(),
            spread.varied(),
            segment.derivation().buckets(),
            spread.fullest(),
            spread.empty());
    if (segment.derivation().hash() == Hash.MURMUR3 || segment.derivation().hash() == null) {
      return text;
    }
    SaltSpread better = SaltSpread.withMurmur3(layout, segment, spread.varied());
    return text
        + String.format(
            Locale.ROOT,
            " With murmur3: %.1f times the mean, and %,d get none.",
            better.fullest(),
            better.empty());
  }

  private static void addScans(RowkeyLayout layout, List<LayoutAdvice> advice) {
    long buckets = SaltBuckets.of(layout).count(KeyRange.all());
    if (buckets > MOST_SCANS) {
      note(
          advice,
          "For point reads only: a range of bare keys would be a scan in each of "
              + Terminal.count(buckets)
              + " buckets, and SaltedTable refuses more than "
              + MOST_SCANS
              + " (rowguard.scan.max.buckets).");
    }
  }

  private static void addChoice(RowkeyLayout layout, List<LayoutAdvice> advice) {
    if (layout.hasChoice()) {
      note(
          advice,
          "Writers choose a value, so one bare key may have several rows: SaltedTable asks all of"
              + " them for each, and refuses increments and conditional writes; salt mode and"
              + " relayouts refuse this layout. A salt that is derived from the key lets reads of"
              + " one row ask one bucket.");
    }
  }

  private static void addAmbiguity(RowkeyLayout layout, List<LayoutAdvice> advice) {
    if (layout.isUnambiguous()) {
      return;
    }
    byte[] key = layout.ambiguousKey();
    String example =
        key == null
            ? ""
            : " Such as \""
                + RowText.abbreviated(key)
                + "\", a row, and the bare key of \""
                + RowText.abbreviated(layout.complete(key))
                + "\".";
    note(
        advice,
        "A bare key may pass for a salted row, so servers refuse salt mode on this layout;"
            + " a literal after the salt that no bare key has there cures it."
            + example);
  }

  private static void addCase(RowkeyLayout layout, List<LayoutAdvice> advice) {
    boolean hasLower = false;
    boolean hasUpper = false;
    for (Segment segment : layout.segments()) {
      hasLower |= segment.type().kind() == Kind.HEX_LOWER;
      hasUpper |= segment.type().kind() == Kind.HEX_UPPER;
    }
    if (hasLower && hasUpper) {
      warn(
          advice,
          "Hex digits in both cases, hex(n) and HEX(n): sooner or later one writer mixes them up."
              + " Choose one.");
    } else if (hasLower || hasUpper) {
      note(
          advice,
          hasLower
              ? "Hex digits are lower-case: writers that use %X or"
                  + " Integer.toHexString().toUpperCase() are refused."
              : "Hex digits are upper-case: writers that use %x or MD5Hash.getMD5AsHex() are"
                  + " refused.");
    }
  }

  private static void addCost(RowkeyLayout layout, List<LayoutAdvice> advice) {
    int least = layout.minRowLength();
    String cost =
        "Every cell holds the whole row: "
            + (layout.isFixedLength() ? "" : "at least ")
            + least
            + " bytes, "
            + Terminal.bytes(least * CELLS)
            + " per million cells before encoding and compression.";
    if (least > VERY_LONG_ROW) {
      warn(advice, "The row is very long. " + cost + " Shorten it, or keep an id of it.");
    } else if (least > LONG_ROW) {
      note(advice, cost + " DATA_BLOCK_ENCODING FAST_DIFF writes what neighbours share only once.");
    } else {
      note(advice, cost);
    }
    for (Part part : layout.parts()) {
      if (part.maxLength() == RowkeyLayout.MAX_ROW_LENGTH && part instanceof Segment segment) {
        Kind kind = segment.type().kind();
        String type = kind == Kind.BYTES ? "" : segment.type() + "(1..32) or ";
        note(
            advice,
            "Nothing limits the length of "
                + segment.name()
                + "; "
                + type
                + "rowguard.row.max.length would.");
        return;
      }
    }
  }
}
