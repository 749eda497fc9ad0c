package io.rowguard.layout;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * A rowkey layout as plain data. A generator makes one, {@link #text()} writes it in the layout
 * grammar for the parser under test, and {@link SlowLayout} works from the data itself, so the two
 * implementations share no parser.
 */
final class SlowModel {
  static final int MAX_ROW = 32767;

  /** Segment types by the names they have in the grammar. */
  enum Kind {
    HEX("hex"),
    UPPER_HEX("HEX"),
    DIGITS("digits"),
    TEXT("text"),
    WORD("word"),
    BYTES("bytes"),
    UINT8("uint8"),
    UINT16("uint16"),
    UINT32("uint32"),
    UINT64("uint64"),
    INT8("int8"),
    INT16("int16"),
    INT32("int32"),
    INT64("int64"),
    MILLIS("millis");

    final String word;

    Kind(String word) {
      this.word = word;
    }

    boolean isNumber() {
      return compareTo(UINT8) >= 0;
    }

    /** Whether numbers may be negative. */
    boolean isSigned() {
      return isNumber() && word.startsWith("int");
    }

    /** Bytes of a number in the key. */
    int width() {
      switch (this) {
        case UINT8:
        case INT8:
          return 1;
        case UINT16:
        case INT16:
          return 2;
        case UINT32:
        case INT32:
          return 4;
        default:
          return 8;
      }
    }
  }

  /** A literal or a segment. */
  abstract static class Piece {
    abstract void print(StringBuilder out, Random blanks);

    final Seg seg() {
      return this instanceof Seg seg ? seg : null;
    }
  }

  /** Constant bytes. */
  static final class Lit extends Piece {
    final byte[] bytes;

    Lit(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    void print(StringBuilder out, Random blanks) {
      for (byte b : bytes) {
        boolean escapeAnyway = blanks != null && blanks.nextInt(6) == 0;
        if (b < 0x20 || b == 0x7F || escapeAnyway) {
          out.append(String.format(Locale.ROOT, "\\x%02X", b & 0xFF));
        } else if (b == '\\' || b == '{' || b == '}') {
          out.append('\\').append((char) b);
        } else {
          out.append((char) b);
        }
      }
    }
  }

  /**
   * A segment; {@code modified} says "descending" for numbers and "reversed" for the others, {@code
   * turned} says "descending" for text and bytes, {@code from} "descending from" for digits, {@code
   * lengthBytes} and {@code plus} "with length". The least and the most bytes are those of a value,
   * without its length.
   */
  static final class Seg extends Piece {
    final String name;
    final Kind kind;
    final int min;
    final int max;
    final boolean modified;
    final boolean turned;
    final BigInteger from;
    final int lengthBytes;
    final long plus;
    final boolean optional;
    final SlowSource source;

    Seg(String name, Kind kind, int min, int max, boolean modified, SlowSource source) {
      this(name, kind, min, max, modified, false, null, 0, 0, false, source);
    }

    private Seg(
        String name,
        Kind kind,
        int min,
        int max,
        boolean modified,
        boolean turned,
        BigInteger from,
        int lengthBytes,
        long plus,
        boolean optional,
        SlowSource source) {
      this.name = name;
      this.kind = kind;
      this.min = min;
      this.max = max;
      this.modified = modified;
      this.turned = turned;
      this.from = from;
      this.lengthBytes = lengthBytes;
      this.plus = plus;
      this.optional = optional;
      this.source = source;
    }

    /** The same with all bits turned instead of another modifier. */
    Seg turned() {
      return new Seg(name, kind, min, max, false, true, null, lengthBytes, plus, optional, source);
    }

    /** The same with its length in front, in so many bytes, a number added to it. */
    Seg withLength(int bytes, long added) {
      return new Seg(name, kind, min, max, modified, turned, from, bytes, added, optional, source);
    }

    /** The same, of this length alone, which does not stand in front. */
    Seg ofLength(int length) {
      return new Seg(name, kind, length, length, modified, turned, from, 0, 0, optional, source);
    }

    /** The same digits, but for how much they are below a number. */
    Seg descendingFrom(BigInteger number) {
      return new Seg(name, kind, min, max, false, false, number, 0, 0, optional, source);
    }

    /** The same with other sources. */
    Seg from(SlowSource other) {
      return new Seg(
          name, kind, min, max, modified, turned, from, lengthBytes, plus, optional, other);
    }

    /** The same that rows may lack. */
    Seg optional() {
      return new Seg(name, kind, min, max, modified, turned, from, lengthBytes, plus, true, source);
    }

    boolean isDescending() {
      return turned || from != null || (modified && kind.isNumber());
    }

    /** Whether values are whole numbers. */
    boolean isNumber() {
      return from != null || kind.isNumber();
    }

    boolean isFixed() {
      return min == max && !hasLength();
    }

    boolean hasLength() {
      return lengthBytes > 0;
    }

    /** Whether it is known where it ends, whatever comes then. */
    boolean endsByItself() {
      return isFixed() || hasLength();
    }

    /** The most bytes of a value. */
    int longest() {
      if (!hasLength()) {
        return max;
      }
      long counted = (1L << (8 * lengthBytes)) - 1 - plus;
      return (int) Math.min(max, Math.min(counted, MAX_ROW - lengthBytes));
    }

    boolean isDerived() {
      return source != null;
    }

    boolean isCharacters() {
      return kind == Kind.TEXT || kind == Kind.WORD;
    }

    @Override
    void print(StringBuilder out, Random blanks) {
      out.append('{').append(blank(blanks)).append(name).append(':').append(kind.word);
      if (!kind.isNumber() && (min != 1 || max < MAX_ROW || kind == Kind.DIGITS)) {
        out.append('(').append(min).append(isFixed() ? "" : ".." + max).append(')');
      }
      if (modified || isDescending()) {
        out.append(isDescending() ? " descending" : " reversed");
      }
      if (from != null) {
        out.append(' ').append(blank(blanks)).append("from ").append(blank(blanks)).append(from);
      }
      if (hasLength()) {
        out.append(' ').append(blank(blanks)).append("with ").append(blank(blanks));
        out.append("length ").append(blank(blanks)).append("uint").append(8 * lengthBytes);
      }
      if (plus > 0) {
        out.append(' ').append(blank(blanks)).append("plus ").append(blank(blanks)).append(plus);
      }
      if (optional) {
        out.append(' ').append(blank(blanks)).append("optional");
      }
      if (source != null) {
        out.append(spaced("=", blanks)).append(source.text(blanks));
      }
      out.append(blank(blanks)).append('}');
    }
  }

  final List<Piece> pieces;

  SlowModel(List<Piece> pieces) {
    this.pieces = List.copyOf(pieces);
  }

  /** The layout as its declaration, without any optional blank. */
  String text() {
    return text(null);
  }

  /** The layout with blanks where the grammar allows them and escapes where none are needed. */
  String text(Random blanks) {
    StringBuilder out = new StringBuilder();
    for (Piece piece : pieces) {
      piece.print(out, blanks);
    }
    return out.toString();
  }

  List<Seg> segs() {
    List<Seg> segs = new ArrayList<>();
    for (Piece piece : pieces) {
      if (piece.seg() != null) {
        segs.add(piece.seg());
      }
    }
    return segs;
  }

  /** The same, but for hashes of texts whose input is none: they are hashes of bytes. */
  SlowModel withTextHashesOfTexts() {
    List<Piece> settled = new ArrayList<>();
    for (Piece piece : pieces) {
      Seg seg = piece.seg();
      settled.add(seg == null || !seg.isDerived() ? piece : seg.from(settled(seg.source)));
    }
    return new SlowModel(settled);
  }

  private SlowSource settled(SlowSource source) {
    SlowSource settled = source.plus() == null ? source : source.plus(settled(source.plus()));
    return "string31".equals(source.hash()) && !isText(source)
        ? settled.hashedBy("java31")
        : settled;
  }

  private boolean isText(SlowSource source) {
    for (int i = 0; i < pieces.size() && source.names().isEmpty(); i++) {
      if (!isDropped(i) && !isText(pieces.get(i))) {
        return false;
      }
    }
    for (int i = 0; i < source.names().size(); i++) {
      Seg seg = pieces.get(indexOf(source.names().get(i))).seg();
      String said = source.said().get(i);
      boolean isText = isText(seg) || (seg.isCharacters() && said.endsWith(" as text"));
      isText &= !said.startsWith("first ") || seg.kind != Kind.TEXT;
      if (!said.endsWith(" as decimal") && (!isText || said.endsWith(" as long"))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isText(Piece piece) {
    if (piece instanceof Lit lit) {
      return SlowSegment.isUtf8(lit.bytes);
    }
    Seg seg = piece.seg();
    return !seg.kind.isNumber() && seg.kind != Kind.BYTES && !seg.turned && !seg.hasLength();
  }

  boolean hasDerived() {
    return segs().stream().anyMatch(Seg::isDerived);
  }

  boolean hasChoice() {
    return segs().stream().anyMatch(seg -> seg.isDerived() && seg.source.hasChoice());
  }

  boolean isFixed() {
    return segs().stream().allMatch(seg -> seg.isFixed() && !seg.optional);
  }

  int minLength() {
    int sum = 0;
    for (Piece piece : pieces.subList(0, tail())) {
      if (isInner(pieces.indexOf(piece)) || isInner(pieces.indexOf(piece) + 1)) {
        continue;
      }
      sum += piece instanceof Lit lit ? lit.bytes.length : piece.seg().lengthBytes;
      sum += piece instanceof Lit ? 0 : piece.seg().min;
    }
    return sum;
  }

  /** Whether a piece is a segment that rows may lack, with the literal before it, and not last. */
  boolean isInner(int index) {
    boolean isThere = index < pieces.size() - 1 && pieces.get(index).seg() != null;
    return isThere && pieces.get(index).seg().optional;
  }

  /** Whether a row goes on with what comes after a segment that it lacks, instead of this piece. */
  boolean lacksInner(int literal, byte[] rest) {
    return isInner(literal + 1)
        && !SlowBytes.startsWith(rest, ((Lit) pieces.get(literal)).bytes)
        && SlowBytes.startsWith(rest, ((Lit) pieces.get(literal + 2)).bytes);
  }

  /** The literals that may stand right after a piece; more than one before what rows may lack. */
  List<Lit> literalsAfter(int index) {
    Lit next = literalAfter(index);
    if (next == null) {
      return List.of();
    }
    return isInner(index + 2) ? List.of(next, (Lit) pieces.get(index + 3)) : List.of(next);
  }

  /** The one of them that stands first in the rest of a row; the first of them where none does. */
  Lit literalAfter(int index, byte[] rest) {
    Lit nearest = literalAfter(index);
    for (Lit lit : literalsAfter(index)) {
      int at = SlowBytes.indexOf(rest, lit.bytes);
      int best = SlowBytes.indexOf(rest, nearest.bytes);
      nearest = at >= 0 && (best < 0 || at < best) ? lit : nearest;
    }
    return nearest;
  }

  /** The index of the first piece that rows may lack; the number of pieces where there is none. */
  int tail() {
    int last = pieces.size() - 1;
    if (pieces.get(last).seg() == null || !pieces.get(last).seg().optional) {
      return pieces.size();
    }
    return pieces.get(last - 1) instanceof Lit ? last - 1 : last;
  }

  /** Whether a group that ends with this piece has rows with the literal after it and without. */
  boolean endsBeforeTail(int piece) {
    return piece + 1 == tail() && tail() < pieces.size() && !pieces.get(piece).seg().endsByItself();
  }

  int indexOf(String name) {
    for (int i = 0; i < pieces.size(); i++) {
      if (pieces.get(i).seg() != null && pieces.get(i).seg().name.equals(name)) {
        return i;
      }
    }
    throw new IllegalArgumentException(name);
  }

  /** The literal right after piece {@code index}, or null. */
  Lit literalAfter(int index) {
    boolean there = index + 1 < pieces.size() && pieces.get(index + 1) instanceof Lit;
    return there ? (Lit) pieces.get(index + 1) : null;
  }

  /** Whether a bare key lacks this piece: a derived segment, or the literal right after one. */
  boolean isDropped(int index) {
    Piece piece = pieces.get(index);
    if (piece.seg() != null) {
      return piece.seg().isDerived();
    }
    return index > 0 && pieces.get(index - 1).seg() != null && isDropped(index - 1);
  }

  /** The layout of bare keys. */
  SlowModel bare() {
    List<Piece> kept = new ArrayList<>();
    for (int i = 0; i < pieces.size(); i++) {
      if (!isDropped(i)) {
        kept.add(pieces.get(i));
      }
    }
    return new SlowModel(kept);
  }

  /**
   * The groups that may be declared: no salt up to the group's end needs what comes after it, but
   * for what is added to it and what decides on its steps.
   */
  List<String> groups() {
    List<String> groups = new ArrayList<>();
    for (Seg group : segs()) {
      int end = indexOf(group.name);
      boolean isWhole = !isInner(end) && (!isInner(end + 2) || group.endsByItself());
      boolean allowed = !endsBeforeTail(end) || SlowSegment.isAbove(literalAfter(end), group);
      for (Seg seg : segs()) {
        if (seg.isDerived() && indexOf(seg.name) <= end) {
          allowed &= firstOf(seg).stream().allMatch(source -> indexOf(source.name) <= end);
        }
      }
      if (allowed && isWhole) {
        groups.add(group.name);
      }
    }
    return groups;
  }

  /** The segments that a derived segment is derived from. */
  List<Seg> sourcesOf(Seg derived) {
    return segsOf(derived.source.needs(), derived.source.needsWholeKey());
  }

  /** The segments that the first term is derived from. */
  private List<Seg> firstOf(Seg derived) {
    boolean ofAll = derived.source.names().isEmpty() && !derived.source.isAny();
    return segsOf(derived.source.names(), ofAll);
  }

  private List<Seg> segsOf(Collection<String> names, boolean allPlain) {
    List<Seg> sources = new ArrayList<>();
    for (Seg seg : segs()) {
      if (names.contains(seg.name) || (allPlain && !seg.isDerived())) {
        sources.add(seg);
      }
    }
    return sources;
  }

  static String spaced(String sign, Random blanks) {
    return blank(blanks) + sign + blank(blanks);
  }

  static String blank(Random blanks) {
    return blanks == null ? "" : " ".repeat(Math.max(0, blanks.nextInt(5) - 2));
  }

  @Override
  public String toString() {
    return text();
  }
}
