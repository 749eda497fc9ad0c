package io.rowguard.layout;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rowguard.layout.SlowModel.Kind;
import io.rowguard.layout.SlowModel.Lit;
import io.rowguard.layout.SlowModel.Piece;
import io.rowguard.layout.SlowModel.Seg;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Random rows for one layout: conforming ones, bare keys, and rows that are nearly right. */
final class RandomRows {
  private static final String WORD =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  private static final int[] EDGES = {0x00, 0x01, 0x2F, 0x30, 0x39, 0x3A, 0x60, 0x7F, 0x80, 0xFF};
  private static final String[] NOT_UTF8 = {
    "80",
    "c0",
    "c080",
    "c3",
    "e080",
    "e28",
    "e282",
    "eda080",
    "f0",
    "f08080",
    "f0908d",
    "f4908080",
    "f8",
    "ff",
    "fe",
    "c328",
    "e28228"
  };

  private final SlowModel model;
  private final SlowLayout layout;
  private final Random random;
  private final List<byte[]> literals = new ArrayList<>();

  RandomRows(SlowModel model, Random random) {
    this.model = model;
    this.layout = new SlowLayout(model);
    this.random = random;
    for (Piece piece : model.pieces) {
      if (piece instanceof Lit lit) {
        literals.add(lit.bytes);
      }
    }
  }

  /** A row of any sort: about half of them conform. */
  byte[] next() {
    int sort = random.nextInt(100);
    if (sort < 45) {
      return conforming();
    }
    if (sort < 55) {
      return bareKey();
    }
    if (sort < 90) {
      return sort > 86 ? literalInside() : nearMiss();
    }
    return sort < 98 ? spliced(conforming(), conforming()) : noise();
  }

  byte[] conforming() {
    return layout.complete(bareKey(), model.hasChoice() ? random.nextInt() : 0);
  }

  byte[] bareKey() {
    SlowModel bare = model.bare();
    List<byte[]> written = new ArrayList<>();
    boolean lacksTail = bare.tail() < bare.pieces.size() && random.nextInt(3) == 0;
    int length = lacksTail ? bare.tail() : bare.pieces.size();
    for (int i = 0; i < length; i++) {
      Piece piece = bare.pieces.get(i);
      boolean isLiteral = piece instanceof Lit;
      if (bare.isInner(i + 1) && random.nextInt(3) == 0) {
        i++;
        continue;
      }
      List<Lit> next = bare.literalsAfter(i);
      written.add(isLiteral ? ((Lit) piece).bytes : segment(piece.seg(), next));
    }
    return SlowBytes.concat(written);
  }

  /** A row that conforms but for its salts, each of which may be another one or none at all. */
  byte[] wrongSalt() {
    byte[] row = conforming();
    SlowLayout.Reading reading = layout.read(row);
    for (Seg seg : model.segs()) {
      if (seg.isDerived() && random.nextInt(3) > 0) {
        int start = reading.start(model.indexOf(seg.name));
        byte[] other = segment(seg, List.of());
        System.arraycopy(other, 0, row, start, other.length);
      }
    }
    return row;
  }

  /** A row in which a text of fixed length holds the literal after it, if there is such a text. */
  private byte[] literalInside() {
    byte[] row = conforming();
    SlowLayout.Reading reading = layout.read(row);
    for (Seg seg : model.segs()) {
      int piece = model.indexOf(seg.name);
      Lit next = model.literalAfter(piece);
      boolean canHold = seg.isCharacters() && seg.isFixed() && next != null;
      boolean isThere =
          reading.ends.size() > piece && reading.start(piece) < reading.ends.get(piece);
      if (canHold && isThere && next.bytes.length <= seg.min) {
        int at = reading.start(piece) + random.nextInt(seg.min - next.bytes.length + 1);
        System.arraycopy(next.bytes, 0, row, at, next.bytes.length);
        return row;
      }
    }
    return nearMiss();
  }

