package io.rowguard.layout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Holds the slow implementation itself against examples worked out by hand from the specification,
 * so that the two implementations do not merely agree in the same mistake.
 */
class SlowLayoutTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{user:word}|{time:millis descending}; alice|\\x7F\\xFF\\xFE\\x6B\\x00\\x00\\x00\\x00;"
            + " CONFORMS",
        "{user:word}|{time:millis descending}; alice|\\xFF\\xFF\\xFE\\x6B\\x00\\x00\\x00\\x00;"
            + " NOT_MILLIS",
        "{salt:digits(2)=murmur3(user)%16}-{user:word}|; 07-alice; LITERAL_MISSING",
        "{salt:digits(2)=murmur3(user)%16}-{user:word}|; 99-alice|; WRONG_SALT",
        "{a:text}aba{b:text}; xababa; CONFORMS",
        "{a:text}aba{b:text}; xaba; TOO_SHORT",
        "{a:text}aba{b:text}; abax; SEGMENT_TOO_SHORT",
        "{a:text(2)}|{b:digits(1)}; \\xC3\\xA9|1; CONFORMS",
        "{a:text(2)}|{b:digits(1)}; a||1; LITERAL_INSIDE",
        "{a:text(2)}|{b:digits(1)}; ab1; LITERAL_MISSING",
        "{a:text(2)}{b:digits(1)}; a|1; CONFORMS",
        "{a:word(2..3)}/{b:word}; a/b; SEGMENT_TOO_SHORT",
        "{a:word(2..3)}/{b:word}; abcd/b; SEGMENT_TOO_LONG",
        "{a:word(2..3)}/{b:word}; abc/; TOO_SHORT",
        "{a:word(2..3)}/{b:word}; abc; LITERAL_MISSING",
        "{id:hex(2)}; 1g; NOT_HEX",
        "{id:hex(2)}; 1A; NOT_HEX",
        "{id:HEX(2)}; 1A; CONFORMS",
        "{id:hex(2)}; 1; TOO_SHORT",
        "{id:hex(2)}; 1a1; TRAILING_BYTES",
        "{n:int8}; \\x80; CONFORMS",
        "{n:int32 descending}; \\x80\\x00\\x00; TOO_SHORT",
        "{a:text descending}\\xFF{b:int8}; \\x9E\\xFF\\x80; CONFORMS",
        "{a:text descending}\\xFF{b:int8}; a\\xFF\\x80; NOT_TEXT",
        "{a:text descending}\\xFF{b:int8}; \\xFF\\x80; SEGMENT_TOO_SHORT",
        "{a:text descending}\\xFF{b:int8}; \\x9E\\x80; LITERAL_MISSING",
        "{a:text(2) descending}; \\x3C\\x56; CONFORMS",
        "{a:text(2) descending}; \\x3C\\x9E; NOT_TEXT",
        "{a:bytes(2) descending}; \\x3C\\x9E; CONFORMS",
        "{a:text}\\x00{b:text optional}; x\\x00y; CONFORMS",
        "{a:text}\\x00{b:text optional}; x; CONFORMS",
        "{a:text}\\x00{b:text optional}; x\\x00; TOO_SHORT",
        "{a:text}\\x00{b:text optional}; \\x00y; SEGMENT_TOO_SHORT",
        "{a:word(2..3)}-{b:hex(2) optional}; ab; CONFORMS",
        "{a:word(2..3)}-{b:hex(2) optional}; a; SEGMENT_TOO_SHORT",
        "{a:word(2..3)}-{b:hex(2) optional}; abcd; SEGMENT_TOO_LONG",
        "{a:word(2..3)}-{b:hex(2) optional}; ab-1; TOO_SHORT",
        "{a:word}-{b:hex(2)}/{c:digits(1) optional}; ab-1f; CONFORMS",
        "{a:word}-{b:hex(2)}/{c:digits(1) optional}; ab-1f/; TOO_SHORT",
        "{a:word}-{b:hex(2)}/{c:digits(1) optional}; ab-1f2; LITERAL_MISSING",
        "{a:word}-{b:hex(2)}/{c:digits(1) optional}; ab-1f/23; TRAILING_BYTES",
        "{a:int8}{b:text optional}; \\x80; CONFORMS",
        "{a:int8}{b:text optional}; \\x80b; CONFORMS",
        "{a:text}ab{b:text optional}; xa; CONFORMS"
      })
  void check_workedOutByHand_thatVerdict(String layout, String row, Verdict expected) {
    assertEquals(expected, slow(layout).check(SlowBytes.unshow(row)), layout + " " + row);
  }

  @Test
  void complete_md5Prefix_isTheFamousDigest() {
    // md5("") = d41d8cd9..., md5("a") = 0cc175b9...
    SlowLayout layout = slow("{salt:hex(4)=md5(*)}-{id:word}");
    assertEquals("0cc1-a", SlowBytes.show(layout.complete("a".getBytes(UTF_8))));
    assertEquals("a", SlowBytes.show(layout.strip("0cc1-a".getBytes(UTF_8))));
  }

  @Test
  void complete_moduloSalts_asComputedByHand() {
    // crc32("a") = e8b7be43 = 3904355907; Arrays.hashCode("a") = 31 + 97 = 128.
    assertEquals("07a", complete("{s:digits(2)=crc32(*)%100}{id:word}", "a"));
    assertEquals("\\x08a", complete("{s:uint8=java31(*)%20}{id:word}", "a"));
    assertEquals("\\x00\\x09029", complete("{s:bytes(2)=n%20}{n:digits(3)}", "029"));
    assertEquals("\\xF6029", complete("{s:uint8 descending=n%20}{n:digits(3)}", "029"));
    assertEquals("21029", complete("{s:digits(2) reversed=n%17}{n:digits(3)}", "029"));
    assertEquals("0C029", complete("{s:HEX(2)=n%17}{n:digits(3)}", "029"));
    assertEquals("\\xFF\\xF6029", complete("{s:bytes(2) descending=n%20}{n:digits(3)}", "029"));
    // "0" is 48 = -80 as a signed byte with its sign bit turned; -80 = -5 * 17 + 5.
    assertEquals("050", complete("{s:digits(2)=n%17}{n:int8}", "0"));
  }

  @Test
  void complete_sumOfTwoTerms_asComputedByHand() {
    String digits = "{s:digits(2)=a%16+b%4}{a:digits(2)}{b:digits(2)}";
    assertEquals("021503", complete(digits, "1503"));
    assertEquals("151516", complete("{s:digits(2)=a%17+b%4}{a:digits(2)}{b:digits(2)}", "1516"));
    assertEquals("001601", complete("{s:digits(2)=a%17+b%4}{a:digits(2)}{b:digits(2)}", "1601"));
    // crc32("a") = 3904355907, mod 100 is 7; Arrays.hashCode("a") = 128, mod 3 is 2.
    assertEquals("09a", complete("{s:digits(2)=crc32(*)%100+java31(id)%3}{id:word}", "a"));
  }

  @Test
  void complete_moreBucketsFromAValueOn_asComputedByHand() {
    String steps = "{s:digits(2)=a%4,16 from b=50,99 from b=60}{a:digits(2)}{b:digits(2)}";
    assertEquals("031549", complete(steps, "1549"));
    assertEquals("151550", complete(steps, "1550"));
    assertEquals("018159", complete(steps, "8159"));
    assertEquals("818160", complete(steps, "8160"));
    // -80 is below -79 and not below -80.
    assertEquals("1770", complete("{s:digits(1)=a%2,9 from n=-79}{a:digits(2)}{n:int8}", "770"));
    assertEquals("5770", complete("{s:digits(1)=a%2,9 from n=-80}{a:digits(2)}{n:int8}", "770"));
    // Descending: the value counts, not how it is written. MAX - '0' = 255 - 48 = 207.
    assertEquals(
        "1770", complete("{s:digits(1)=a%2,9 from n=208}{a:digits(2)}{n:uint8 descending}", "770"));
    assertEquals(
        "5770", complete("{s:digits(1)=a%2,9 from n=207}{a:digits(2)}{n:uint8 descending}", "770"));
  }

  private static String complete(String layout, String bareKey) {
    return SlowBytes.show(slow(layout).complete(bareKey.getBytes(UTF_8)));
  }

  @Test
  void encode_modifiers_writeBackToFrontAndNewestFirst() {
    SlowLayout layout =
        slow("{name:text(4) reversed}{time:millis descending}{n:uint16 descending}");
    byte[] row = layout.encode(Map.of("name", "a\u00E9b", "time", 1L, "n", 0L));
    assertEquals("b\\xC3\\xA9a\\x7F\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFE\\xFF\\xFF", show(row));
    assertEquals("{name=a\u00E9b, time=1, n=0}", layout.decode(row).toString());
    assertNull(layout.encode(Map.of("name", "abcd", "time", -1L, "n", 0L)));
    assertNull(layout.encode(Map.of("name", "abc", "time", 1L, "n", 0L)));
  }

  /** Sign bit turned, and MAX minus the value; the bits of UTF-8 turned. */
  @Test
  void encode_signedNumbersAndTurnedBits_sortAsTheyShould() {
    SlowLayout up = slow("{a:int8}{b:int16}{c:int64}");
    Map<String, Long> smallest = Map.of("a", -128L, "b", -1L, "c", Long.MIN_VALUE);
    assertEquals("\\x00\\x7F\\xFF" + "\\x00".repeat(8), show(up.encode(smallest)));
    Map<String, Long> some = Map.of("a", 0L, "b", 1L, "c", 5L);
    assertEquals("\\x80\\x80\\x01\\x80" + "\\x00".repeat(6) + "\\x05", show(up.encode(some)));
    assertEquals("{a=-128, b=-1, c=-9223372036854775808}", decoded(up, up.encode(smallest)));
    assertNull(up.encode(Map.of("a", 128L, "b", 0L, "c", 0L)));
    assertNull(up.encode(Map.of("a", 0L, "b", -32769L, "c", 0L)));
    SlowLayout down = slow("{a:int8 descending}{b:int16 descending}");
    Map<String, Long> last = Map.of("a", -128L, "b", -1L);
    assertEquals("\\xFF\\x80\\x00", show(down.encode(last)));
    assertEquals("{a=-128, b=-1}", decoded(down, down.encode(last)));
    assertEquals("\\x00\\x7F\\xFE", show(down.encode(Map.of("a", 127L, "b", 1L))));
    SlowLayout text = slow("{a:text descending}\\xFF{b:bytes(1) descending}");
    byte[] row = text.encode(Map.of("a", "a\u00E9", "b", new byte[] {1}));
    assertEquals("\\x9E<V\\xFF\\xFE", show(row));
    assertEquals("a\u00E9", text.decode(row).get("a"));
    assertNull(text.encode(Map.of("a", "a\u0000b", "b", new byte[] {1})));
  }

  private static String decoded(SlowLayout layout, byte[] row) {
    return layout.decode(row).toString();
  }

  @Test
  void encode_optionalValueMissing_leavesOutItsLiteralToo() {
    SlowLayout layout = slow("{s:digits(1)=b%7}{b:digits(2)}/{c:word optional}");
    assertEquals("310", show(layout.encode(Map.of("b", "10"))));
    assertEquals("310/x", show(layout.encode(Map.of("b", "10", "c", "x"))));
    assertEquals("{s=3, b=10, c=null}", layout.decode(layout.encode(Map.of("b", "10"))).toString());
  }

  @Test
  void encode_valueThatHidesTheLiteral_refused() {
    SlowLayout layout = slow("{a:word}aba{b:word}");
    assertEquals("xabab", show(layout.encode(Map.of("a", "x", "b", "b"))));
    assertNull(layout.encode(Map.of("a", "xab", "b", "b")));
  }

  private static String show(byte[] bytes) {
    return SlowBytes.show(bytes);
  }

  private static SlowLayout slow(String text) {
    return new SlowLayout(SlowParser.parse(text));
  }
}
