package io.rowguard.tools.heatmap;

import io.rowguard.layout.Literal;
import io.rowguard.layout.Part;
import io.rowguard.layout.RowText;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Segment;
import io.rowguard.tools.explain.ValuesText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads a boundary as the layout reads rows: {@code 07-al} as {@code salt=07 user=al...}. A
 * boundary may end anywhere, so the last segment may be incomplete, which three dots say.
 * Immutable.
 */
final class KeyWords {
  private final RowkeyLayout layout;

  /**
   * @param layout null when there is none: keys stay as they are
   */
  KeyWords(RowkeyLayout layout) {
    this.layout = layout;
  }

  /** The key in words; as the shell shows it where it does not fit the layout. */
  String of(byte[] key) {
    if (layout == null || key.length == 0) {
      return RowText.abbreviated(key);
    }
    List<String> words = new ArrayList<>();
    int at = 0;
    List<Part> parts = layout.parts();
    for (int i = 0; i < parts.size() && at < key.length; i++) {
      if (parts.get(i) instanceof Literal literal) {
        int length = Math.min(literal.bytes().length, key.length - at);
        if (!startsWith(key, at, literal.bytes(), length)) {
          return RowText.abbreviated(key);
        }
        at += length;
      } else {
        Segment segment = (Segment) parts.get(i);
        int end = end(segment, i + 1 < parts.size() ? parts.get(i + 1) : null, key, at);
        boolean isWhole = end >= 0;
        byte[] value = Arrays.copyOfRange(key, at, isWhole ? end : key.length);
        String word = isWhole ? word(segment, value) : RowText.abbreviated(value) + "...";
        if (word == null) {
          return RowText.abbreviated(key);
        }
        words.add(segment.name() + "=" + word);
        at = isWhole ? end : key.length;
      }
    }
    return String.join(" ", words);
  }

  /** Where a segment ends; -1 when the key may end inside of it. */
  private static int end(Segment segment, Part next, byte[] key, int at) {
    if (segment.minLength() == segment.maxLength()) {
      return at + segment.minLength() <= key.length ? at + segment.minLength() : -1;
    }
    if (next instanceof Literal literal) {
      byte[] literalBytes = literal.bytes();
      for (int i = at; i + literalBytes.length <= key.length; i++) {
        if (startsWith(key, i, literalBytes, literalBytes.length)) {
          return i;
        }
      }
    }
    return -1;
  }

  private static boolean startsWith(byte[] key, int at, byte[] bytes, int length) {
    return Arrays.equals(key, at, at + length, bytes, 0, length);
  }

  /** The value of a whole segment; null when it can have no such bytes. */
  private static String word(Segment segment, byte[] bytes) {
    String modifier =
        (segment.isReversed() ? " reversed" : "") + (segment.isDescending() ? " descending" : "");
    // The same segment alone: what it is derived from is not needed to read it.
    RowkeyLayout alone =
        RowkeyLayout.parse("{" + segment.name() + ":" + segment.type() + modifier + "}");
    return alone.check(bytes).conforms()
        ? ValuesText.show(segment, alone.decode(bytes).get(segment.name()))
        : null;
  }
}
