package io.rowguard.layout;

import io.rowguard.layout.SlowModel.Kind;
import io.rowguard.layout.SlowModel.Lit;
import io.rowguard.layout.SlowModel.Piece;
import io.rowguard.layout.SlowModel.Seg;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Legal boundaries by search: is there a row that begins with these bytes? Every prefix of a legal
 * boundary is legal, so the legal boundaries are the nodes of a tree with up to 256 children each,
 * and floor and ceiling are walks in that tree, one child after the other.
 */
final class SlowBoundaries {
  private static final String FILLERS =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  private static final int ANYWHERE = Integer.MAX_VALUE;

  private final SlowModel model;
  private final SlowLayout layout;
  private final int lastPiece;
  private final boolean saltsMustBeRight;
  private final Map<Seg, List<byte[]>> salts = new HashMap<>();

  SlowBoundaries(SlowModel model, String group) {
    this(model, group, true);
  }

  private SlowBoundaries(SlowModel model, String group, boolean saltsMustBeRight) {
    this.model = model;
    this.layout = new SlowLayout(model);
    this.lastPiece = layout.lastCutPiece(group);
    this.saltsMustBeRight = saltsMustBeRight;
  }

  /** Prefixes of rows, cut anywhere, any possible salt taken for right. */
  static SlowBoundaries rowPrefixes(SlowModel model) {
    return new SlowBoundaries(model, null, false);
  }

  boolean isLegal(byte[] b) {
    return isLegal(b, ANYWHERE);
  }

  /** Legal, and readable so that no byte from {@code fixedFrom} on is of a variable segment. */
  boolean isLegal(byte[] b, int fixedFrom) {
    int p = 0;
    Map<String, byte[]> complete = new HashMap<>();
    for (int i = 0; p < b.length; i++) {
      if (i > lastPiece) {
        return false;
      }
      byte[] rest = SlowBytes.from(b, p);
      Piece piece = model.pieces.get(i);
      int length;
      if (model.lacksInner(i, rest)) {
        complete.put(model.pieces.get(++i).seg().name, new byte[0]);
        continue;
      }
      if (piece instanceof Lit lit) {
        if (rest.length < lit.bytes.length) {
          return SlowBytes.startsWith(lit.bytes, rest) && saltsAreRight(b, complete, false);
        }
        if (!SlowBytes.startsWith(rest, lit.bytes)) {
          return false;
        }
        length = lit.bytes.length;
      } else {
        Seg seg = piece.seg();
        Lit next = seg.isFixed() ? model.literalAfter(i) : model.literalAfter(i, rest);
        boolean endless = !seg.endsByItself() && next == null;
        length = endless ? -1 : SlowSegment.lengthIn(seg, next, rest);
        if (length < 0 && seg.hasLength()) {
          return rest.length <= fixedFrom - p
              && isStartWithLength(seg, rest)
              && saltsAreRight(b, complete, false);
        }
        if (length < 0) {
          boolean mayEnd = model.endsBeforeTail(i);
          boolean starts =
              isStart(seg, next, rest, fixedFrom - p, mayEnd && i == lastPiece)
                  || (mayEnd && isWholeRest(seg, rest) && rest.length <= fixedFrom - p);
          return starts && saltsAreRight(b, complete, false);
        }
        boolean right = SlowSegment.check(seg, next, rest, length) == Verdict.CONFORMS;
        byte[] written = SlowBytes.first(rest, length);
        right &= !seg.isDerived() || SlowSegment.isPossibleSalt(seg, written);
        if (!right || (!seg.isFixed() && p + length > fixedFrom)) {
          return false;
        }
        complete.put(seg.name, written);
      }
      p += length;
      if (p == b.length) {
        return saltsAreRight(b, complete, i == model.pieces.size() - 1);
      }
    }
    return false;
  }

