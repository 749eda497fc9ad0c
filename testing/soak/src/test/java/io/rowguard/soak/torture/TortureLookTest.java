package io.rowguard.soak.torture;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.checker.NaiveLayout;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Each test but the first plants a fault that has to be seen. */
class TortureLookTest {
  private static final byte[] FAMILY = Bytes.toBytes("info0");

  private static byte[] key(int number) {
    return String.format("%026d", number).getBytes(US_ASCII);
  }

  private static byte[] salted(byte[] key, int away) {
    byte[] row = new byte[key.length + 1];
    int bucket = Integer.remainderUnsigned(NaiveLayout.murmur3(key), TortureTool.BUCKETS);
    row[0] = (byte) ((bucket + away) % TortureTool.BUCKETS);
    System.arraycopy(key, 0, row, 1, key.length);
    return row;
  }

  /** A row as PerformanceEvaluation leaves it. */
  private static Result row(byte[] row, long sum, int appended) {
    List<Cell> cells = new ArrayList<>();
    cells.add(new KeyValue(row, FAMILY, Bytes.toBytes("AppendTest"), new byte[appended]));
    cells.add(new KeyValue(row, FAMILY, Bytes.toBytes("IncrementTest"), Bytes.toBytes(sum)));
    return Result.create(cells);
  }

  private static Result row(byte[] row) {
    return row(row, TortureTool.CLIENTS, TortureTool.CLIENTS * TortureTool.APPENDED);
  }

  private static TortureLook salted() {
    return new TortureLook(TortureTool.PERFORMANCE, TortureGuard.SALTED, 8);
  }

  private static void addRows(TortureLook look, int from, int to) {
    for (int i = from; i < to; i++) {
      look.add(row(salted(key(i), 0)));
    }
  }

  private static void isWrong(TortureLook look, String counts, String complaint) {
    assertFalse(look.isWhole());
    assertEquals(counts, look.counts());
    assertEquals(1, look.complaints().size());
    assertTrue(look.complaints().get(0).contains(complaint), look.complaints().get(0));
  }

  @Test
  void allRows_areWhole() {
    TortureLook look = salted();
    addRows(look, 0, 8);

    assertTrue(look.isWhole());
    assertEquals("rows=8 missing=0 wrong=0", look.counts());
    assertEquals(List.of(), look.complaints());
  }

  @Test
  void rowThatIsLost_isMissing() {
    TortureLook look = salted();
    addRows(look, 0, 7);

    assertFalse(look.isWhole());
    assertEquals("rows=7 missing=1 wrong=0", look.counts());
  }

  @Test
  void rowInAnotherBucket_isWrong() {
    TortureLook look = salted();
    addRows(look, 0, 7);
    look.add(row(salted(key(7), 1)));

    isWrong(look, "rows=8 missing=1 wrong=1", "its salt should be ");
  }

  @Test
  void rowThatIsStoredTwice_isWrong() {
    TortureLook look = new TortureLook(TortureTool.PERFORMANCE, TortureGuard.PLAIN, 2);
    look.add(row(key(0)));
    look.add(row(key(0)));

    isWrong(look, "rows=2 missing=1 wrong=1", "twice");
  }

  @Test
  void bareRow_isWrong() {
    TortureLook look = salted();
    addRows(look, 0, 8);
    look.add(row(key(7)));

    isWrong(look, "rows=9 missing=0 wrong=1", "none of the tool's keys");
  }

  @Test
  void rowThatTheToolHasNotWritten_isWrong() {
    TortureLook look = salted();
    addRows(look, 0, 9);

    isWrong(look, "rows=9 missing=0 wrong=1", "none of the tool's keys");
  }

  @Test
  void incrementThatIsLostOrDoubled_isWrong() {
    for (int sum : List.of(0, TortureTool.CLIENTS - 1, TortureTool.CLIENTS + 1)) {
      TortureLook look = salted();
      look.add(row(salted(key(0), 0), sum, TortureTool.CLIENTS * TortureTool.APPENDED));
      addRows(look, 1, 8);

      isWrong(look, "rows=8 missing=0 wrong=1", "it was counted up " + sum);
    }
  }

  @Test
  void appendThatIsDoubled_isWrong() {
    TortureLook look = salted();
    look.add(
        row(
            salted(key(1), 0),
            TortureTool.CLIENTS,
            (TortureTool.CLIENTS + 1) * TortureTool.APPENDED));
    addRows(look, 0, 1);
    addRows(look, 2, 8);

    isWrong(look, "rows=8 missing=0 wrong=1", "appended bytes: ");
  }

  @Test
  void rowThatNoClientCounts_needsNoCounter() {
    TortureLook look = salted();
    addRows(look, 0, 2);
    for (int i = 2; i < 8; i++) {
      look.add(Result.create(new Cell[] {new KeyValue(salted(key(i), 0), FAMILY, FAMILY, FAMILY)}));
    }

    assertTrue(look.isWhole());
  }
}
