package io.rowguard.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Pins the layouts of the cookbook: a dozen rows of each in a golden file, with their verdicts,
 * bare keys, groups and salts, as the slow implementation found them.
 */
class LayoutVectorsTest {
  private static List<String[]> vectors() throws IOException {
    return VectorFiles.read(VectorFiles.LAYOUTS).stream()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split("\t", -1))
        .toList();
  }

  @Test
  void goldenFile_everyLine_isWhatTheSlowImplementationFinds() throws IOException {
    for (String[] vector : vectors()) {
      SlowModel model = SlowParser.parse(vector[0]);
      byte[] row = SlowBytes.unshow(vector[2]);
      assertEquals(String.join("\t", vector), VectorFiles.layoutLine(model, vector[1], row));
    }
    Set<Verdict> seen = EnumSet.noneOf(Verdict.class);
    vectors().forEach(vector -> seen.add(Verdict.valueOf(vector[3])));
    Set<Verdict> rare =
        EnumSet.of(
            Verdict.TOO_LONG, Verdict.SEGMENT_TOO_LONG, Verdict.LITERAL_INSIDE, Verdict.NOT_MILLIS);
    assertTrue(seen.containsAll(EnumSet.complementOf(EnumSet.copyOf(rare))), seen::toString);
  }

  @Test
  void everyAnswer_cookbookRows_isTheGoldenFiles() throws IOException {
    assertEquals(38, vectors().stream().map(vector -> vector[0]).distinct().count());
    assertTrue(vectors().size() >= 38 * 12);
    for (String[] vector : vectors()) {
      String message = String.join(" ", vector);
      RowkeyLayout layout = RowkeyLayout.parse(vector[0]);
      EntityGroup group =
          EntityGroup.of(layout, vector[1].equals(VectorFiles.NONE) ? null : vector[1]);
      byte[] row = SlowBytes.unshow(vector[2]);
      assertEquals(vector[0], layout.toString(), message);
      assertEquals(vector[2], RowText.toStringBinary(row, 0, row.length), message);
      assertEquals(Verdict.valueOf(vector[3]), layout.check(row), message);
      assertEquals(Integer.parseInt(vector[5]), group.end(row, 0, row.length), message);
      if (vector[4].equals(VectorFiles.NONE)) {
        assertThrows(IllegalArgumentException.class, () -> layout.strip(row), message);
      } else {
        assertEquals(vector[4], SlowBytes.show(layout.strip(row)), message);
      }
      if (vector[6].equals(VectorFiles.NONE)) {
        assertThrows(IllegalArgumentException.class, () -> layout.complete(row), message);
      } else {
        assertEquals(vector[6], SlowBytes.show(layout.complete(row)), message);
      }
    }
  }
}
