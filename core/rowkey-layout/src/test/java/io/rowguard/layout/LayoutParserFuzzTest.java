package io.rowguard.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The law of the parser: whatever text it is given, it either makes a layout that round-trips
 * through its own text, or throws a {@link LayoutSyntaxException} that points into the text and
 * says what was found and what was expected.
 */
@Tag("whole")
class LayoutParserFuzzTest {
  private static final int TEXTS_PER_SEED = 20_000;
  private static final int MEGABYTE = 1 << 20;
  private static final String[] TOKENS = {
    "{",
    "}",
    ":",
    "(",
    ")",
    "=",
    "%",
    ",",
    "*",
    "..",
    ".",
    "\\",
    "\\x",
    "\\x0",
    "\\xFF",
    " ",
    "-",
    "hex",
    "HEX",
    "digits",
    "text",
    "word",
    "bytes",
    "uint8",
    "uint64",
    "int32",
    "millis",
    " reversed",
    " optional",
    " descending",
    " descending from 99",
    "md5",
    "murmur3(*)",
    "crc32",
    "java31",
    "string31(*)",
    "sha256(*)",
    " masked",
    "any of 16",
    "/100000000",
    "first 4 of ",
    " as decimal",
    " with length uint8",
    " plus 127",
    " abs ",
    "{id:text}",
    "{s:hex(2)=md5(*)%16}",
    "{s:hex(2)=md5(*)%16+md5(*)%4}",
    "{s:hex(2)=md5(*)%16, 64 from n=5}{n:uint8}",
    "+",
    " from ",
    "0",
    "1",
    "16",
    "32767",
    "32768",
    "65536",
    "65537",
    "2147483648",
    "99999999999999999999",
    "\u0000",
    "\t",
    "\n",
    "\u007F",
    "\u00E9",
    "\u65E5",
    "\uD83D",
    "\uDE00",
    "\uFEFF"
  };