  /** Whether bytes can be the beginning of a length, or a length and that of a value. */
  private static boolean isStartWithLength(Seg seg, byte[] start) {
    if (start.length < seg.lengthBytes) {
      int missing = 8 * (seg.lengthBytes - start.length);
      BigInteger from = new BigInteger(1, start).shiftLeft(missing);
      BigInteger below = from.add(BigInteger.ONE.shiftLeft(missing));
      BigInteger least = BigInteger.valueOf(seg.min + seg.plus);
      BigInteger most = BigInteger.valueOf(seg.longest() + seg.plus);
      return from.compareTo(most) <= 0 && below.compareTo(least) > 0;
    }
    BigInteger said = new BigInteger(1, SlowBytes.first(start, seg.lengthBytes));
    int length = said.intValue() - (int) seg.plus;
    return canGrow(seg.ofLength(length), null, SlowSegment.withoutLength(seg, start));
  }

  /** Every salt that is complete, with everything it is derived from complete, must be right. */
  private boolean saltsAreRight(byte[] b, Map<String, byte[]> complete, boolean allPieces) {
    for (Seg seg : model.segs()) {
      if (saltsMustBeRight && seg.isDerived() && complete.containsKey(seg.name)) {
        boolean star = seg.source.needsWholeKey();
        boolean known = star ? allPieces : complete.keySet().containsAll(seg.source.needs());
        byte[] bareKey = star && allPieces ? layout.strip(b) : null;
        byte[] stands = complete.get(seg.name);
        if (known && !Arrays.equals(layout.derive(seg, bareKey, complete, stands), stands)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether a row may end with these bytes of a segment; they do not hold the literal after it. */
  private static boolean isWholeRest(Seg seg, byte[] rest) {
    return SlowSegment.check(seg, null, rest, rest.length) == Verdict.CONFORMS;
  }

  private boolean isStart(
      Seg seg, Lit next, byte[] start, int fixedFrom, boolean endsBeforeLiteral) {
    if (seg.isDerived() && seg.source.isModulo()) {
      List<byte[]> all = salts.computeIfAbsent(seg, SlowSegment::salts);
      int found = Collections.binarySearch(all, start, SlowBytes::compare);
      int atOrAfter = found < 0 ? -found - 1 : found;
      return atOrAfter < all.size() && SlowBytes.startsWith(all.get(atOrAfter), start);
    }
    if (seg.isFixed()) {
      return seg.isCharacters()
          ? canGrow(seg, next, start)
          : SlowSegment.checkAlphabet(seg, start) == Verdict.CONFORMS;
    }
    if (start.length <= fixedFrom && canGrow(seg, next, start)) {
      return true;
    }
    for (int cut = start.length - 1; cut > 0 && next != null && !endsBeforeLiteral; cut--) {
      byte[] content = SlowBytes.first(start, cut);
      boolean literalBegins = SlowBytes.startsWith(next.bytes, SlowBytes.from(start, cut));
      if (literalBegins && cut <= fixedFrom && isComplete(seg, next, content)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isComplete(Seg seg, Lit next, byte[] content) {
    byte[] rest = next == null ? content : SlowBytes.concat(content, next.bytes);
    return SlowSegment.lengthIn(seg, next, rest) == content.length
        && SlowSegment.check(seg, next, rest, content.length) == Verdict.CONFORMS;
  }

  /**
   * Whether a segment's first bytes can be grown to a whole segment. At the end of a character any
   * number of letters that are not in the literal will do; inside one, all continuations are tried.
   */
  private static boolean canGrow(Seg seg, Lit next, byte[] start) {
    if (isComplete(seg, next, start)) {
      return true;
    }
    boolean tooFar = next != null && SlowBytes.indexOf(start, next.bytes) >= 0;
    if (tooFar || start.length >= seg.max) {
      return false;
    }
    if (SlowSegment.checkAlphabet(seg, start) == Verdict.CONFORMS) {
      String filler = seg.kind == Kind.DIGITS ? "0123456789" : FILLERS;
      for (byte b : next == null ? new byte[0] : SlowSegment.upright(seg, next.bytes)) {
        filler = filler.replace(Character.toString(b & 0xFF), "");
      }
      byte[] more = new byte[Math.max(1, seg.min - start.length)];
      Arrays.fill(more, (byte) filler.charAt(0));
      return isComplete(seg, next, SlowBytes.concat(start, SlowSegment.upright(seg, more)));
    }
    if (seg.kind != Kind.TEXT || !isInsideCharacter(SlowSegment.upright(seg, start))) {
      return false;
    }
    for (int c = 0x80; c <= 0xBF; c++) {
      if (canGrow(seg, next, SlowBytes.append(start, seg.turned ? ~c : c))) {
        return true;
      }
    }
    return false;
  }

  /** Whether bytes are characters and then one to three bytes that begin another one. */
  private static boolean isInsideCharacter(byte[] bytes) {
    for (int tail = 1; tail <= Math.min(3, bytes.length); tail++) {
      byte[] head = SlowBytes.first(bytes, bytes.length - tail);
      if (SlowSegment.isUtf8(head)) {
        return beginsCharacter(SlowBytes.from(bytes, head.length));
      }
    }
    return false;
  }

  private static boolean beginsCharacter(byte[] start) {
    if (start.length < 4 && (start[0] & 0xFF) >= 0xC2) {
      for (int c : new int[] {0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF}) {
        byte[] longer = SlowBytes.append(start, c);
        if (SlowSegment.isUtf8(longer) || beginsCharacter(longer)) {
          return true;
        }
      }
    }
    return false;
  }

  private int firstChild(byte[] node, int from) {
    for (int c = from; c <= 0xFF; c++) {
      if (isLegal(SlowBytes.append(node, c))) {
        return c;
      }
    }
    return -1;
  }

  private int lastChild(byte[] node, int below, int fixedFrom) {
    for (int c = below - 1; c >= 0; c--) {
      if (isLegal(SlowBytes.append(node, c), fixedFrom)) {
        return c;
      }
    }
    return -1;
  }

  private byte[] longestLegalPrefix(byte[] key) {
    int length = 0;
    while (length < key.length && isLegal(SlowBytes.first(key, length + 1))) {
      length++;
    }
    return SlowBytes.first(key, length);
  }

  /** The largest legal boundary at or below a key, null when there is none. */
  byte[] floor(byte[] key) {
    byte[] node = longestLegalPrefix(key);
    int below = node.length == key.length ? 0 : key[node.length] & 0xFF;
    int child = lastChild(node, below, key.length);
    while (child >= 0) {
      node = SlowBytes.append(node, child);
      child = lastChild(node, 0x100, key.length);
    }
    return node.length == 0 ? null : node;
  }

  /** The smallest legal boundary above a key, null when there is none. */
  byte[] ceiling(byte[] key) {
    byte[] node = longestLegalPrefix(key);
    int from = node.length == key.length ? 0 : (key[node.length] & 0xFF) + 1;
    while (firstChild(node, from) < 0) {
      if (node.length == 0) {
        return null;
      }
      from = (node[node.length - 1] & 0xFF) + 1;
      node = SlowBytes.first(node, node.length - 1);
    }
    return SlowBytes.append(node, firstChild(node, from));
  }

  /** The smallest legal boundary above every row of a row's group. */
  byte[] successor(byte[] row) {
    SlowLayout.Reading reading = layout.read(row);
    return ceiling(reading.conforms() ? SlowBytes.first(row, reading.ends.get(lastPiece)) : row);
  }

  /** Whether some row lies in [start, end), any possible salt taken for right. */
  boolean isReachable(byte[] start, byte[] end) {
    return rowPrefixes(model).isReachable(new byte[0], start, end);
  }

  private boolean isReachable(byte[] node, byte[] start, byte[] end) {
    boolean belowEnd = end.length == 0 || SlowBytes.compare(node, end) < 0;
    boolean startsHere = SlowBytes.compare(node, start) >= 0;
    if (startsHere && belowEnd && layout.readWithAnySalt(node).conforms()) {
      return true;
    }
    boolean cutByStart = node.length < start.length && SlowBytes.startsWith(start, node);
    boolean cutByEnd = node.length < end.length && SlowBytes.startsWith(end, node);
    if (!cutByStart && !cutByEnd) {
      return startsHere && belowEnd && (node.length == 0 || isLegal(node));
    }
    for (int c = 0; c <= 0xFF; c++) {
      byte[] child = SlowBytes.append(node, c);
      boolean endsBefore =
          SlowBytes.compare(child, start) < 0 && !SlowBytes.startsWith(start, child);
      boolean beginsAfter = end.length > 0 && SlowBytes.compare(child, end) >= 0;
      boolean outside = endsBefore || beginsAfter;
      if (!outside && isLegal(child) && isReachable(child, start, end)) {
        return true;
      }
    }
    return false;
  }
}
