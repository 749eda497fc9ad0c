package io.rowguard.layout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The keys of Apache Phoenix: what Phoenix itself made of values is what their layout makes of
 * them, salts and all. Its file is written by {@code testing/benchmarks/run.sh phoenix-keys}.
 */
class PhoenixVectorsTest {
  private static final String FILE = "phoenix-vectors.tsv";
  private static final String NULL = "(null)";

  private static List<String[]> vectors() throws IOException {
    return VectorFiles.read(FILE).stream()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split("\t", -1))
        .toList();
  }

  @Test
  void everyRow_ofPhoenix_isTheRowOfItsValues() throws IOException {
    int salted = 0;
    for (String[] vector : vectors()) {
      String message = String.join(" ", vector);
      RowkeyLayout layout = RowkeyLayout.parse(vector[1]);
      Map<String, Object> values = values(layout, vector[2]);
      byte[] row = SlowBytes.unshow(vector[3]);
      assertEquals(Verdict.CONFORMS, layout.check(row), message);
      assertEquals(shown(row), shown(layout.encode(values)), message);
      assertEquals(vector[2], shown(layout, layout.decode(row)), message);
      if (layout.hasDerivedSegments()) {
        salted++;
        assertArrayEquals(row, layout.complete(layout.strip(row)), message);
      }
      SlowLayout slow = new SlowLayout(SlowParser.parse(vector[1]));
      assertEquals(shown(row), shown(slow.encode(values)), message);
      assertEquals(vector[2], shown(layout, slow.decode(row)), message);
    }
    assertTrue(salted >= 30, "salted=" + salted);
  }

  @Test
  void rows_ofOneTable_sortAsTheirValuesDo() throws IOException {
    for (String type : List.of("{a:int64}", "{a:int64 descending}", "{a:int32}")) {
      RowkeyLayout layout = RowkeyLayout.parse(type);
      long before = type.contains("descending") ? Long.MAX_VALUE : Long.MIN_VALUE;
      List<byte[]> rows =
          vectors().stream()
              .filter(vector -> vector[1].equals(type))
              .map(vector -> SlowBytes.unshow(vector[3]))
              .sorted(RowOrder::compare)
              .toList();
      assertTrue(rows.size() >= 3, type);
      for (byte[] row : rows) {
        long value = (Long) layout.decode(row).get("a");
        assertTrue(type.contains("descending") ? value <= before : value >= before, type + value);
        before = value;
      }
    }
  }

  private static Map<String, Object> values(RowkeyLayout layout, String text) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (String pair : text.split(" ", -1)) {
      String name = pair.substring(0, 1);
      if (pair.endsWith("=" + NULL)) {
        continue;
      }
      byte[] bytes = SlowBytes.unshow(pair.substring(2));
      SegmentType.Kind kind = layout.segment(name).type().kind();
      Object value = new String(bytes, UTF_8);
      if (kind.isNumber()) {
        value = Long.valueOf((String) value);
      } else if (kind == SegmentType.Kind.BYTES) {
        value = bytes;
      }
      values.put(name, value);
    }
    return values;
  }

  private static String shown(RowkeyLayout layout, Map<String, Object> values) {
    StringBuilder text = new StringBuilder();
    for (Segment segment : layout.segments()) {
      if (!segment.isDerived()) {
        Object value = values.get(segment.name());
        String whole = value == null ? NULL : value.toString();
        byte[] bytes = value instanceof byte[] some ? some : whole.getBytes(UTF_8);
        text.append(text.length() == 0 ? "" : " ").append(segment.name()).append('=');
        text.append(shown(bytes));
      }
    }
    return text.toString();
  }

  private static String shown(byte[] bytes) {
    return SlowBytes.show(bytes).replace(" ", "\\x20");
  }
}
