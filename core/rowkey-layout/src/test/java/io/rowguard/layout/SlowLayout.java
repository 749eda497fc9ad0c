package io.rowguard.layout;

import io.rowguard.layout.SlowModel.Kind;
import io.rowguard.layout.SlowModel.Lit;
import io.rowguard.layout.SlowModel.Piece;
import io.rowguard.layout.SlowModel.Seg;
import io.rowguard.layout.SlowSource.Step;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The second implementation of a layout: reads rows piece by piece with copies, and knows a wrong
 * salt by stripping the row, completing what is left, and comparing. Written from the specification
 * alone, for comparison with {@link RowkeyLayout}.
 */
final class SlowLayout {
  /** How far a row could be read: the verdict, and where each piece that was read ends. */
  static final class Reading {
    final Verdict verdict;
    final List<Integer> ends;

    private Reading(Verdict verdict, List<Integer> ends) {
      this.verdict = verdict;
      this.ends = ends;
    }

    boolean conforms() {
      return verdict == Verdict.CONFORMS;
    }

    int start(int piece) {
      return piece == 0 ? 0 : ends.get(piece - 1);
    }

    byte[] of(int piece, byte[] row) {
      return Arrays.copyOfRange(row, start(piece), ends.get(piece));
    }
  }

  final SlowModel model;
  private final SlowModel bareModel;
  private final SlowLayout bare;

  SlowLayout(SlowModel model) {
    this.model = model;
    this.bareModel = model.bare();
    this.bare = model.hasDerived() ? new SlowLayout(bareModel) : this;
  }

  /** The layout of bare keys; this one when nothing is derived. */
  SlowLayout bare() {
    return bare;
  }

  Verdict check(byte[] row) {
    return read(row).verdict;
  }

  boolean conforms(byte[] row) {
    return check(row) == Verdict.CONFORMS;
  }

  /** Reads a row; a derived segment must hold exactly what the row's other segments give. */
  Reading read(byte[] row) {
    Reading pieces = readPieces(row);
    if (!pieces.conforms()
        || Arrays.equals(fill(stripPieces(pieces, row), chosen(pieces, row)), row)) {
      return pieces;
    }
    return new Reading(Verdict.WRONG_SALT, pieces.ends);
  }

  /** Values that a writer has chosen in a row, by the segment's name. */
  private Map<String, byte[]> chosen(Reading pieces, byte[] row) {
    Map<String, byte[]> chosen = new LinkedHashMap<>();
    for (Seg seg : model.segs()) {
      if (seg.isDerived() && seg.source.hasChoice()) {
        chosen.put(seg.name, pieces.of(model.indexOf(seg.name), row));
      }
    }
    return chosen;
  }

  /** Like {@link #read}, but a derived segment may hold any value that its derivation can write. */
  Reading readWithAnySalt(byte[] row) {
    Reading pieces = readPieces(row);
    for (Seg seg : model.segs()) {
      if (pieces.conforms() && seg.isDerived()) {
        byte[] written = pieces.of(model.indexOf(seg.name), row);
        if (!SlowSegment.isPossibleSalt(seg, written)) {
          return new Reading(Verdict.WRONG_SALT, pieces.ends);
        }
      }
    }
    return pieces;
  }

  private Reading readPieces(byte[] row) {
    List<Integer> ends = new ArrayList<>();
    if (row.length == 0) {
      return new Reading(Verdict.EMPTY_ROW, ends);
    }
    if (row.length > SlowModel.MAX_ROW) {
      return new Reading(Verdict.TOO_LONG, ends);
    }
    int p = 0;
    for (int i = 0; i < model.pieces.size(); i++) {
      byte[] rest = SlowBytes.from(row, p);
      Piece piece = model.pieces.get(i);
      if (i == model.tail() && rest.length == 0) {
        while (ends.size() < model.pieces.size()) {
          ends.add(p);
        }
        break;
      }
      if (model.lacksInner(i, rest)) {
        ends.add(p);
        ends.add(p);
        i++;
        continue;
      }
      Verdict verdict;
      int length;
      if (piece instanceof Lit lit) {
        length = lit.bytes.length;
        verdict =
            SlowBytes.startsWith(rest, lit.bytes) ? Verdict.CONFORMS : Verdict.LITERAL_MISSING;
      } else {
        boolean isFixed = piece.seg().isFixed();
        Lit next = isFixed ? model.literalAfter(i) : model.literalAfter(i, rest);
        if (model.endsBeforeTail(i) && SlowBytes.indexOf(rest, next.bytes) < 0) {
          next = null;
        }
        length = SlowSegment.lengthIn(piece.seg(), next, rest);
        verdict = SlowSegment.check(piece.seg(), next, rest, length);
      }
      if (verdict != Verdict.CONFORMS) {
        return new Reading(verdict, ends);
      }
      p += length;
      ends.add(p);
    }
    return new Reading(p < row.length ? Verdict.TRAILING_BYTES : Verdict.CONFORMS, ends);
  }

