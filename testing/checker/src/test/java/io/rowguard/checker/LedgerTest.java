package io.rowguard.checker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.rowguard.checker.Ledger.Row;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each fault of a read is found, and named; what may be is accepted. Times are in milliseconds. */
class LedgerTest {
  private static final long MILLISECOND = 1_000_000;

  private final Ledger ledger = new Ledger();

  /** Rows a to d are there from 10 on; m is on its way from 20 to 40, and x was never answered. */
  @BeforeEach
  void fill() {
    for (String key : List.of("a", "b", "c", "d")) {
      ledger.begin(key, "of " + key, 0);
      ledger.acknowledge(key, 10 * MILLISECOND);
    }
    ledger.begin("m", "of m", 20 * MILLISECOND);
    ledger.acknowledge("m", 40 * MILLISECOND);
    ledger.begin("x", "of x", 20 * MILLISECOND);
  }

  private void scan(long start, long end, boolean isWhole, boolean isReversed, String... keys) {
    List<Row> rows = Stream.of(keys).map(key -> new Row(key, "of " + key)).toList();
    ledger.scanned(
        "scan", "a", "z", isWhole, isReversed, rows, start * MILLISECOND, end * MILLISECOND);
  }

  private void assertFound(String... violations) {
    assertEquals(List.of(violations), ledger.violations());
  }

  @Test
  void scans_thatAreRight_areAccepted() {
    scan(15, 16, true, false, "a", "b", "c", "d");
    scan(15, 30, true, false, "a", "b", "c", "d", "m");
    scan(15, 30, true, false, "a", "b", "c", "d", "x");
    scan(30, 50, true, true, "d", "c", "b", "a");
    scan(50, 60, true, false, "a", "b", "c", "d", "m");
    scan(5, 12, true, false, "b");
    scan(15, 16, false, false, "a", "b");
    scan(15, 16, false, true, "d", "c");
    scan(15, 16, false, false);

    assertFound();
    assertEquals(5, ledger.acknowledged());
    assertEquals(6, ledger.begun());
  }

  @Test
  void rowLost_isFound() {
    scan(50, 60, true, false, "a", "b", "d", "m");
    scan(50, 60, false, false, "a", "c");
    scan(50, 60, false, true, "m", "c");

    assertFound(
        "scan lost c, acknowledged 40 ms before",
        "scan lost b, acknowledged 40 ms before",
        "scan lost d, acknowledged 40 ms before");
  }

  @Test
  void rowGivenTwice_isFound() {
    scan(15, 16, true, false, "a", "b", "c", "b", "d");

    assertFound("scan gave b twice");
  }

  @Test
  void rowsOutOfOrderOrRange_areFound() {
    scan(15, 16, true, false, "b", "a", "c", "d");
    scan(15, 16, true, true, "d", "c", "a", "b");
    ledger.scanned(
        "small", "a", "b", true, false, List.of(new Row("a", "of a"), new Row("b", "of b")), 0, 1);

    assertFound(
        "scan gave a after b", "scan gave b after a", "small gave b, which it does not want");
  }

  @Test
  void rowThatNobodyWrote_isFound() {
    scan(15, 16, true, false, "a", "b", "c", "d", "e");
    scan(15, 18, true, false, "a", "b", "c", "d", "m");
    ledger.read("get", "e", "of e", 0, 1);

    assertFound(
        "scan gave e, which nobody wrote",
        "scan gave m, which nobody wrote",
        "get gave e, which nobody wrote");
  }

  @Test
  void anotherValue_isFound() {
    ledger.read("get", "a", "of b", 15 * MILLISECOND, 16 * MILLISECOND);

    assertFound("get gave a as of b, not of a");
  }

  @Test
  void read_ofARow_isHeldToIt() {
    ledger.read("get", "a", "of a", 15 * MILLISECOND, 16 * MILLISECOND);
    ledger.read("get", "x", null, 50 * MILLISECOND, 60 * MILLISECOND);
    ledger.read("get", "m", null, 30 * MILLISECOND, 50 * MILLISECOND);
    ledger.read("get", "a", null, 15 * MILLISECOND, 16 * MILLISECOND);

    assertFound("get lost a, acknowledged 5 ms before");
  }

  @Test
  void keyBegunAgain_throws() {
    assertThrows(IllegalArgumentException.class, () -> ledger.begin("a", "again", 0));
  }
}
