package io.rowguard.benchmarks.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowkeyLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.constraint.Constraint;
import org.apache.hadoop.hbase.constraint.ConstraintException;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** All that the benchmark of the check compares must judge alike. */
class CookbookLayoutTest {
  private static final long SEED = 7;
  private static final int ROWS = 2_000;

  private static List<byte[]> refused(CookbookLayout use) {
    return new SampleRows(use.layout(), use.rowLength(), SEED).refused(ROWS);
  }

  private static List<byte[]> conforming(CookbookLayout use) {
    return new SampleRows(use.layout(), use.rowLength(), SEED).conforming(ROWS);
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"PLAIN_SALT", "K_OF_N", "STEP", "METRICS"}) // compared with each other; OpenTSDB's
  void layout_always_isInTheCookbook(CookbookLayout use) throws IOException {
    assertTrue(Files.readString(Path.of("../../docs/cookbook.md")).contains(use.toString()));
  }

  @ParameterizedTest
  @EnumSource
  void conforming_anyLayout_conformsInTheGivenLength(CookbookLayout use) {
    RowkeyLayout layout = use.layout();
    for (byte[] row : conforming(use)) {
      assertTrue(layout.check(row).conforms(), () -> Bytes.toStringBinary(row));
      assertEquals(use.rowLength(), row.length);
    }
  }

  @ParameterizedTest
  @EnumSource
  void refused_anyLayout_doesNotConform(CookbookLayout use) {
    RowkeyLayout layout = use.layout();
    refused(use)
        .forEach(row -> assertFalse(layout.check(row).conforms(), () -> Bytes.toStringBinary(row)));
  }

  @ParameterizedTest
  @EnumSource
  void pattern_anyRow_judgesAsTheStructure(CookbookLayout use) {
    RowkeyLayout structure = use.structure();
    Latin1View view = new Latin1View();
    for (List<byte[]> rows : List.of(conforming(use), refused(use))) {
      for (byte[] row : rows) {
        assertEquals(
            structure.check(row).conforms(),
            use.pattern().matcher(view.of(row)).matches(),
            () -> Bytes.toStringBinary(row));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void constraint_anyRow_judgesAsTheLayout(CookbookLayout use) {
    if (use.constraint().isEmpty()) {
      return;
    }
    Constraint constraint = use.constraint().get();
    for (byte[] row : conforming(use)) {
      assertTrue(accepts(constraint, row), () -> Bytes.toStringBinary(row));
    }
    for (byte[] row : refused(use)) {
      // HBase knows no put of an empty row.
      if (row.length > 0) {
        assertFalse(accepts(constraint, row), () -> Bytes.toStringBinary(row));
      }
    }
  }

  private static boolean accepts(Constraint constraint, byte[] row) {
    try {
      constraint.check(new Put(row));
      return true;
    } catch (ConstraintException e) {
      return false;
    }
  }
}
