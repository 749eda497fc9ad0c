package io.rowguard.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The words of a refused layout: the text that is in the way, and what could stand there instead,
 * by which people find the word that they have mistyped.
 */
class LayoutSyntaxExceptionTest {
  private static final String WORDS = "reversed, descending, with length, optional, = or }";
  private static final String TYPES =
      "a type: hex(n), HEX(n), digits(n), text, word, bytes, uint8, uint16, uint32, uint64,"
          + " int8, int16, int32, int64 or millis";
  private static final String LONGEST_SHOWN = "abcdefghijklmnopqrstuvwxyzabcdefghijklmn";

  private static LayoutSyntaxException refusal(String text) {
    return assertThrows(LayoutSyntaxException.class, () -> RowkeyLayout.parse(text), text);
  }

  /** Marks stand around the text that is in the way. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{a:«string»}; " + TYPES,
        "{a:«1»}; " + TYPES,
        "{a:«uint24»}; uint8, uint16, uint32 or uint64",
        "{a:«int128»}; int8, int16, int32 or int64",
        "{a:digits(4«,»8)}; .. or )",
        "{a:hex(2)}/{b:hex(2)«o»ptional}; " + WORDS,
        "{a:text with length «int»8}; uint8, uint16 or uint32",
        "{a:text with length «}»; uint8, uint16 or uint32",
        "{a:text with length uint8 «r»eversed}; plus, optional or }",
        "{s:hex(2)=md5(«)»}{a:text}; * or a segment name",
        "{s:hex(2)=md5(a, «)»}{a:text}; a segment name",
        "{s:hex(2)=md5(a as «number»)}{a:text}; text, decimal or long",
        "{s:hex(2)=md5(a as «)»}{a:text}; text, decimal or long",
        "{s:hex(2)=md5(a)%4 «x»}{a:text}; +, a comma or }",
        "{s:hex(2)=md5(a)%4+md5(b)%2 «x»}{a:text}/{b:text}; a comma or }",
        "{s:hex(2)=md5(a)%4,8 from n=5 «x»}{a:text}/{n:uint8}; a comma or }",
      })
  void parse_aWordThatIsNone_saysWhichAndWhatCouldStandThere(String marked, String expected) {
    LayoutSyntaxException e = refusal(marked.replaceAll("[«»]", ""));
    assertEquals(marked.indexOf('«') + 1, e.column());
    assertEquals(marked.replaceAll(".*«|».*", "\""), e.found());
    assertEquals(expected, e.expected());
  }

  /** Logs and shells show printable ASCII alone; a long text would hide the rest of the message. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{a:hex (2)}; \" \"",
        "{a~b:text}; \"~\"",
        "{a\u007F:text}; \"\\u007f\"",
        "{a:text}\u65E5; \"\\u65e5\"",
        "{a:" + LONGEST_SHOWN + "}; \"" + LONGEST_SHOWN + "\"",
        "{a:" + LONGEST_SHOWN + "o}; \"" + LONGEST_SHOWN + "...\"",
      })
  void found_anyText_isShortAndPrintable(String text, String found) {
    assertEquals(found, refusal(text).found());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{a:text\\x00}; {a:text\\x00}",
        "{a:text\u65E5}; {a:text\\xE6\\x97\\xA5}",
      })
  void getMessage_anyText_endsWithTheLayoutAsItCanBeCopied(String text, String shown) {
    assertEquals(shown, shown(text));
  }

  @Test
  void getMessage_longText_isCut() {
    String longest = "{".repeat(500);
    assertEquals(longest, shown(longest));
    assertEquals(longest + "... (501 characters)", shown(longest + "a"));
  }

  private static String shown(String text) {
    return refusal(text).getMessage().replaceFirst("(?s).*\\. Layout: ", "");
  }
}
