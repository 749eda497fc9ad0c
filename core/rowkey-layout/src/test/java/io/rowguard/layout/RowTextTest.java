package io.rowguard.layout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Bytes as text and back, held to HBase's own methods. */
class RowTextTest {
  private static final int TEXTS = 100_000;
  private static final long SEED = 311;
  private static final Pattern NOT_AN_ESCAPE = Pattern.compile("\\\\x(?![0-9A-F]{2})");

  @Test
  void toBytesBinary_randomAscii_equalsHBase() {
    Random random = new Random(SEED);
    String[] pieces = {"\\", "x", "0", "9", "A", "F", "a", "f", "G", " ", "|", "\\x", "\\x4", "\n"};
    int refused = 0;
    int shortened = 0;
    for (int i = 0; i < TEXTS; i++) {
      StringBuilder joined = new StringBuilder();
      for (int n = random.nextInt(12); n > 0; n--) {
        joined.append(pieces[random.nextInt(pieces.length)]);
      }
      String text = joined.toString();
      String message = "seed=" + SEED + " index=" + i + " text=" + text;
      if (NOT_AN_ESCAPE.matcher(text).find()) {
        refused++;
        assertThrows(
            IllegalArgumentException.class, () -> RowText.toBytesBinary(text), () -> message);
      } else {
        byte[] bytes = RowText.toBytesBinary(text);
        assertArrayEquals(Bytes.toBytesBinary(text), bytes, message);
        shortened += bytes.length < text.length() ? 1 : 0;
      }
    }
    assertTrue(shortened > TEXTS / 50 && refused > TEXTS / 4, shortened + " " + refused);
  }

  @Test
  void toBytesBinary_ofToStringBinary_givesTheBytesAgain() {
    Random random = new Random(SEED);
    for (int i = 0; i < TEXTS; i++) {
      byte[] bytes = new byte[random.nextInt(12)];
      random.nextBytes(bytes);
      String text = RowText.toStringBinary(bytes);
      assertEquals(Bytes.toStringBinary(bytes), text);
      assertArrayEquals(bytes, RowText.toBytesBinary(text), "seed=" + SEED + " index=" + i);
    }
  }

  @Test
  void toBytesBinary_beyondAscii_isUtf8() {
    assertArrayEquals("é|日".getBytes(StandardCharsets.UTF_8), RowText.toBytesBinary("é|日"));
  }

  @Test
  void abbreviated_moreThanIsShown_saysHowLongItIs() {
    String longest = "a".repeat(RowText.LONGEST_SHOWN);
    assertEquals(longest, RowText.abbreviated(longest.getBytes(StandardCharsets.UTF_8)));
    String longer = longest + "b";
    assertEquals(
        longest + "... (101 bytes)", RowText.abbreviated(longer.getBytes(StandardCharsets.UTF_8)));
  }
}