  /** Ten seeds: 200,000 texts. */
  static LongStream seeds() {
    return LawSeeds.of(901, 910);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void parse_mutatedLayouts_roundTripsOrPointsAtTheMistake(long seed) {
    Random random = LayoutCase.random(seed, 0);
    RandomLayouts layouts = new RandomLayouts(random);
    int parsed = 0;
    for (int i = 0; i < TEXTS_PER_SEED; i++) {
      String text = layouts.next().text(random.nextBoolean() ? random : null);
      for (int m = random.nextInt(4); m > 0; m--) {
        text = mutated(text, random);
      }
      parsed += assertParsesOrRefuses(text, "seed=" + seed + " index=" + i) ? 1 : 0;
    }
    int counted = parsed;
    boolean both = parsed > TEXTS_PER_SEED / 10 && parsed < TEXTS_PER_SEED * 9 / 10;
    assertTrue(both, () -> "seed=" + seed + " parsed=" + counted);
  }

  private static String mutated(String text, Random random) {
    int a = random.nextInt(text.length() + 1);
    int b = Math.min(text.length(), a + random.nextInt(6));
    String head = text.substring(0, a);
    String cut = text.substring(a, b);
    String tail = text.substring(b);
    return switch (random.nextInt(7)) {
      case 0 -> head + tail;
      case 1 -> head + cut + cut + tail;
      case 2 -> head + new StringBuilder(cut).reverse() + tail;
      case 3 -> head + (char) random.nextInt(random.nextBoolean() ? 0x80 : 0x10000) + tail;
      case 4 -> head + TOKENS[random.nextInt(TOKENS.length)] + cut + tail;
      case 5 -> head + TOKENS[random.nextInt(TOKENS.length)] + tail;
      default -> head.isEmpty() ? tail : tail + head;
    };
  }

  /** Whether it parses; anything but a proper refusal is a failure. */
  private static boolean assertParsesOrRefuses(String text, String at) {
    String shown = text.length() > 300 ? text.substring(0, 300) + "..." : text;
    String message = at + " text=" + shown;
    RowkeyLayout layout;
    try {
      layout = RowkeyLayout.parse(text);
    } catch (LayoutSyntaxException e) {
      assertProper(e, text, message);
      return false;
    } catch (RuntimeException | StackOverflowError e) {
      throw new AssertionError(message, e);
    }
    RowkeyLayout again = RowkeyLayout.parse(layout.toString());
    assertEquals(layout, again, message);
    assertEquals(layout.hashCode(), again.hashCode(), message);
    assertEquals(layout.toString(), again.toString(), message);
    assertTrue(layout.minRowLength() <= SlowModel.MAX_ROW, message);
    return true;
  }

  private static void assertProper(LayoutSyntaxException e, String text, String message) {
    boolean inside = e.column() >= 1 && e.column() <= text.length() + 1;
    assertTrue(inside, () -> "column=" + e.column() + " " + message);
    assertEquals(text, e.layout(), message);
    assertFalse(e.found().isEmpty(), message);
    assertFalse(e.expected().isEmpty(), message);
    assertTrue(e.getMessage().length() < 2000 + 2 * text.length(), message);
  }

  /** Very long texts: a heap of one thing, alone and where it does most harm. */
  static Stream<String> heaps() {
    return Stream.of("{", "}", "\\", "\\x00", "a", "0", " ", "%", ",", "..", "\u00E9", "{a:text}/")
        .flatMap(
            piece -> {
              String heap = piece.repeat(MEGABYTE / piece.length());
              return Stream.of(
                  heap,
                  "{id:hex(" + heap + ")}",
                  "{" + heap + ":text}",
                  "{id:" + heap + "}",
                  "{id:text" + heap + "}",
                  "{id:text}" + heap,
                  "{s:hex(2)=md5(" + heap + ")}{id:text}",
                  "{s:hex(2)=md5(*)%" + heap + "}{id:text}");
            });
  }

  @ParameterizedTest(name = "heap {index}")
  @MethodSource("heaps")
  void parse_megabyte_refusedOrRoundTrips(String text) {
    assertParsesOrRefuses(text, "heap");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 1000, 30_000})
  void parse_manySegments_allThere(int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append("{s").append(i).append(":uint8}");
    }
    RowkeyLayout layout = RowkeyLayout.parse(text.toString());
    assertEquals(count, layout.segments().size());
    assertEquals(count, layout.minRowLength());
    assertEquals("s" + (count - 1), layout.segment("s" + (count - 1)).name());
    assertEquals(layout, RowkeyLayout.parse(layout.toString()));
  }

  /** Layouts with one rule broken; the mistake lies within the marks. */
  static List<String> broken() {
    return List.of(
        "«»",
        "«/»",
        "«{s:hex(2)=md5(*)}»",
        "{a:text«}»{b:text}",
        "«{a:word(1..2)}{»b:hex(2)}",
        "«{a:bytes}/{»b:hex(2)}",
        "«{a:bytes}/»",
        "{a:hex(2)}«{a:hex(2)»}",
        "{a:text}/«{a»:text",
        "{s:hex(2)=«md5(b)»}{a:text}",
        "{s:hex(2)=«md5(s)»}{a:text}",
        "{s:hex(2)=md5(a)}{t:hex(2)=«md5(s)»}{a:text}",
        "«{s:text=md5(a)»}/{a:text}",
        "«{s:word(2)=md5(a)»}/{a:text}",
        "«{s:millis=md5(a)»}{a:text}",
        "«{s:digits(2)=md5(a)»}{a:text}",
        "«{s:digits(1)=md5(a)%11»}{a:text}",
        "«{s:hex(1)=md5(a)%17»}{a:text}",
        "«{s:uint8=md5(a)%257»}{a:text}",
        "«{s:bytes(1)=md5(a)%257»}{a:text}",
        "{s:digits(9)=md5(a)%«1»}{a:text}",
        "{s:digits(9)=md5(a)%«0»}{a:text}",
        "{s:digits(9)=md5(a)%«65537»}{a:text}",
        "«{s:hex(33)=md5(a)»}{a:text}",
        "«{s:hex(9)=crc32(a)»}{a:text}",
        "«{s:bytes(17)=md5(a)»}{a:text}",
        "«{s:bytes(5)=murmur3(a)»}{a:text}",
        "«{s:uint64=java31(a)»}{a:text}",
        "«{s:uint8=a»}{a:uint64}",
        "«{s:uint8=a%20»}{a:hex(4)}",
        "«{s:uint8=a%20»}{a:bytes(4)}",
        "{s:hex(2)=«sha512»(a)}{a:text}",
        "{s:hex(2)=any of «1»}{a:text}",
        "{s:digits(1)=any of «11»}{a:text}",
        "{s:digits(1)=any «from» 7}{a:text}",
        "{s:digits(1)=«any»%7}{a:uint8}",
        "{s:«int8»=any of 7}{a:text}",
        "{s:digits(1)=any of 7«+»any of 2}{a:text}",
        "{s:digits(1)=any of 7 «%»2}{a:text}",
        "{s:digits(1)=md5(*)%7+any of «8»}{a:text}",
        "{s:digits(1)=any of 7,«7» from a=3}{a:uint8}",
        "{s:hex(2)=md5(first «0» of a)}{a:text}",
        "{s:hex(2)=md5(first 2 «from» a)}{a:text}",
        "{s:hex(2)=md5(first 2 of «*»)}{a:text}",
        "{s:hex(2)=md5(first 2 of «b»)}{a:text}",
        "{s:hex(2)=md5(a «like» text)}{a:text}",
        "{s:hex(2)=md5(a as «number»)}{a:text}",
        "{s:hex(2)=md5(a as «)»}{a:text}",
        "{s:hex(2)=md5(a as text «first»)}{a:text}",
        "{s:hex(2)=md5(«a» as decimal)}{a:text}",
        "{s:hex(2)=md5(«a» as long)}{a:digits(19)}",
        "{s:hex(2)=md5(first 2 of «a» as long)}{a:hex(4)}",
        "{s:hex(2)=md5(«a» as text)}{a:uint8}",
        "{s:hex(2)=md5(«a» as text)}{a:digits(4) descending from 99}",
        "{s:hex(2)=«string31»(a as long)}{a:uint8}",
        "{s:hex(2)=«string31»(a as text)}{a:bytes}",
        "{s:hex(2)=«string31»(first 3 of a)}{a:text}",
        "{s:hex(2)=md5(a) «signed»%4}{a:text}",
        "{s:hex(2)=md5(a) masked«}»{a:text}",
        "{s:hex(2)=md5(a) abs« »floor%4}{a:text}",
        "{s:hex(2)=md5(a)%4+md5(*) «sum»%4}{a:text}",
        "{s:hex(2)=n« »abs%4}{n:int8}",
        "{s:hex(2)=n«/»4}{n:int8}",
        "{s:hex(2)=md5(a) floor«/»400000000}{a:text}",
        "{s:hex(2)=md5(a)/«0»}{a:text}",
        "{s:hex(2)=md5(a)/«16777215»}{a:text}",
        "{s:hex(2)=md5(a)/«4294967296»}{a:text}",
        "{s:hex(2)=md5(a) masked/«2147483648»}{a:text}",
        "{s:bytes(9)=md5(a)/«65535»}{a:text}",
        "{s:hex(2)=md5(a)/90000000«+»md5(a)%2}{a:text}",
        "{s:hex(2)=md5(a)/90000000«,»9 from n=4}{a:text}/{n:uint8}",
        "{s:hex(2)=md5(a)%4+md5(a)«/»900000000}{a:text}",
        "{s:«int8»=md5(a)/90000000}{a:text}",
        "«{s:hex(41)=sha1(a)»}{a:text}",
        "«{s:bytes(33)=sha256(a)»}{a:text}",
        "{s:hex(2)=«string31»(a)}{a:uint8}",
        "{s:hex(2)=«string31»(a)}{a:bytes}",
        "{s:hex(2)=«string31»(a)}{a:text descending}",
        "{s:hex(2)=«string31»(*)}{a:text}\\xFF",
        "{s:hex(2)=md5(a)%4+«string31»(*)%4}{a:text}-{b:uint8}",
        "{a:hex(2)« descending»}",
        "{a:digits(4) descending«}»",
        "{a:digits(4) descending «to»}",
        "{a:digits(4) descending from «0»}",
        "{a:digits(4) descending from «10000»}",
        "{a:digits(19) descending from «776627963145224190»}",
        "{a:digits(19) descending from «9223372036854775808»}",
        "{a:digits(20) «descending» from 9}",
        "{a:digits(4) descending from 9999 «reversed»}",
        "{a:uint8 descending «from» 255}",
        "{s:«digits(4)» descending from 9999=a%7}{a:uint8}",
        "{s:hex(2)=md5(a)%7,8 from a=«-9000»}{a:digits(4) descending from 999}",
        "{s:hex(2)=md5(a)%7,8 from a=«1000»}{a:digits(4) descending from 999}",
        "{a:digits(3..«2»)}",
        "{a:digits(3«.»4)}",
        "{a:digits(1..4)«{»b:uint8}",
        "{a:digits(1..4) «descending» from 9999}",
        "«{s:digits(1..2)=md5(a)%7»}{a:uint8}",
        "{s:hex(2)=md5(«a» as long)}{a:digits(1..19)}",
        "{s:hex(2)=md5(a)%7,8 from «a»=3}{a:digits(1..4)}",
        "{a:text(4) «with» length uint8}",
        "{a:bytes(4) «with» length uint8}",
        "{a:digits(1..4) «with» length uint8}",
        "{a:uint8 «with» length uint8}",
        "{a:text with «size» uint8}",
        "{a:text with length «int8»}",
        "{a:text with length «uint64»}",
        "{a:text with length «uint8(1)»}",
        "{a:text with length «}»",
        "{a:text(1..256) with length «uint8»}",
        "{a:text(1..255) with length «uint8 plus 1»}",
        "{a:text with length uint8 plus «0»}",
        "{a:text with length «uint8 plus 254»}",
        "{a:text with length uint8 plus «255»}",
        "{a:text with length uint8 «reversed»}",
        "{a:text with length uint8 optional «plus» 3}/",
        "{a:text with length uint8« »=md5(b)}{b:text}",
        "{a:«bytes(1..4)»}",
        "{a:«text(0..4)»}",
        "{a:«word(0..4)»}/{b:text}",
        "{a:«bytes(0)»}",
        "{a:text(0..«0») with length uint8}",
        "{s:hex(2)=«string31»(a)}{a:text with length uint8}",
        "{s:digits(1)=«a»%7}{a:bytes with length uint8}",
        "{a:uint8« reversed»}",
        "{a:millis« reversed»}",
        "{a:word« descending»}",
        "{a:int64« reversed»}",
        "{a:text« descending reversed»}",
        "{a:«int24»}",
        "{a:«int8(1)»}",
        "«{s:int8=md5(a)»%16}{a:text}",
        "{a:hex(2)« reversed reversed»}",
        "{a:hex(2)« backwards»}",
        "{a:«string»}",
        "{a:hex«}»",
        "{a:digits«}»",
        "{a:«uint8(1)»}",
        "{a:«hex(0)»}",
        "{a:«text(0)»}",
        "{a:«text(3..2)»}",
        "{a:«text(1..32768)»}",
        "{a:«hex(32768)»}",
        "{a:«hex(1..2)»}",
        "«{A:hex(2)»}",
        "«{a:hex(2) optional}»",
        "{a:hex(2)}«{b:hex(2) optional}»{c:hex(2)}",
        "{a:hex(2)}«{b:hex(2) optional}»/",
        "{a:word}:«{b:word optional}»:{c:word}",
        "{a:word}::«{b:word optional}»/{c:word}",
        "{a:word}:«{b:word optional}»//{c:word}",
        "{a:word}:«{b:word optional}»{c:word}",
        "{a:word}:«{b:hex(2) optional}»a{c:word}",
        "{a:word}:«{b:uint8 optional}»/{c:word}",
        "{a:word}:«{b:bytes(2) optional}»/{c:word}",
        "{a:word}:«{b:word with length uint8 optional}»/{c:word}",
        "{a:word}:{b:word optional}/«{c:word optional}»",
        "{a:word}:{b:word optional}/«{c:word optional}»-{d:word}",
        "{s:hex(2)=md5(a)}:«{b:word optional}»/{a:word}",
        "{s:digits(1)=«b»%7}{a:word}:{b:digits(2) optional}/{c:word}",
        "{s:digits(1)=md5(*)%7,9 from «b»=7}{a:word}:{b:digits(2) optional}/{c:word}",
        "{a:hex(2)}{s:hex(2)=md5(a)}-«{b:text optional}»",
        "/«{b:text optional}»",
        "{a:hex(2)}{b:text optional« »descending}",
        "{a:hex(2)}{b:hex(2) optional«=»md5(a)}",
        "{s:digits(1)=«b»%7}{a:hex(2)}{b:uint8 optional}",
        "{s:digits(1)=md5(*)%7,9 from «b»=7}{a:hex(2)}{b:uint8 optional}",
        "{s:hex(2)=md5(a)«+»md5(b)%4}{a:text}/{b:text}",
        "{s:digits(2)=md5(a)%16+«md5(b)}»{a:text}/{b:text}",
        "{s:digits(2)=md5(a)%16+md5(b)%«17»}{a:text}/{b:text}",
        "{s:digits(2)=md5(a)%16+md5(b)%4«+»md5(a)%2}{a:text}/{b:text}",
        "{s:digits(2)=md5(a)%16+«b»%4}{a:text}/{b:text}",
        "{s:digits(2)=md5(a)%16+md5(«c»)%4}{a:text}/{b:text}",
        "{s:digits(2)=md5(*)%16,«16» from n=5}{n:uint8}",
        "{s:digits(2)=md5(*)%16,«101» from n=5}{n:uint8}",
        "{s:digits(2)=md5(*)%16,64 «at» n=5}{n:uint8}",
        "{s:digits(2)=md5(*)%16,64 from «m»=5}{n:uint8}",
        "{s:digits(2)=md5(*)%16,64 from n=«0»}{n:uint8}",
        "{s:digits(2)=md5(*)%16,64 from n=«256»}{n:uint8}",
        "{s:digits(2)=md5(*)%16,64 from n=«-128»}{n:int8}",
        "{s:digits(2)=md5(*)%16,64 from n=«100»}{n:digits(2)}",
        "{s:digits(2)=md5(*)%16,64 from n=«x»}{n:uint8}",
        "{s:digits(2)=md5(*)%16,64 from n=5,65 from n=«5»}{n:uint8}",
        "{s:digits(2)=md5(*)%16,64 from n=5,65 from «m»=6}{n:uint8}{m:uint8}",
        "{s:digits(2)=md5(*)%16,64 from «a»=5}{a:text}",
        "{s:digits(2)=md5(*)%16,64 from «s»=5}{a:text}",
        "{s:hex(2)=md5(*)«,»64 from n=5}{n:uint8}",
        "«{1:hex(2)»}",
        "«{:hex(2)»}",
        "{a«_»b:hex(2)}",
        "«{a»}",
        "«{»",
        "{a:hex(2)«»",
        "{a:hex(2)}«}»",
        "{a:hex(2)}«{»",
        "{a:hex(2)}/«\\»",
        "{a:hex(2)}/«\\n»",
        "{a:hex(2)}/«\\xG0»",
        "{a:hex(2)}/«\\x0»",
        "{a:hex(2)}«\u00E9»",
        "{a:hex(2)}«\t»",
        "«{a:hex(20000)}{b:hex(20000)}»");
  }

  @ParameterizedTest
  @MethodSource("broken")
  void parse_oneRuleBroken_refusedAtTheMistake(String marked) {
    int from = marked.indexOf('«') + 1;
    int to = marked.indexOf('»');
    String text = marked.replace("«", "").replace("»", "");
    LayoutSyntaxException e =
        assertThrows(LayoutSyntaxException.class, () -> RowkeyLayout.parse(text), text);
    assertProper(e, text, text);
    boolean there = e.column() >= from && e.column() <= to;
    assertTrue(there, () -> "column=" + e.column() + " not in " + marked + " " + e.getMessage());
  }
}
