package io.rowguard.layout;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.rowguard.layout.SlowModel.Kind;
import io.rowguard.layout.SlowModel.Lit;
import io.rowguard.layout.SlowModel.Seg;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** One segment of {@link SlowLayout}: its alphabet, its length, its value, its salt. */
final class SlowSegment {
  private static final BigInteger TWO_TO_64 = BigInteger.ONE.shiftLeft(64);
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_]*");

  private SlowSegment() {}

  /** The bytes of {@code rest} that the segment takes; -1 when that cannot be known. */
  static int lengthIn(Seg seg, Lit next, byte[] rest) {
    if (seg.hasLength()) {
      return lengthWithLength(seg, rest);
    }
    if (seg.isFixed()) {
      return rest.length < seg.min ? -1 : seg.min;
    }
    return next == null ? rest.length : SlowBytes.indexOf(rest, next.bytes);
  }

  /** The bytes of a length that stands in front, and as many as it says; -1 while it is cut. */
  private static int lengthWithLength(Seg seg, byte[] rest) {
    if (rest.length < seg.lengthBytes) {
      return -1;
    }
    long said = new BigInteger(1, SlowBytes.first(rest, seg.lengthBytes)).longValue() - seg.plus;
    long all = seg.lengthBytes + Math.max(0, Math.min(said, 1 << 20));
    return said < seg.min || said > seg.longest() || all <= rest.length ? (int) all : -1;
  }

  /** The value of a segment without the length in front of it. */
  static byte[] withoutLength(Seg seg, byte[] written) {
    return SlowBytes.from(written, seg.lengthBytes);
  }

  /** The value of a segment with the length in front of it, if it has one. */
  static byte[] withLength(Seg seg, byte[] value) {
    return SlowBytes.concat(
        bigEndian(BigInteger.valueOf(value.length + seg.plus), seg.lengthBytes), value);
  }

  private static Verdict checkWithLength(Seg seg, byte[] rest, int length) {
    if (length < 0) {
      return Verdict.TOO_SHORT;
    }
    long said = new BigInteger(1, SlowBytes.first(rest, seg.lengthBytes)).longValue() - seg.plus;
    if (said < seg.min) {
      return Verdict.SEGMENT_TOO_SHORT;
    }
    if (said > seg.longest()) {
      return Verdict.SEGMENT_TOO_LONG;
    }
    return checkAlphabet(seg, withoutLength(seg, SlowBytes.first(rest, length)));
  }

  static Verdict check(Seg seg, Lit next, byte[] rest, int length) {
    if (seg.hasLength()) {
      return checkWithLength(seg, rest, length);
    }
    if (length < 0) {
      return seg.isFixed() ? Verdict.TOO_SHORT : Verdict.LITERAL_MISSING;
    }
    if (length == 0 && next == null) {
      return Verdict.TOO_SHORT;
    }
    if (length < seg.min) {
      return Verdict.SEGMENT_TOO_SHORT;
    }
    if (length > seg.max) {
      return Verdict.SEGMENT_TOO_LONG;
    }
    byte[] bytes = SlowBytes.first(rest, length);
    Verdict letters = checkAlphabet(seg, bytes);
    if (letters == Verdict.CONFORMS && seg.isCharacters() && next != null) {
      return SlowBytes.indexOf(bytes, next.bytes) < 0 ? letters : Verdict.LITERAL_INSIDE;
    }
    return letters;
  }

  /** Of bytes as they stand in the row. */
  static Verdict checkAlphabet(Seg seg, byte[] bytes) {
    return checkAlphabet(seg.kind, upright(seg, bytes));
  }

  /** Bytes of a row with the bits turned back, or those of a value turned for the row. */
  static byte[] upright(Seg seg, byte[] bytes) {
    return seg.turned ? SlowBytes.bitsTurned(bytes) : bytes;
  }

  static Verdict checkAlphabet(Kind kind, byte[] bytes) {
    String text = new String(bytes, ISO_8859_1);
    switch (kind) {
      case HEX:
        return isMadeOf("0123456789abcdef", text) ? Verdict.CONFORMS : Verdict.NOT_HEX;
      case UPPER_HEX:
        return isMadeOf("0123456789ABCDEF", text) ? Verdict.CONFORMS : Verdict.NOT_HEX;
      case DIGITS:
        return isMadeOf("0123456789", text) ? Verdict.CONFORMS : Verdict.NOT_DIGITS;
      case WORD:
        return WORD.matcher(text).matches() ? Verdict.CONFORMS : Verdict.NOT_WORD;
      case TEXT:
        return isUtf8(bytes) ? Verdict.CONFORMS : Verdict.NOT_TEXT;
      case MILLIS:
        return bytes[0] >= 0 ? Verdict.CONFORMS : Verdict.NOT_MILLIS;
      default:
        return Verdict.CONFORMS;
    }
  }

  /** Whether all that a segment of several lengths can hold sorts above the literal after it. */
  static boolean isAbove(Lit next, Seg seg) {
    int first = next.bytes[0] & 0xFF;
    for (int b = 0; b <= first; b++) {
      boolean isLiteral = next.bytes.length == 1 && b == first;
      if (!isLiteral && mayHold(seg, b)) {
        return false;
      }
    }
    return true;
  }

  /** Whether some value of a text, word or digits, as it stands in the row, has a byte. */
  static boolean mayHold(Seg seg, int b) {
    byte[] one = upright(seg, new byte[] {(byte) b});
    if (seg.kind != Kind.TEXT) {
      return checkAlphabet(seg.kind, one) == Verdict.CONFORMS;
    }
    int upright = one[0] & 0xFF;
    return upright != 0xC0 && upright != 0xC1 && upright <= 0xF4;
  }

  private static boolean isMadeOf(String alphabet, String text) {
    return text.chars().allMatch(c -> alphabet.indexOf(c) >= 0);
  }

  /** The JDK's own decoder, told to report instead of replace. */
  static boolean isUtf8(byte[] bytes) {
    CharBuffer characters = CharBuffer.allocate(bytes.length);
    return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes), characters, true).isUnderflow();
  }

  /** The bytes with the modifier undone, or done: both are the same turn. */
  private static byte[] turn(Seg seg, byte[] bytes) {
    if (seg.turned) {
      return SlowBytes.bitsTurned(bytes);
    }
    if (!seg.modified || seg.kind.isNumber()) {
      return bytes;
    }
    if (seg.kind == Kind.TEXT) {
      int[] characters = new String(bytes, UTF_8).codePoints().toArray();
      StringBuilder turned = new StringBuilder();
      for (int i = characters.length - 1; i >= 0; i--) {
        turned.appendCodePoint(characters[i]);
      }
      return turned.toString().getBytes(UTF_8);
    }
    return SlowBytes.backToFront(bytes);
  }

  /** The value v of a number written as w, or w for v: MAX - x is its own inverse. */
  private static BigInteger turnNumber(Seg seg, BigInteger number) {
    if (!seg.modified) {
      return number;
    }
    return largest(seg.kind).subtract(number).mod(TWO_TO_64);
  }

  private static BigInteger largest(Kind kind) {
    if (kind.width() == 8) {
      return BigInteger.valueOf(Long.MAX_VALUE);
    }
    int bits = 8 * kind.width() - (kind.isSigned() ? 1 : 0);
    return BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
  }

  /** A signed number, or the largest minus it, as written: two's complement, sign bit turned. */
  private static byte[] writeSigned(Seg seg, BigInteger number) {
    BigInteger most = largest(seg.kind);
    BigInteger smallest = most.negate().subtract(BigInteger.ONE);
    BigInteger steps = seg.modified ? most.subtract(number) : number.subtract(smallest);
    return bigEndian(steps, seg.kind.width());
  }

  private static BigInteger readSigned(Seg seg, byte[] written) {
    if (seg.modified) {
      return largest(seg.kind).subtract(new BigInteger(1, written));
    }
    byte[] twosComplement = written.clone();
    twosComplement[0] ^= (byte) 0x80;
    return new BigInteger(twosComplement);
  }

  private static byte[] bigEndian(BigInteger number, int width) {
    byte[] bytes = new byte[width];
    for (int i = 0; i < width; i++) {
      bytes[i] = number.shiftRight(8 * (width - 1 - i)).byteValue();
    }
    return bytes;
  }

  /** The number that stands in a segment: of digits, of a number, or of the bytes of a salt. */
  static BigInteger number(Seg seg, byte[] written) {
    if (seg.kind.isSigned()) {
      return readSigned(seg, written);
    }
    if (seg.kind.isNumber()) {
      return turnNumber(seg, new BigInteger(1, written));
    }
    byte[] straight = turn(seg, written);
    if (seg.kind == Kind.BYTES) {
      return new BigInteger(1, straight);
    }
    if (seg.from != null) {
      return seg.from.subtract(new BigInteger(new String(straight, ISO_8859_1)));
    }
    return new BigInteger(new String(straight, ISO_8859_1), seg.kind == Kind.DIGITS ? 10 : 16);
  }

  /**
   * Part of a segment that goes into a hash: "id", "first 4 of id", "id as decimal", and the like.
   */
  static byte[] said(String said, Seg seg, byte[] written) {
    byte[] all = written;
    if (written.length > 0 && said.endsWith(" as text")) {
      all = turn(seg, withoutLength(seg, written));
    } else if (written.length > 0 && said.endsWith(" as decimal")) {
      all = number(seg, written).toString().getBytes(UTF_8);
    } else if (written.length > 0 && said.endsWith(" as long")) {
      all = bigEndian(number(seg, written), 8);
    }
    String[] words = said.split(" ", -1);
    boolean isCut = words[0].equals("first") && words.length > 1;
    return isCut ? SlowBytes.first(all, Math.min(all.length, Integer.parseInt(words[1]))) : all;
  }

  /** The salt that a number, below its buckets, gives. */
  static byte[] saltOfNumber(Seg seg, int number) {
    return writeNumber(seg, BigInteger.valueOf(number));
  }

  /** The salt that hashed bytes give without "%". */
  static byte[] saltOfBytes(Seg seg, byte[] input) {
    byte[] digest = SlowHash.digest(seg.source.hash(), input);
    if (seg.kind.isNumber()) {
      return writeNumber(seg, new BigInteger(1, SlowBytes.first(digest, seg.kind.width())));
    }
    if (seg.kind == Kind.BYTES) {
      return turn(seg, SlowBytes.first(digest, seg.min));
    }
    String digits = SlowBytes.hex(digest).substring(0, seg.min);
    boolean upper = seg.kind == Kind.UPPER_HEX;
    return turn(seg, (upper ? digits.toUpperCase(Locale.ROOT) : digits).getBytes(ISO_8859_1));
  }

  private static byte[] writeNumber(Seg seg, BigInteger number) {
    if (seg.kind.isNumber()) {
      return bigEndian(turnNumber(seg, number), seg.kind.width());
    }
    if (seg.kind == Kind.BYTES) {
      return turn(seg, bigEndian(number, seg.min));
    }
    String digits = number.toString(seg.kind == Kind.DIGITS ? 10 : 16);
    String padded = "0".repeat(seg.min - digits.length()) + digits;
    boolean upper = seg.kind == Kind.UPPER_HEX;
    return turn(seg, (upper ? padded.toUpperCase(Locale.ROOT) : padded).getBytes(ISO_8859_1));
  }

  /** Every salt that a "% b" derivation can write, ascending. */
  static List<byte[]> salts(Seg seg) {
    List<byte[]> salts = new ArrayList<>();
    for (int i = 0; i < seg.source.most(); i++) {
      salts.add(writeNumber(seg, BigInteger.valueOf(i)));
    }
    salts.sort(SlowBytes::compare);
    return salts;
  }

  static boolean isPossibleSalt(Seg seg, byte[] written) {
    if (checkAlphabet(seg, written) != Verdict.CONFORMS) {
      return false;
    }
    BigInteger buckets = BigInteger.valueOf(seg.source.most());
    return !seg.source.isModulo() || number(seg, written).compareTo(buckets) < 0;
  }

  /** String, Long or byte[], as the segment's type has it. */
  static Object decode(Seg seg, byte[] written) {
    if (seg.isNumber()) {
      return number(seg, written).longValue();
    }
    byte[] straight = turn(seg, withoutLength(seg, written));
    return seg.kind == Kind.BYTES ? straight : new String(straight, UTF_8);
  }

  /** The bytes of a value in the row, or null when the segment cannot hold it. */
  static byte[] encode(Seg seg, Object value) {
    if (seg.kind.isNumber()) {
      return value instanceof Long number ? encodeNumber(seg, number) : null;
    }
    if (seg.from != null) {
      return value instanceof Long number ? encodeBelow(seg, BigInteger.valueOf(number)) : null;
    }
    byte[] straight;
    if (seg.kind == Kind.BYTES) {
      straight = value instanceof byte[] bytes ? bytes : null;
    } else if (seg.kind == Kind.DIGITS && value instanceof Long number) {
      String digits = number < 0 ? "" : Long.toString(number);
      straight = ("0".repeat(Math.max(0, seg.min - digits.length())) + digits).getBytes(UTF_8);
      straight = number < 0 ? null : straight;
    } else {
      straight = value instanceof String text ? text.getBytes(UTF_8) : null;
      if (straight != null && !new String(straight, UTF_8).equals(value)) {
        return null;
      }
    }
    if (straight == null || checkAlphabet(seg.kind, straight) != Verdict.CONFORMS) {
      return null;
    }
    boolean fits = straight.length >= seg.min && straight.length <= seg.longest();
    return fits ? withLength(seg, turn(seg, straight)) : null;
  }

  private static byte[] encodeBelow(Seg seg, BigInteger number) {
    String digits = seg.from.subtract(number).toString();
    boolean fits = !digits.startsWith("-") && digits.length() <= seg.min;
    return fits ? ("0".repeat(seg.min - digits.length()) + digits).getBytes(UTF_8) : null;
  }

  private static byte[] encodeNumber(Seg seg, long value) {
    int width = seg.kind.width();
    if (seg.kind.isSigned()) {
      boolean fits = BigInteger.valueOf(value).bitLength() < 8 * width;
      return fits ? writeSigned(seg, BigInteger.valueOf(value)) : null;
    }
    boolean fits =
        width == 8
            ? seg.kind == Kind.UINT64 || value >= 0
            : value >= 0 && value < 1L << (8 * width);
    BigInteger number = BigInteger.valueOf(value).mod(TWO_TO_64);
    return fits ? bigEndian(turnNumber(seg, number), width) : null;
  }
}