  private byte[] nearMiss() {
    byte[] row = random.nextInt(5) == 0 ? bareKey() : conforming();
    if (model.hasDerived() && random.nextInt(4) == 0) {
      return wrongSalt();
    }
    return mutated(random.nextInt(4) == 0 ? mutated(row) : row);
  }

  /** The row with one thing wrong: a byte, its length, a literal, a character. */
  byte[] mutated(byte[] row) {
    int at = random.nextInt(row.length + 1);
    byte[] head = SlowBytes.first(row, at);
    byte[] tail = SlowBytes.from(row, at);
    byte[] tailButOne = tail.length == 0 ? tail : SlowBytes.from(tail, 1);
    switch (random.nextInt(14)) {
      case 0:
        return head;
      case 1:
        return SlowBytes.concat(head, tailButOne);
      case 2:
        return SlowBytes.concat(head, anyByte(), tail);
      case 3:
        return SlowBytes.concat(row, anyByte());
      case 4:
        return SlowBytes.first(row, Math.max(0, row.length - 1));
      case 5:
        return SlowBytes.concat(head, literal(), tail);
      case 6:
        return withoutLiteral(row);
      case 7:
        return SlowBytes.concat(head, notUtf8(), tailButOne);
      case 8:
        return SlowBytes.concat(head, SlowBytes.first(row, at), tail);
      case 9:
        byte next = tail.length == 0 ? 0 : tail[0];
        int step = random.nextBoolean() ? 1 : -1;
        return SlowBytes.concat(SlowBytes.append(head, next + step), tailButOne);
      case 10:
        return tail;
      case 11:
        byte[] over = literal();
        return SlowBytes.concat(
            head, over, SlowBytes.from(tail, Math.min(tail.length, over.length)));
      default:
        return SlowBytes.concat(head, anyByte(), tailButOne);
    }
  }

  private byte[] withoutLiteral(byte[] row) {
    int at = literals.isEmpty() ? -1 : SlowBytes.indexOf(row, literal());
    return at < 0 ? row : SlowBytes.concat(SlowBytes.first(row, at), SlowBytes.from(row, at + 1));
  }

  private byte[] spliced(byte[] a, byte[] b) {
    return SlowBytes.concat(
        SlowBytes.first(a, random.nextInt(a.length + 1)),
        SlowBytes.from(b, random.nextInt(b.length + 1)));
  }

  private byte[] noise() {
    boolean tooLong = random.nextInt(20) == 0;
    byte[] noise = new byte[tooLong ? 32766 + random.nextInt(4) : random.nextInt(20)];
    random.nextBytes(noise);
    if (tooLong && random.nextBoolean()) {
      byte[] row = conforming();
      System.arraycopy(row, 0, noise, 0, Math.min(row.length, noise.length));
    }
    return noise;
  }

  private byte[] anyByte() {
    int c = random.nextBoolean() ? EDGES[random.nextInt(EDGES.length)] : random.nextInt(0x100);
    return new byte[] {(byte) c};
  }

  private byte[] literal() {
    return literals.isEmpty() ? anyByte() : literals.get(random.nextInt(literals.size()));
  }

  private byte[] notUtf8() {
    return SlowBytes.hex(NOT_UTF8[random.nextInt(NOT_UTF8.length)]);
  }

  /** Bytes that a segment may hold before the one of these literals that a row has there. */
  byte[] segment(Seg seg, List<Lit> next) {
    int spread = random.nextInt(20) == 0 ? 200 : 12;
    int most = Math.min(seg.longest(), seg.min + spread);
    int length = random.nextInt(4) == 0 ? seg.min : seg.min + random.nextInt(most - seg.min + 1);
    if (seg.hasLength()) {
      return SlowSegment.withLength(seg, content(seg, length));
    }
    for (int attempt = 0; attempt < 6; attempt++) {
      byte[] bytes = content(seg, length);
      boolean ends = seg.isCharacters() || !seg.isFixed();
      if (!ends || next.stream().allMatch(lit -> mayPrecede(seg, lit, bytes))) {
        return bytes;
      }
    }
    String letters = seg.kind == Kind.DIGITS ? "0123456789" : WORD;
    for (Lit lit : next) {
      for (byte b : SlowSegment.upright(seg, lit.bytes)) {
        letters = letters.replace(Character.toString(b & 0xFF), "");
      }
    }
    return SlowSegment.upright(seg, letters(letters, length));
  }

