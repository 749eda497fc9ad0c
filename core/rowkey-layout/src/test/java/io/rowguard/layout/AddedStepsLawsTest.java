package io.rowguard.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.SlowModel.Piece;
import io.rowguard.layout.SlowModel.Seg;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Which rows a step that is added can give another place, held to all rows of small layouts. */
@Tag("whole")
class AddedStepsLawsTest {
  private static final int LAYOUTS_PER_SEED = 4_000;

  static LongStream seeds() {
    return LawSeeds.of(801, 803);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void rows_ofAllThatHaveAnotherPlace_holdThem(long seed) {
    int moving = 0;
    int resting = 0;
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      Random random = LayoutCase.random(seed, i);
      SlowModel to = new SmallLayouts(random).next();
      SlowModel from = withFewerSteps(to, random);
      if (from != null) {
        String at = "seed=" + seed + " index=" + i + " from=" + from.text() + " to=" + to.text();
        RowkeyLayout before = RowkeyLayout.parse(from.text());
        RowkeyLayout after = RowkeyLayout.parse(to.text());
        AddedSteps added = AddedSteps.of(before, after);
        assertNotNull(added, at);
        assertNull(AddedSteps.of(after, before), at);
        List<KeyRange> ranges = added.rows();
        assertEquals(added.isInRanges(), !ranges.equals(List.of(KeyRange.all())), at);
        for (byte[] row : SmallLayouts.rows(to)) {
          boolean isMoving = new SlowLayout(from).conforms(row) != new SlowLayout(to).conforms(row);
          boolean isIn = ranges.stream().anyMatch(range -> range.contains(row));
          assertTrue(isIn || !isMoving, () -> at + " row=" + RandomRows.show(row) + ranges);
          moving += isMoving ? 1 : 0;
          resting += isIn ? 0 : 1;
        }
      }
    }
    String counts = "seed=" + seed + " moving=" + moving + " resting=" + resting;
    assertTrue(moving > 1_000 && resting > 3_000, counts);
  }

  /** Some of the last steps of one derived segment taken away; null where there are none. */
  private static SlowModel withFewerSteps(SlowModel model, Random random) {
    List<Piece> pieces = new ArrayList<>(model.pieces);
    for (int i = 0; i < pieces.size(); i++) {
      Seg seg = pieces.get(i).seg();
      if (seg != null && seg.isDerived() && !seg.source.steps().isEmpty()) {
        SlowSource all = seg.source;
        int kept = random.nextInt(all.steps().size());
        String by = kept == 0 ? null : all.by();
        pieces.set(i, seg.from(all.withSteps(by, all.steps().subList(0, kept))));
        return new SlowModel(pieces);
      }
    }
    return null;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        // the day in front: one range per bucket
        "%16; %16,64 from day=50; 64; 00-50 .. 00.",
        "%16,20 from day=20; %16,20 from day=20,32 from day=50; 32; 00-50 .. 00.",
        "%16+murmur3(id)%4; %16+murmur3(id)%4,64 from day=99; 64; 00-99 .. 00.",
      })
  void rows_ofAStepByTheFirstSegment_areARangePerBucket(
      String before, String after, int buckets, String first) {
    String text = "{salt:digits(2)=md5(*)%s}-{day:digits(2)}/{id:word}";
    AddedSteps added = added(text, before, after);

    assertTrue(added.isInRanges());
    assertEquals(buckets, added.rows().size());
    assertEquals(first, shown(added.rows().get(0)));
  }

  @Test
  void rows_ofADescendingSegment_areTheFirstOfEachBucket() {
    String text = "{salt:digits(1)=md5(*)%2%s}|{day:uint8 descending}{id:word}";
    AddedSteps added = added(text, "", ",3 from day=200");

    assertEquals(
        List.of("0| .. 0|8", "1| .. 1|8", "2| .. 2|8"),
        added.rows().stream().map(AddedStepsLawsTest::shown).collect(Collectors.toList()));
  }

  @Test
  void rows_ofAsManyBucketsAsCanBe_areARangePerBucket() {
    String text = "{salt:uint16=md5(*)%2%s}{day:digits(2)}/{id:word}";
    AddedSteps added = added(text, "", ",65536 from day=50");

    assertEquals(65_536, added.rows().size());
  }

  /** From a layout to another, which differ in some part of their text. */
  private static AddedSteps added(String text, String before, String after) {
    return AddedSteps.of(
        RowkeyLayout.parse(text.replace("%s", before)),
        RowkeyLayout.parse(text.replace("%s", after)));
  }

  private static String shown(KeyRange range) {
    return RowText.toStringBinary(range.lower()) + " .. " + RowText.toStringBinary(range.upper());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{s:digits(2)=md5(*)%16}{n:uint8}; {s:digits(2)=md5(*)%16}{n:uint8}", // nothing
        "{s:digits(2)=md5(*)%16}{n:uint8}; {s:digits(2)=md5(*)%64}{n:uint8}", // from the first on
        "{s:digits(2)=md5(*)%16}{n:uint8}; {s:digits(2)=md5(*)%17,64 from n=5}{n:uint8}",
        "{s:digits(2)=md5(*)%16}{n:uint8}; {s:digits(2)=crc32(*)%16,64 from n=5}{n:uint8}",
        "{s:digits(2)=md5(*)%16}{n:uint8}; {s:digits(3)=md5(*)%16,64 from n=5}{n:uint8}",
        "{s:digits(2)=md5(*)%16}{n:uint8}; {s:digits(2)=md5(*)%16,64 from n=5}{n:uint16}",
        "{s:digits(2)=md5(*)%16,20 from n=5}{n:uint8};"
            + " {s:digits(2)=md5(*)%16,20 from n=4,64 from n=9}{n:uint8}",
        "{n:uint8}; {s:digits(2)=md5(*)%16,64 from n=5}{n:uint8}",
        "{s:digits(2)=md5(*)%16}-{n:uint8}; {s:digits(2)=md5(*)%16,64 from n=5}|{n:uint8}"
      })
  void of_layoutsThatDifferInMore_isNull(String from, String to) {
    assertNull(AddedSteps.of(RowkeyLayout.parse(from), RowkeyLayout.parse(to)));
  }
}
