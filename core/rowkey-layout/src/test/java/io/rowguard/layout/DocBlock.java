package io.rowguard.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** An example in a page or a comment: {@code key: value} lines. */
final class DocBlock {
  private final int line;
  private final Map<String, List<String>> entries = new LinkedHashMap<>();

  private DocBlock(int line) {
    this.line = line;
  }

  /** The blocks between lines that are {@code begin} and {@code end}. */
  static List<DocBlock> read(List<String> lines, String begin, String end) {
    List<DocBlock> blocks = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).equals(begin)) {
        DocBlock block = new DocBlock(i + 1);
        String entry = "";
        while (!lines.get(++i).equals(end)) {
          boolean more = lines.get(i).startsWith("  ");
          block.add(more ? "" : entry);
          entry = more ? entry + " " + lines.get(i).trim() : lines.get(i);
        }
        block.add(entry);
        blocks.add(block);
      }
    }
    return blocks;
  }

  private void add(String entry) {
    if (!entry.isEmpty()) {
      int colon = entry.indexOf(": ");
      assertTrue(colon > 0, "not `key: value`: " + entry);
      entries
          .computeIfAbsent(entry.substring(0, colon), key -> new ArrayList<>())
          .add(entry.substring(colon + 2));
    }
  }

  String name() {
    return "line " + line + " " + optional("layout");
  }

  void allow(String keys) {
    Set<String> unknown = new TreeSet<>(entries.keySet());
    unknown.removeAll(Set.of(keys.split(" ", -1)));
    assertTrue(unknown.isEmpty(), "unknown keys " + unknown);
  }

  List<String> all(String key) {
    return entries.getOrDefault(key, List.of());
  }

  String one(String key) {
    assertEquals(1, all(key).size(), "lines with " + key);
    return all(key).get(0);
  }

  String optional(String key) {
    return all(key).isEmpty() ? "" : one(key);
  }

  /** Texts on both sides of the arrow. */
  List<String[]> pairs(String key) {
    List<String[]> pairs = new ArrayList<>();
    for (String entry : all(key)) {
      int arrow = entry.indexOf(" -> ");
      assertTrue(arrow >= 0, "no arrow: " + entry);
      pairs.add(new String[] {entry.substring(0, arrow), entry.substring(arrow + 4)});
    }
    return pairs;
  }

  /** NAME = VALUE lines, each value in the class that the segment's type has. */
  Map<String, Object> values(String key, RowkeyLayout layout) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (String entry : all(key)) {
      String[] pair = entry.split(" = ", 2);
      Segment segment = layout.segment(pair[0]);
      SegmentType.Kind kind = segment.type().kind();
      Object value = pair[1];
      if (segment.isNumber()) {
        value = Long.valueOf(pair[1]);
      } else if (kind == SegmentType.Kind.BYTES) {
        value = bytes(pair[1]);
      }
      values.put(pair[0], value);
    }
    return values;
  }

  /** The inverse of {@link RowText#toStringBinary(byte[])}. */
  static byte[] bytes(String text) {
    byte[] bytes = new byte[text.length()];
    int length = 0;
    for (int i = 0; i < text.length(); i++) {
      if (text.startsWith("\\x", i)) {
        bytes[length++] = (byte) Integer.parseInt(text.substring(i + 2, i + 4), 16);
        i += 3;
      } else {
        bytes[length++] = (byte) text.charAt(i);
      }
    }
    return Arrays.copyOf(bytes, length);
  }
}