  private static boolean mayPrecede(Seg seg, Lit next, byte[] bytes) {
    byte[] rest = seg.isFixed() ? bytes : SlowBytes.concat(bytes, next.bytes);
    int at = SlowBytes.indexOf(rest, next.bytes);
    return seg.isFixed() ? at < 0 : at == bytes.length;
  }

  private byte[] content(Seg seg, int length) {
    switch (seg.kind) {
      case HEX:
        return letters("0123456789abcdef", length);
      case UPPER_HEX:
        return letters("0123456789ABCDEF", length);
      case DIGITS:
        return letters(random.nextInt(4) == 0 ? "09" : "0123456789", length);
      case WORD:
        return letters(random.nextInt(3) == 0 ? "ab0_" : WORD, length);
      case TEXT:
        return SlowSegment.upright(seg, text(length, seg.turned));
      default:
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        for (int i = 0; i < length && random.nextInt(3) == 0; i++) {
          bytes[i] = anyByte()[0];
        }
        if (seg.kind == Kind.MILLIS) {
          bytes[0] &= 0x7F;
        }
        return bytes;
    }
  }

  private byte[] letters(String alphabet, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) alphabet.charAt(random.nextInt(alphabet.length()));
    }
    return bytes;
  }

  private byte[] text(int length, boolean turned) {
    byte[] text = new byte[0];
    while (text.length < length) {
      byte[] longer = SlowBytes.concat(text, character(turned));
      text = longer.length <= length ? longer : SlowBytes.append(text, 'a' + random.nextInt(3));
    }
    return text;
  }

  private byte[] character(boolean turned) {
    switch (random.nextInt(8)) {
      case 0:
        byte[] written = literal();
        byte[] literal = turned ? SlowBytes.bitsTurned(written) : written;
        return SlowSegment.isUtf8(literal) ? literal : letters("ab", 1);
      case 1:
        return letters("\u0000\u0001\u007F\t\n\\{}", 1);
      case 2:
        return Character.toString(0x80 + random.nextInt(0x780)).getBytes(UTF_8);
      case 3:
        boolean low = random.nextBoolean();
        int three = low ? 0x800 + random.nextInt(0xD000) : 0xE000 + random.nextInt(0x2000);
        return Character.toString(three).getBytes(UTF_8);
      case 4:
        return Character.toString(0x10000 + random.nextInt(0x100000)).getBytes(UTF_8);
      case 5:
        return letters("0123456789abcdef", 1);
      default:
        return letters(WORD, 1);
    }
  }

  /** Another row, mostly of the same group: the values up to the group's end are kept. */
  static byte[] sameGroup(LayoutCase at, byte[] row) {
    byte[] other = at.rows.conforming();
    if (at.group == null || at.random.nextInt(3) == 0) {
      return other;
    }
    Map<String, Object> values = at.slow.decode(row);
    Map<String, Object> otherValues = at.slow.decode(other);
    boolean after = false;
    for (Seg seg : at.model.segs()) {
      if (after) {
        values.put(seg.name, otherValues.get(seg.name));
      }
      after |= seg.name.equals(at.group);
    }
    byte[] mixed = at.slow.encode(values);
    return mixed == null ? other : mixed;
  }

  /** A row as text, so that a message can show it. */
  static String show(byte[] row) {
    return SlowBytes.show(row.length > 300 ? SlowBytes.first(row, 300) : row);
  }
}
