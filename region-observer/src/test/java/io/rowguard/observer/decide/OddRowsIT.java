package io.rowguard.observer.decide;

import static io.rowguard.observer.fixture.Writes.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Verdict;
import io.rowguard.observer.fixture.Counters;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.Refusals;
import io.rowguard.testing.MiniCluster;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The strangest rows HBase takes: a verdict for each, never an exception, never an abort. */
@ExtendWith(MiniCluster.class)
class OddRowsIT {
  private final HBaseTestingUtility hbase;

  OddRowsIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{id:text}",
        "{id:text(3)}",
        "{id:bytes}",
        "{id:word}|{rest:bytes}",
        "{id:hex(16)}",
        "{hash:hex(4)=md5(*)}-{id:text}",
        "{part:uint64=id%20}{id:uint64}",
        "{order:digits(12) reversed}{time:millis descending}",
        "{salt:uint8=java31(*)%16}{id:bytes}",
        "{scope:text}\\x00\\xFF{name:text reversed}",
        "{name:text(2..5)}/{rest:text}"
      })
  void put_oddRow_obeysTheVerdict(String text) throws Exception {
    RowkeyLayout layout = RowkeyLayout.parse(text);
    List<byte[]> rows = oddRows(layout);
    Map<String, Long> expectedCounts = new TreeMap<>();
    Set<String> expectedRows = new HashSet<>();
    List<Row> puts = new ArrayList<>();
    for (byte[] row : rows) {
      puts.add(new Put(row).addColumn(GuardedTable.F, GuardedTable.Q, bytes("v")));
      Verdict verdict = layout.check(row);
      if (verdict.conforms()) {
        expectedRows.add(Bytes.toStringBinary(row));
        expectedCounts.merge("conforming", 2L, Long::sum);
      } else {
        expectedCounts.merge("rejected_" + verdict.name().toLowerCase(Locale.ROOT), 2L, Long::sum);
      }
    }
    try (GuardedTable guarded = GuardedTable.of(hbase, "rowguard.layout", text).create()) {
      Object[] results = guarded.batch(puts);
      for (int i = 0; i < results.length; i++) {
        Put put = (Put) puts.get(i);
        boolean conforms = layout.check(put.getRow()).conforms();
        assertEquals(
            !conforms, results[i] instanceof Throwable, Bytes.toStringBinary(put.getRow()));
        if (conforms) {
          guarded.table().put(put);
        } else {
          String message = Refusals.messageOf(() -> guarded.table().put(put));
          assertEquals(layout.explain(put.getRow()).message("table=" + guarded.name()), message);
          assertEquals(message, Refusals.messageOf(results[i]));
        }
      }

      assertEquals(expectedRows, new HashSet<>(guarded.rows()));
      assertEquals(expectedCounts, Counters.of(guarded.name()));
      assertTrue(expectedCounts.size() > 1 || text.equals("{id:bytes}"), "" + expectedCounts);
    }
  }

  /** HBase's client does not let them out. */
  @Test
  void put_emptyOrTooLongForHBase_isRefusedByTheClient() {
    assertThrows(IllegalArgumentException.class, () -> new Put(new byte[0]));
    assertThrows(IllegalArgumentException.class, () -> new Put(new byte[32_768]));
  }

  private static List<byte[]> oddRows(RowkeyLayout layout) {
    Random random = new Random(32_767);
    List<byte[]> rows = new ArrayList<>();
    for (int length : new int[] {1, 2, 8, 16, 20, 32_766, 32_767}) {
      for (int fill : new int[] {0x00, 0xff, 'a', '0', '|', 0x80, 0xc3}) {
        byte[] row = new byte[length];
        Arrays.fill(row, (byte) fill);
        rows.add(row);
      }
      byte[] row = new byte[length];
      random.nextBytes(row);
      rows.add(row);
    }
    for (String row :
        List.of(
            "\\xC3\\x28", // a sequence that does not go on
            "\\xC0\\x80", // an overlong NUL
            "\\xED\\xA0\\x80", // a surrogate
            "\\xF4\\x90\\x80\\x80", // above U+10FFFF
            "\\xE4\\xB8\\x96", // a proper character
            "ab\\x00\\xFFcd",
            "ab/\\xE4\\xB8",
            "abc|\\x00",
            "||",
            "abc|",
            "|abc",
            "0123456789abcdef",
            "000000000042\\x7F\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF",
            "000000000042\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF")) {
      rows.add(bytes(row));
    }
    rows.add("\u00e4\u4e16\ud83d\ude00".getBytes(StandardCharsets.UTF_8));
    for (byte[] bare : List.copyOf(rows)) {
      if (layout.hasDerivedSegments()
          && layout.bare().check(bare).conforms()
          && bare.length < 30_000) {
        rows.add(layout.complete(bare));
      }
    }
    Set<String> seen = new HashSet<>();
    rows.removeIf(row -> !seen.add(Bytes.toStringBinary(row)));
    return rows;
  }
}