  /** The bare key of a conforming row. */
  byte[] strip(byte[] row) {
    return stripPieces(read(row), row);
  }

  /** The bare key of a row whose reading is known, whatever its salts are. */
  byte[] stripPieces(Reading reading, byte[] row) {
    List<byte[]> kept = new ArrayList<>();
    for (int i = 0; i < model.pieces.size(); i++) {
      if (!model.isDropped(i)) {
        kept.add(reading.of(i, row));
      }
    }
    return SlowBytes.concat(kept);
  }

  boolean isBare(byte[] key) {
    return bare.conforms(key);
  }

  /** The row of a bare key. */
  byte[] complete(byte[] bareKey) {
    return complete(bareKey, 0);
  }

  /** The row of a bare key of this number among {@link #rows}, counted in circles. */
  byte[] complete(byte[] bareKey, int choice) {
    long rest = choice;
    Map<String, byte[]> one = new LinkedHashMap<>();
    for (Seg seg : chosenSegs()) {
      List<byte[]> allowed = allowed(seg, bareKey, plain(bareKey));
      one.put(seg.name, allowed.get((int) Math.floorMod(rest, (long) allowed.size())));
      rest = Math.floorDiv(rest, (long) allowed.size());
    }
    return fill(bareKey, one);
  }

  /** How many rows a bare key has. */
  BigInteger rowCount(byte[] bareKey) {
    BigInteger count = BigInteger.ONE;
    for (Seg seg : chosenSegs()) {
      count = count.multiply(BigInteger.valueOf(allowed(seg, bareKey, plain(bareKey)).size()));
    }
    return count;
  }

  /**
   * All rows of a bare key: each combination of what writers choose, the first one changing first.
   */
  List<byte[]> rows(byte[] bareKey) {
    List<Map<String, byte[]>> choices = List.of(Map.of());
    for (Seg seg : chosenSegs()) {
      List<Map<String, byte[]>> more = new ArrayList<>();
      for (byte[] value : allowed(seg, bareKey, plain(bareKey))) {
        for (Map<String, byte[]> before : choices) {
          Map<String, byte[]> chosen = new LinkedHashMap<>(before);
          chosen.put(seg.name, value);
          more.add(chosen);
        }
      }
      choices = more;
    }
    List<byte[]> rows = new ArrayList<>();
    choices.forEach(chosen -> rows.add(fill(bareKey, chosen)));
    return rows;
  }

  private List<Seg> chosenSegs() {
    List<Seg> segs = new ArrayList<>(model.segs());
    segs.removeIf(seg -> !seg.isDerived() || !seg.source.hasChoice());
    return segs;
  }

  private Map<String, byte[]> plain(byte[] bareKey) {
    Reading reading = bare.readPieces(bareKey);
    Map<String, byte[]> written = new LinkedHashMap<>();
    for (Seg seg : bareModel.segs()) {
      written.put(seg.name, reading.of(bareModel.indexOf(seg.name), bareKey));
    }
    return written;
  }

  private byte[] fill(byte[] bareKey, Map<String, byte[]> chosen) {
    Reading reading = bare.readPieces(bareKey);
    Map<String, byte[]> written = plain(bareKey);
    List<byte[]> row = new ArrayList<>();
    int length = lacksTail(reading, bareModel) ? model.tail() : model.pieces.size();
    for (int i = 0; i < length; i++) {
      Piece piece = model.pieces.get(i);
      Seg seg = piece.seg();
      boolean isOpening = seg == null && model.isInner(i + 1);
      if (isOpening && written.get(model.pieces.get(i + 1).seg().name).length == 0) {
        i++;
      } else if (seg == null) {
        row.add(((Lit) piece).bytes);
      } else {
        row.add(
            seg.isDerived()
                ? derive(seg, bareKey, written, chosen.get(seg.name))
                : written.get(seg.name));
      }
    }
    return SlowBytes.concat(row);
  }

  /** Whether a row that was read has nothing of what it may lack. */
  static boolean lacksTail(Reading reading, SlowModel model) {
    int last = model.pieces.size() - 1;
    return model.tail() <= last && reading.start(last) == reading.ends.get(last);
  }

  /** Value of a derived segment where this was chosen, if that is allowed. */
  byte[] derive(Seg seg, byte[] bareKey, Map<String, byte[]> written, byte[] chosen) {
    List<byte[]> allowed = allowed(seg, bareKey, written);
    boolean isAllowed = allowed.stream().anyMatch(each -> Arrays.equals(each, chosen));
    return isAllowed ? chosen : allowed.get(0);
  }

