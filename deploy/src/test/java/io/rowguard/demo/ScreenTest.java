package io.rowguard.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScreenTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final Screen plain =
      new Screen(new PrintStream(bytes, true, StandardCharsets.US_ASCII), false, false, false);

  @Test
  void wrapped_longText_breaksAtBlanksWithinTheWidth() {
    String word = "x".repeat(Screen.WIDTH / 2);
    assertEquals(List.of("  " + word, "  " + word), Screen.wrapped(word + " " + word, "  "));
  }

  @Test
  void wrapped_wordLongerThanTheWidth_standsWhole() {
    String word = "x".repeat(2 * Screen.WIDTH);
    assertEquals(List.of("  a", "  " + word, "  b"), Screen.wrapped("a " + word + " b", "  "));
  }

  @Test
  void verdict_plain_isAsciiWithoutEscapes() {
    plain.verdict(false, "it holds");
    assertEquals("  FAIL it holds\n", bytes.toString(StandardCharsets.US_ASCII));
  }

  @Test
  void bar_ofValues_isProportionalAndShowsEvenTheSmallest() {
    assertEquals("", plain.bar(0, 100, 10));
    assertEquals("#", plain.bar(1, 100, 10));
    assertEquals("#####", plain.bar(50, 100, 10));
    assertEquals("##########", plain.bar(100, 100, 10));
  }
}
