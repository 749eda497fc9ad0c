package io.rowguard.layout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.SlowModel.Lit;
import io.rowguard.layout.SlowModel.Piece;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The law of unambiguous layouts: no bare key passes for a salted row, whatever its salt would be.
 * Looked for with random keys and rows, and with keys built byte by byte so that they stay the
 * beginning of both as long as they can.
 */
@Tag("whole")
class AmbiguityLawsTest {
  private static final int LAYOUTS_PER_SEED = 600;
  private static final int LONGEST_WALK = 24;
  private static final int[] USUAL = {'0', '1', '9', 'a', 'f', 'A', '_', 'z', 0, 1, 0x7F, 0xFF};

  /** Five seeds: 3,000 layouts, of which more than half derive something. */
  static LongStream seeds() {
    return LawSeeds.of(301, 305);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{salt:digits(2)=murmur3(user)%16}-{user:word}|{time:millis descending}; true",
        "{salt:hex(2)=md5(*)}{id:text}; false",
        "{hash:hex(8)=md5(id)}{id:uint64}; true",
        "{hash:hex(4)=md5(*)}-{id:word}; true",
        "{part:uint64=id%20}{id:uint64}; true",
        "{salt:uint8=java31(metric,tags)%20}{metric:bytes(3)}{hour:uint32}{tags:bytes}; false",
        "{salt:hex(2)=murmur3(tenant)%256}-{tenant:word}/{kind:word}/{id:text}; true",
        "{salt:HEX(1)=md5(*)}{id:hex(1)}{rest:text}; false",
        "{salt:digits(1)=md5(id)%10}{id:word}-{rest:bytes}; false",
        // More pairs of states than are looked at.
        "{salt:hex(2)=md5(*)}{id:text with length uint16}; false"
      })
  void isUnambiguous_knownLayouts_asTheSpecificationSays(String layout, boolean expected) {
    assertEquals(expected, RowkeyLayout.parse(layout).isUnambiguous(), layout);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void isUnambiguous_whenTrue_noBareKeyPassesForARow(long seed) {
    int unambiguous = 0;
    int ambiguous = 0;
    int found = 0;
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      if (at.model.hasDerived() && !at.model.isFixed()) {
        byte[] collision = collision(at);
        if (at.core.isUnambiguous()) {
          unambiguous++;
          assertTrue(collision == null, () -> at.at(collision));
        } else {
          ambiguous++;
          found += collision == null ? 0 : 1;
        }
      }
      if (at.model.hasDerived() && at.model.isFixed()) {
        assertTrue(at.core.isUnambiguous(), at::toString);
      }
    }
    String counts = "unambiguous=" + unambiguous + " ambiguous=" + ambiguous + " found=" + found;
    assertTrue(unambiguous >= 50 && ambiguous >= 20, "seed=" + seed + " " + counts);
    assertTrue(found > ambiguous / 2, "the search is too weak: seed=" + seed + " " + counts);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{salt:hex(2)=md5(*)}{id:text}",
        "{salt:digits(2)=murmur3(*)%16}{id:word}",
        "{salt:uint8=java31(metric,tags)%20}{metric:bytes(3)}{hour:uint32}{tags:bytes}",
        "{salt:digits(1)=md5(id)%10}{id:word}-{rest:bytes}"
      })
  void ambiguousKey_ofAnAmbiguousLayout_passesForBoth(String text) {
    RowkeyLayout layout = RowkeyLayout.parse(text);
    byte[] key = layout.ambiguousKey();

    assertTrue(layout.check(key).conforms() && layout.bare().check(key).conforms());
    assertArrayEquals(key, layout.ambiguousKey(), "the same every time");
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void ambiguousKey_randomLayouts_passesForBothOrIsNone(long seed) {
    int found = 0;
    int ambiguous = 0;
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      ambiguous += at.core.isUnambiguous() ? 0 : 1;
      byte[] key = at.core.ambiguousKey();
      if (key != null) {
        found++;
        assertTrue(at.slow.conforms(key) && at.slow.isBare(key), () -> at.at(key));
      }
    }
    String counts = "seed=" + seed + " found=" + found + " ambiguous=" + ambiguous;
    // No key is found where a long digest would have to be right by chance.
    assertTrue(found > ambiguous / 4, counts);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void isUnambiguous_alphabetsDisjointAtOnePosition_true(long seed) {
    int disjoint = 0;
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      List<BitSet> rows = alphabets(at.model);
      List<BitSet> keys = alphabets(at.model.bare());
      for (int p = 0; p < Math.min(rows.size(), keys.size()) && at.model.hasDerived(); p++) {
        if (!rows.get(p).intersects(keys.get(p))) {
          disjoint++;
          assertTrue(at.core.isUnambiguous(), "position=" + p + " " + at);
          break;
        }
      }
    }
    assertTrue(disjoint >= 20, "seed=" + seed + " disjoint=" + disjoint);
  }

  /** The bytes that may stand at each position before the first segment of variable length. */
  private static List<BitSet> alphabets(SlowModel model) {
    List<BitSet> alphabets = new ArrayList<>();
    for (Piece piece : model.pieces.subList(0, model.tail())) {
      boolean mayLack = model.isInner(model.pieces.indexOf(piece) + 1);
      if (mayLack || (piece.seg() != null && !piece.seg().isFixed())) {
        break;
      }
      int length = piece.seg() == null ? ((Lit) piece).bytes.length : piece.seg().min;
      for (int p = 0; p < length; p++) {
        BitSet alphabet = new BitSet();
        for (int c = 0; c <= 0xFF; c++) {
          alphabet.set(c, mayStand(piece, p, (byte) c));
        }
        alphabets.add(alphabet);
      }
    }
    return alphabets;
  }

  private static boolean mayStand(Piece piece, int position, byte b) {
    if (piece instanceof Lit lit) {
      return lit.bytes[position] == b;
    }
    byte[] one = {b};
    return switch (piece.seg().kind) {
      case TEXT -> mayStandInText(piece.seg().turned ? (byte) ~b : b);
      case MILLIS -> position > 0 || b >= 0;
      default -> SlowSegment.checkAlphabet(piece.seg().kind, one).conforms();
    };
  }

  private static boolean mayStandInText(byte b) {
    return b != (byte) 0xC0 && b != (byte) 0xC1 && (b & 0xFF) <= 0xF4;
  }

  /** A key that is a bare key and, some salt being right, a salted row; null when none found. */
  private static byte[] collision(LayoutCase at) {
    for (int r = 0; r < 40; r++) {
      byte[] key = r % 2 == 0 ? at.rows.bareKey() : at.rows.wrongSalt();
      if (isBoth(at, key)) {
        return key;
      }
    }
    SlowBoundaries rows = SlowBoundaries.rowPrefixes(at.model);
    SlowBoundaries keys = SlowBoundaries.rowPrefixes(at.model.bare());
    for (int walk = 0; walk < 4; walk++) {
      byte[] key = new byte[0];
      while (key != null && key.length < LONGEST_WALK) {
        if (isBoth(at, key)) {
          return key;
        }
        key = longer(at, rows, keys, key);
      }
    }
    return null;
  }

  private static boolean isBoth(LayoutCase at, byte[] key) {
    return at.slow.isBare(key) && at.slow.readWithAnySalt(key).conforms();
  }

  private static byte[] longer(
      LayoutCase at, SlowBoundaries rows, SlowBoundaries keys, byte[] key) {
    List<Integer> bytes = new ArrayList<>();
    for (Piece piece : at.model.pieces) {
      for (byte b : piece instanceof Lit lit ? lit.bytes : new byte[0]) {
        bytes.add((int) b);
      }
    }
    for (int c : USUAL) {
      bytes.add(c);
    }
    bytes.add(at.random.nextInt(0x100));
    Collections.shuffle(bytes, at.random);
    for (int c : bytes) {
      byte[] longer = SlowBytes.append(key, c);
      if (rows.isLegal(longer) && keys.isLegal(longer)) {
        return longer;
      }
    }
    return null;
  }
}
