package io.rowguard.observer.decide;

import static io.rowguard.observer.fixture.GuardedTable.LAYOUT;
import static io.rowguard.observer.fixture.Writes.BAD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.Counters;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.Refusals;
import io.rowguard.observer.fixture.WayIn;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every {@link WayIn} in every mode, with a row that conforms and one that does not: what the
 * client gets, what is stored then, and what was counted. Which of them must be refused is written
 * down here once, for all ways alike.
 */
@Tag("whole")
@ExtendWith(MiniCluster.class)
class EveryWayInIT {
  /** The declaration of a table. */
  private enum Rule {
    REJECT("reject", "accept"),
    REJECT_DELETES_TOO("reject", "enforce"),
    WARN("warn", "enforce"),
    OFF("off", "enforce");

    private final String mode;
    private final String delete;

    Rule(String mode, String delete) {
      this.mode = mode;
      this.delete = delete;
    }

    /** The counter for a write. */
    Map<String, Long> countsOf(String counter, WayIn way) {
      return this == OFF || !way.met()
          ? Map.of()
          : Map.of(counter, (long) way.action().mutations());
    }

    boolean refuses(WayIn way) {
      return mode.equals("reject") && (delete.equals("enforce") || !way.action().onlyDeletes());
    }
  }

  private static final Map<Rule, GuardedTable> tables = new EnumMap<>(Rule.class);
  private static final AtomicInteger rows = new AtomicInteger();
  private static AsyncConnection async;
  private static WayIn.Clients clients;

  @BeforeAll
  static void createTables(HBaseTestingUtility hbase) throws Exception {
    for (Rule rule : Rule.values()) {
      tables.put(rule, create(hbase, rule));
    }
    async =
        ConnectionFactory.createAsyncConnection(hbase.getConfiguration()).get(5, TimeUnit.MINUTES);
    clients = new WayIn.Clients(hbase.getConnection(), async);
  }

  @AfterAll
  static void dropTables() throws IOException {
    async.close();
    for (GuardedTable table : tables.values()) {
      table.close();
    }
  }

  static Stream<Arguments> cells() {
    return Stream.of(Rule.values())
        .flatMap(rule -> WayIn.tested().stream().map(way -> Arguments.of(rule, way)));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("cells")
  void badRow_byEveryWay_isAnsweredByTheRule(Rule rule, WayIn way) throws Exception {
    GuardedTable guarded = tables.get(rule);
    String row = newRow("bob|%03dx");
    guarded.plant(row);
    List<String> before = guarded.cellsOf(row);
    Map<String, Long> counters = Counters.of(guarded.name());

    Object result = way.write().to(clients, guarded, row);

    if (rule.refuses(way)) {
      assertEquals(Refusals.of(guarded, row), Refusals.messageOf(result));
      assertEquals(before, guarded.cellsOf(row));
      assertCounted(Map.of("rejected_not_digits", 1L), counters, guarded);
    } else {
      assertDone(way, result, guarded, row);
      assertCounted(rule.countsOf("accepted_not_digits", way), counters, guarded);
    }
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("cells")
  void conformingRow_byEveryWay_isWritten(Rule rule, WayIn way) throws Exception {
    GuardedTable guarded = tables.get(rule);
    String row = newRow("alice|%04d");
    guarded.plant(row);
    Map<String, Long> counters = Counters.of(guarded.name());

    Object result = way.write().to(clients, guarded, row);

    assertDone(way, result, guarded, row);
    assertCounted(rule.countsOf("conforming", way), counters, guarded);
  }

  /**
   * Here nothing fails; {@link MixedBatchIT} has actions that travel together and are answered one
   * by one.
   */
  @ParameterizedTest
  @EnumSource(
      value = Rule.class,
      names = {"WARN", "OFF"})
  void mixedBatch_whereNothingIsRefused_isWritten(Rule rule, HBaseTestingUtility hbase)
      throws Exception {
    try (GuardedTable guarded = create(hbase, rule)) {
      guarded.plant(BAD);
      Map<String, Long> counters = Counters.of(guarded.name());

      Object[] results = guarded.batch(MixedBatchIT.ofEveryKind());

      assertEquals(Set.of(), Refusals.placesOf(results));
      List<String> written = guarded.rows();
      written.remove(BAD); // which a delete and a put of one millisecond leave or take away
      assertEquals(List.of("a|0001", "b|0002", "c|0003", "d|0004", "e|0005", "f|0006"), written);
      assertTrue(guarded.cellsOf(BAD).contains(BAD + "/ DeleteFamily"));
      // The last of them wants the row to be absent, which then is a matter of that millisecond
      // too.
      boolean lastDone = ((CheckAndMutateResult) results[results.length - 1]).isSuccess();
      Map<String, Long> expected =
          Map.of("conforming", 9L, "accepted_not_digits", lastDone ? 7L : 6L);
      assertCounted(rule == Rule.WARN ? expected : Map.of(), counters, guarded);
    }
  }

  private static GuardedTable create(HBaseTestingUtility hbase, Rule rule) throws IOException {
    return GuardedTable.of(hbase, "rowguard.layout", LAYOUT)
        .with("rowguard.mode", rule.mode, "rowguard.delete", rule.delete)
        .withCoprocessor(MultiRowMutationEndpoint.class)
        .create();
  }

  /** A row that no other test has. */
  private static String newRow(String format) {
    return String.format(format, rows.incrementAndGet() % 1_000);
  }

  /**
   * The write was answered with its result and is stored, or nothing is, if a condition said so.
   */
  private static void assertDone(WayIn way, Object result, GuardedTable guarded, String row)
      throws IOException {
    if (result instanceof Throwable failure) {
      throw new AssertionError(way + " failed", failure);
    }
    if (result instanceof CheckAndMutateResult checked) {
      assertEquals(way.met(), checked.isSuccess());
    }
    assertEquals(
        way.met() ? way.action().after(row) : List.of(row + "/q=v"), guarded.latestCellsOf(row));
  }

  /** Fails unless a table's counters grew by just this much. */
  private static void assertCounted(
      Map<String, Long> expected, Map<String, Long> before, GuardedTable guarded) {
    Map<String, Long> grown = Counters.of(guarded.name());
    before.forEach((name, count) -> grown.merge(name, -count, Long::sum));
    grown.values().removeIf(count -> count == 0);
    assertEquals(expected, grown);
  }
}
