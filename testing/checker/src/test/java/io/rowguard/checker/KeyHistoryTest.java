package io.rowguard.checker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.checker.Histories.Given;
import io.rowguard.checker.Histories.Wanted;
import io.rowguard.checker.RowState.Column;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The checker finds what must not be, and accepts what may be. Times are in milliseconds. */
class KeyHistoryTest {
  private final KeyHistory history = new KeyHistory("k");

  private Operation add(Operation operation, long start, long end) {
    history.add(
        operation
            .startedAt(TimeUnit.MILLISECONDS.toNanos(start))
            .endedAt(end == 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(end)));
    return operation;
  }

  private void put(String value, long start, long end) {
    add(Operation.mutation("put").put(Column.C1, value), start, end);
  }

  private void delete(long start, long end) {
    add(Operation.mutation("delete").clearRow(), start, end);
  }

  private void get(String value, long start, long end) {
    add(Operation.read("get").saw(RowState.EMPTY.with(Column.C1, value)), start, end);
  }

  private void increment(String answer, long start, long end) {
    Operation operation = Operation.mutation("increment").add(Column.N, 1);
    add(answer == null ? operation : operation.answered(Column.N, answer), start, end);
  }

  private void assertWrong(String what) {
    String violation = history.violation();
    assertNotNull(violation);
    assertTrue(violation.startsWith("key=k: "), violation);
    assertTrue(violation.contains(what), violation);
  }

  private void assertRight() {
    assertNull(history.violation());
  }

  @Test
  void lostUpdate_isFound() {
    put("a", 0, 10);
    put("b", 20, 30);
    get("a", 40, 50);
    assertWrong("get -> {C1=a}");
  }

  @Test
  void staleRead_isFound() {
    put("a", 0, 10);
    put("b", 20, 60);
    get("b", 30, 40);
    get("a", 50, 55);
    assertWrong("get -> {C1=a}");
  }

  @Test
  void readOfEither_whileItIsWritten_isRight() {
    put("a", 0, 10);
    put("b", 20, 60);
    get("a", 30, 40);
    get("b", 45, 50);
    assertRight();
  }

  @Test
  void resurrectedRow_isFound() {
    put("a", 0, 10);
    delete(20, 30);
    get(null, 40, 50);
    get("a", 60, 70);
    assertWrong("get -> {C1=a}");
  }

  @Test
  void putAfterAnAcknowledgedDelete_unseen_isFound() {
    delete(20, 30);
    put("a", 40, 50);
    get(null, 60, 70);
    assertWrong("get -> {}");
  }

  @Test
  void putInTheMillisecondOfADelete_hidden_isRight() {
    put("a", 0, 10);
    delete(20, 30);
    put("b", 30, 31);
    get(null, 60, 70);
    assertRight();
  }

  @Test
  void putHidden_afterOneThatIsSeen_isFound() {
    delete(20, 30);
    put("a", 20, 30);
    get("a", 30, 31);
    put("b", 31, 32);
    get("a", 60, 70);
    assertWrong("get -> {C1=a}");
  }

  @Test
  void incrementTwice_isFound() {
    increment("1", 0, 10);
    increment(null, 20, 30);
    increment("4", 40, 50);
    assertWrong("increment");
  }

  @Test
  void incrementOfUnknownOutcome_onceOrNever_isRight() {
    increment("1", 0, 10);
    increment(null, 20, 0);
    increment("2", 40, 50);
    increment("4", 60, 70);
    assertRight();
  }

  @Test
  void incrementOfUnknownOutcome_twice_isFound() {
    increment("1", 0, 10);
    increment(null, 20, 0);
    increment("2", 40, 50);
    increment("5", 60, 70);
    assertWrong("increment");
  }

  @Test
  void unknownPut_seenAndUndone_isFound() {
    put("a", 0, 10);
    put("b", 20, 0);
    get("b", 40, 50);
    get("a", 60, 70);
    assertWrong("get -> {C1=a}");
  }

  @Test
  void unknownPut_tookEffectBeforeItsStart_isFound() {
    put("a", 0, 10);
    get("b", 20, 30);
    put("b", 40, 0);
    assertWrong("get -> {C1=b}");
  }

  @Test
  void checkAndMutate_twoWithOneExpectation_onlyOneIsDone() {
    put("a", 0, 10);
    for (String value : List.of("b", "c")) {
      add(
          Operation.mutation("check").onlyIf(Column.C1, "a").put(Column.C1, value).wasDone(true),
          20,
          30);
    }
    assertWrong("check");
  }

  @Test
  void checkAndMutate_refusedThoughItHeld_isFound() {
    put("a", 0, 10);
    add(
        Operation.mutation("check").onlyIf(Column.C1, "a").put(Column.C1, "b").wasDone(false),
        20,
        30);
    assertWrong("check");
  }

  @Test
  void rowMutations_seenInPart_isFound() {
    add(
        Operation.mutation("mutateRow").put(Column.C1, "a").add(Column.N, 1).clear(Column.C2),
        0,
        100);
    get("a", 20, 30);
    assertWrong("get -> {C1=a}");
  }

  @Test
  void plainPutOfTwoColumns_seenInPart_isRight() {
    add(Operation.mutation("put").put(Column.C1, "a").put(Column.C2, "b"), 0, 100);
    get("a", 20, 30);
    assertRight();
  }

