package io.rowguard.tools.explain;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rowguard.layout.RowText;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Segment;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Boundaries as the layout reads them. */
class BoundaryTextTest {
  private static final String ORDERS =
      "{salt:digits(2)=murmur3(user)%16}-{user:word}|{time:millis descending}";

  @ParameterizedTest
  @CsvSource({
    "07, salt=07",
    "0, salt=0...",
    "07-, salt=07",
    "07-al, salt=07 user=al...",
    "13-alice|, salt=13 user=alice",
    "13-alice|\\x7F, salt=13 user=alice time=\\x7F...",
    "07-alice|, 07-alice|",
    "16-al, 16-al",
    "xx-alice, xx-alice",
    "07_alice, 07_alice"
  })
  void of_boundary_isReadAsFarAsItGoes(String key, String words) {
    assertEquals(
        words, new BoundaryText(RowkeyLayout.parse(ORDERS)).of(RowText.toBytesBinary(key)));
  }

  @ParameterizedTest
  @CsvSource({"07-al, salt=07 user=al...", "al, user=al...", "16, user=16...", "!, !"})
  void of_boundaryOfTheLayoutThatRowsLeave_isReadByThat(String key, String words) {
    BoundaryText text =
        new BoundaryText(
            RowkeyLayout.parse(ORDERS), RowkeyLayout.parse("{user:word}|{time:millis descending}"));

    assertEquals(words, text.of(RowText.toBytesBinary(key)));
  }

  @Test
  void of_beginningOfALiteral_isTheKeyAsTheShellShowsIt() {
    assertEquals("v", new BoundaryText(RowkeyLayout.parse("v1/{id:word}")).of(new byte[] {'v'}));
  }

  @Test
  void of_noLayout_isTheKeyAsTheShellShowsIt() {
    assertEquals("a\\x00", new BoundaryText(null).of(new byte[] {'a', 0}));
  }

  @Test
  void of_wholeRows_areReadAsTheLayoutDecodesThem() {
    Random random = new Random(703);
    for (String text :
        new String[] {
          ORDERS,
          "{hash:hex(8)=md5(id)}{id:uint64}",
          "{order:digits(12) reversed}{time:millis descending}",
          "{scope:text(1..8)}/{kind:HEX(2)}{rest:bytes(3)}"
        }) {
      RowkeyLayout layout = RowkeyLayout.parse(text);
      for (int i = 0; i < 200; i++) {
        byte[] row = row(layout, random);
        Map<String, Object> values = layout.decode(row);
        String expected =
            layout.segments().stream()
                .map(each -> word(layout, each, values))
                .collect(Collectors.joining(" "));
        assertEquals(expected, new BoundaryText(layout).of(row), "index=" + i);
      }
    }
  }

  private static String word(RowkeyLayout layout, Segment segment, Map<String, Object> values) {
    // The last segment of variable length might go on.
    boolean isOpen =
        !segment.type().isFixedLength()
            && layout.segments().indexOf(segment) == layout.segments().size() - 1;
    return segment.name()
        + "="
        + ValuesText.show(segment, values.get(segment.name()))
        + (isOpen ? "..." : "");
  }

  private static byte[] row(RowkeyLayout layout, Random random) {
    Map<String, Object> values =
        layout.segments().stream()
            .filter(segment -> !segment.isDerived())
            .collect(Collectors.toMap(Segment::name, segment -> value(segment, random)));
    return layout.encode(values);
  }

  private static Object value(Segment segment, Random random) {
    int number = random.nextInt(1_000_000);
    return switch (segment.type().kind()) {
      case UINT, MILLIS, DIGITS -> (long) number;
      case HEX_UPPER -> String.format("%02X", number % 256);
      case BYTES -> Arrays.copyOf(new byte[] {(byte) number, 1, 2}, segment.minLength());
      default -> "w" + number % 1000;
    };
  }
}