  /** All that may stand in a derived segment, from the bytes of the plain ones by name. */
  private List<byte[]> allowed(Seg seg, byte[] bareKey, Map<String, byte[]> written) {
    SlowSource source = seg.source;
    if (!source.isModulo()) {
      return List.of(SlowSegment.saltOfBytes(seg, input(source, bareKey, written)));
    }
    int buckets = source.buckets();
    for (Step step : source.steps()) {
      if (number(source.by(), written).compareTo(step.from()) >= 0) {
        buckets = step.buckets();
      }
    }
    SlowSource plus = source.plus();
    int sum = source.isAny() ? 0 : remainder(source, buckets, bareKey, written);
    if (plus != null && !plus.isAny()) {
      sum += remainder(plus, plus.buckets(), bareKey, written);
    }
    int choices = source.isAny() ? buckets : source.hasChoice() ? plus.buckets() : 1;
    List<byte[]> allowed = new ArrayList<>();
    for (int i = 0; i < choices; i++) {
      allowed.add(SlowSegment.saltOfNumber(seg, (sum + i) % buckets));
    }
    return allowed;
  }

  private int remainder(
      SlowSource source, int buckets, byte[] bareKey, Map<String, byte[]> written) {
    if (source.hash() == null) {
      BigInteger number = number(source.names().get(0), written);
      return number.mod(BigInteger.valueOf(buckets)).intValue();
    }
    byte[] input = input(source, bareKey, written);
    if (source.divisor() > 0) {
      return SlowHash.quotient(source.hash(), source.way(), input, source.divisor());
    }
    return SlowHash.bucket(source.hash(), source.way(), input, buckets);
  }

  private BigInteger number(String name, Map<String, byte[]> written) {
    Seg seg = bareModel.pieces.get(bareModel.indexOf(name)).seg();
    return SlowSegment.number(seg, written.get(name));
  }

  private byte[] input(SlowSource source, byte[] bareKey, Map<String, byte[]> written) {
    List<byte[]> input = new ArrayList<>();
    for (int i = 0; i < source.names().size(); i++) {
      String name = source.names().get(i);
      Seg seg = bareModel.pieces.get(bareModel.indexOf(name)).seg();
      input.add(SlowSegment.said(source.said().get(i), seg, written.get(name)));
    }
    return source.names().isEmpty() ? bareKey : SlowBytes.concat(input);
  }

  /** All segments of a conforming row by name, in order. */
  Map<String, Object> decode(byte[] row) {
    Reading reading = read(row);
    Map<String, Object> values = new LinkedHashMap<>();
    for (Seg seg : model.segs()) {
      byte[] written = reading.of(model.indexOf(seg.name), row);
      boolean isMissing = seg.optional && written.length == 0;
      values.put(seg.name, isMissing ? null : SlowSegment.decode(seg, written));
    }
    return values;
  }

  /** The row of these values of the plain segments, or null when there is none. */
  byte[] encode(Map<String, ?> values) {
    List<byte[]> written = new ArrayList<>();
    Seg last = bareModel.pieces.get(bareModel.pieces.size() - 1).seg();
    boolean lacksTail = last != null && last.optional && values.get(last.name) == null;
    int length = lacksTail ? bareModel.tail() : bareModel.pieces.size();
    for (int i = 0; i < length; i++) {
      Piece piece = bareModel.pieces.get(i);
      boolean isLiteral = piece instanceof Lit;
      if (bareModel.isInner(i + 1) && values.get(bareModel.pieces.get(i + 1).seg().name) == null) {
        written.add(new byte[0]);
        written.add(new byte[0]);
        i++;
        continue;
      }
      written.add(
          isLiteral
              ? ((Lit) piece).bytes
              : SlowSegment.encode(piece.seg(), values.get(piece.seg().name)));
      if (written.get(written.size() - 1) == null) {
        return null;
      }
    }
    byte[] bareKey = SlowBytes.concat(written);
    Reading reading = bare.read(bareKey);
    for (int i = 0; i < written.size(); i++) {
      if (!reading.conforms() || !Arrays.equals(reading.of(i, bareKey), written.get(i))) {
        return null;
      }
    }
    byte[] row = complete(bareKey);
    return row.length > SlowModel.MAX_ROW ? null : row;
  }

  /** Bytes of a row up to and including the group's segment; -1 when it does not conform. */
  int groupEnd(String group, byte[] row) {
    Reading reading = read(row);
    if (!reading.conforms()) {
      return -1;
    }
    return group == null ? row.length : reading.ends.get(model.indexOf(group));
  }

  /** The piece after which no legal boundary is cut any more. */
  int lastCutPiece(String group) {
    if (group == null) {
      return model.pieces.size() - 1;
    }
    int index = model.indexOf(group);
    boolean endsAtLiteral =
        !model.endsBeforeTail(index)
            && !model.pieces.get(index).seg().endsByItself()
            && model.literalAfter(index) != null;
    return endsAtLiteral ? index + 1 : index;
  }

  /** Whether a segment is a number that a bare-name derivation can take. */
  static boolean isNumeric(Seg seg) {
    return seg.kind.isNumber() || seg.kind == Kind.DIGITS;
  }
}
