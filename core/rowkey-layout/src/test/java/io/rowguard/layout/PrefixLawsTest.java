package io.rowguard.layout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.SlowModel.Lit;
import io.rowguard.layout.SlowModel.Seg;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The laws of prefixes: of a row that is cut anywhere, the segments are those of the whole row as
 * far as it goes; and what no row begins with is what the search for boundaries finds none for.
 */
@Tag("whole")
class PrefixLawsTest {
  private static final int LAYOUTS_PER_SEED = 300;
  private static final int LONGEST_ROW = 60;

  /** Eight seeds: 2,400 layouts. */
  static LongStream seeds() {
    return LawSeeds.of(701, 708);
  }

  /** Layouts whose rows are short enough to cut them at every byte. */
  private static List<LayoutCase> cases(long seed) {
    List<LayoutCase> cases = new ArrayList<>();
    for (int i = 0; cases.size() < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      if (at.model.minLength() <= LONGEST_ROW) {
        cases.add(at);
      }
    }
    return cases;
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void readPrefix_rowCutAnywhere_holdsTheSegmentsOfTheRow(long seed) {
    int complete = 0;
    int incomplete = 0;
    for (LayoutCase at : cases(seed)) {
      for (int r = 0; r < 4; r++) {
        byte[] row = at.rows.conforming();
        for (int length = 0; length <= Math.min(row.length, LONGEST_ROW); length++) {
          byte[] prefix = SlowBytes.first(row, length);
          List<PrefixSegment> segments = at.core.readPrefix(prefix);
          assertNotNull(segments, () -> at.at(prefix));
          assertEquals(expected(at, row, length), shown(segments), () -> at.at(prefix));
          for (PrefixSegment segment : segments) {
            complete += segment.isComplete() ? 1 : 0;
            incomplete += segment.isComplete() ? 0 : 1;
          }
        }
      }
    }
    assertTrue(complete > 10_000 && incomplete > 5_000, complete + " " + incomplete);
  }

  /** Verdict of the slow implementation, which reads the whole row, on its first bytes. */
  private static List<String> expected(LayoutCase at, byte[] row, int length) {
    SlowLayout.Reading reading = at.slow.read(row);
    List<String> expected = new ArrayList<>();
    for (Seg seg : at.model.segs()) {
      int piece = at.model.indexOf(seg.name);
      int start = reading.start(piece);
      int end = reading.ends.get(piece);
      if (seg.optional && start == end) {
        continue;
      }
      Lit next = at.model.literalAfter(piece);
      boolean isKnown =
          seg.endsByItself() ? end <= length : next != null && end + next.bytes.length <= length;
      if (isKnown) {
        byte[] written = reading.of(piece, row);
        expected.add(show(seg.name, written, SlowSegment.decode(seg, written)));
      } else if (start < length) {
        byte[] begun = SlowBytes.from(SlowBytes.first(row, length), start);
        expected.add(show(seg.name, begun, null));
      }
    }
    return expected;
  }

  private static List<String> shown(List<PrefixSegment> segments) {
    return segments.stream()
        .map(each -> show(each.segment().name(), each.bytes(), each.value()))
        .toList();
  }

  private static String show(String name, byte[] bytes, Object value) {
    Object shown = value instanceof byte[] some ? SlowBytes.show(some) : value;
    return name + "=" + SlowBytes.show(bytes) + " is " + shown;
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void readPrefix_anyBytes_isNullWhereNoRowBeginsSo(long seed) {
    int prefixes = 0;
    int others = 0;
    for (LayoutCase at : cases(seed)) {
      SlowBoundaries slow = new SlowBoundaries(at.model, null);
      LayoutBoundaries core = LayoutBoundaries.of(at.core, null);
      for (int k = 0; k < 20; k++) {
        byte[] key = key(at);
        boolean isPrefix = key.length == 0 || slow.isLegal(key);
        prefixes += isPrefix ? 1 : 0;
        others += isPrefix ? 0 : 1;
        assertEquals(isPrefix, at.core.readPrefix(key) != null, () -> at.at(key));
        assertEquals(isPrefix, key.length == 0 || core.isLegal(key), () -> at.at(key));
      }
    }
    assertTrue(prefixes > 900 && others > 900, "seed=" + seed + " " + prefixes + " " + others);
  }

  private static byte[] key(LayoutCase at) {
    byte[] row = at.random.nextInt(3) == 0 ? at.rows.next() : at.rows.conforming();
    byte[] cut = SlowBytes.first(row, at.random.nextInt(Math.min(row.length, LONGEST_ROW) + 1));
    return switch (at.random.nextInt(4)) {
      case 0 -> at.rows.mutated(cut);
      case 1 -> cutLike(cut, at.rows.wrongSalt());
      default -> cut;
    };
  }

  private static byte[] cutLike(byte[] cut, byte[] row) {
    return SlowBytes.first(row, Math.min(cut.length, row.length));
  }

  @Test
  void bytes_changedByTheCaller_changeNothing() {
    PrefixSegment user = RowkeyLayout.parse("{user:word}|{n:uint8}").readPrefix(bytes("al")).get(0);
    user.bytes()[0] = 'x';
    assertArrayEquals(bytes("al"), user.bytes());
    assertFalse(user.isComplete());
    assertNull(user.value());
  }

  private static byte[] bytes(String text) {
    return RowText.toBytesBinary(text);
  }
}