  @Test
  void append_inTheOrderOfItsAnswers() {
    add(Operation.mutation("append").append(Column.S, "x").answered(Column.S, "yx"), 0, 10);
    add(Operation.mutation("append").append(Column.S, "y").answered(Column.S, "y"), 5, 15);
    assertRight();
    add(Operation.read("get").saw(RowState.EMPTY.with(Column.S, "xy")), 20, 30);
    assertWrong("get -> {S=xy}");
  }

  @Test
  void exists_isHeldAgainstTheRow() {
    put("a", 0, 10);
    add(Operation.read("exists").sawExistence(true), 20, 30);
    assertRight();
    add(Operation.read("exists").sawExistence(false), 40, 50);
    assertWrong("exists=false");
  }

  private static final RowState OLD = RowState.EMPTY.with(Column.C1, "cold");

  private static List<String> scan(
      boolean reversed, int limit, String to, List<Given> given, List<Operation> onB) {
    Histories histories = new Histories(List.of("b", "d"), Map.of("a", OLD, "c", OLD));
    onB.forEach(histories.of("b")::add);
    histories.scanned(
        new Wanted(
            "scan", reversed, "a", to, limit, EnumSet.allOf(Column.class), "", row -> true, true),
        given,
        TimeUnit.MILLISECONDS.toNanos(100),
        TimeUnit.MILLISECONDS.toNanos(200));
    return histories.violations();
  }

  private static Given given(String key, String value, long millis) {
    return new Given(
        key, RowState.EMPTY.with(Column.C1, value), TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private static Operation putOfB(long start, long end) {
    return Operation.mutation("put")
        .put(Column.C1, "v")
        .startedAt(TimeUnit.MILLISECONDS.toNanos(start))
        .endedAt(TimeUnit.MILLISECONDS.toNanos(end));
  }

  private static void assertScan(String expected, List<String> violations) {
    assertEquals(1, violations.size(), violations::toString);
    assertTrue(violations.get(0).contains(expected), violations::toString);
  }

  @Test
  void scan_rowGivenTwice_isFound() {
    assertScan(
        "scan gave a after a",
        scan(
            false,
            9,
            "e",
            List.of(given("a", "cold", 110), given("a", "cold", 110), given("c", "cold", 111)),
            List.of()));
  }

  @Test
  void scan_outOfOrder_isFound() {
    assertScan(
        "scan gave a after c",
        scan(false, 9, "e", List.of(given("c", "cold", 110), given("a", "cold", 111)), List.of()));
  }

  @Test
  void scan_missedAColdKey_isFound() {
    assertScan(
        "scan of c: null instead of {C1=cold}",
        scan(false, 9, "e", List.of(given("a", "cold", 110)), List.of()));
  }

  @Test
  void scan_missedAKeyThatWasThereThroughout_isFound() {
    assertScan(
        "key=b: ",
        scan(
            false,
            9,
            "e",
            List.of(given("a", "cold", 110), given("c", "cold", 111)),
            List.of(putOfB(0, 50))));
  }

  @Test
  void scan_missedAKeyThatCameWhenItHadPassed_isRight() {
    assertEquals(
        List.of(),
        scan(
            true,
            9,
            "e",
            List.of(given("c", "cold", 110), given("a", "cold", 130)),
            List.of(putOfB(120, 125))));
  }

  @Test
  void scan_missedAKeyThatCameBeforeTheNextOne_isFoundOnlyIfItBeganThen() {
    assertScan(
        "key=b: ",
        scan(
            false,
            9,
            "e",
            List.of(given("a", "cold", 110), given("c", "cold", 130)),
            List.of(putOfB(80, 90))));
  }

  @Test
  void scan_thatIsFull_saysNothingOfWhatFollows() {
    assertEquals(
        List.of(), scan(false, 1, "e", List.of(given("a", "cold", 110)), List.of(putOfB(0, 50))));
  }

  @Test
  void scan_gaveWhatItDoesNotWant_isFound() {
    assertScan(
        "scan gave c, which it does not want",
        scan(false, 9, "b", List.of(given("a", "cold", 110), given("c", "cold", 120)), List.of()));
  }

  @Test
  void randomHistories_thatAreCorrect_areAccepted() {
    for (int seed = 0; seed < 20; seed++) {
      SimulatedHistory simulated = new SimulatedHistory(seed, 60, 8);
      assertNull(simulated.history().violation(), "seed=" + seed);
    }
  }

  @Test
  void randomHistories_withOneWriteTakenBack_areRefused() {
    for (int seed = 0; seed < 20; seed++) {
      SimulatedHistory simulated = new SimulatedHistory(seed, 60, 8).withOneWriteLost();
      assertNotNull(simulated.history().violation(), "seed=" + seed);
    }
  }

  @Test
  void longHistories_areDecidedSoon() {
    List<Integer> sizes = new ArrayList<>();
    for (int seed = 0; seed < 5; seed++) {
      KeyHistory history = new SimulatedHistory(seed, 4000, 12).history();
      assertTimeout(
          Duration.ofMinutes(10), () -> assertNull(history.violation(), "a long history"));
      sizes.add(history.size());
    }
    assertEquals(List.of(4000, 4000, 4000, 4000, 4000), sizes);
  }
}
