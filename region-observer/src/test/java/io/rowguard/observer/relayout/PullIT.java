package io.rowguard.observer.relayout;

import static io.rowguard.observer.fixture.RelayoutTables.OTHERWISE_SALTED;
import static io.rowguard.observer.fixture.RelayoutTables.SALTED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.config.OtherRowException;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.Refusals;
import io.rowguard.observer.fixture.RelayoutTables;
import io.rowguard.observer.fixture.WayIn;
import io.rowguard.observer.fixture.Writes;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every {@link WayIn} at a table whose layout changes, in both modes and both phases: at the row
 * that takes the writes of its bare key, and at the other one. Each bare key has an old row that
 * holds {@code q=v}, and no new one.
 */
@Tag("whole")
@ExtendWith(MiniCluster.class)
class PullIT {
  private static final int KEYS = 1_500;

  /** The declaration of a table, and how many of its keys are used. */
  @SuppressWarnings("ImmutableEnumChecker")
  private enum Rule {
    REJECT_PREPARED("reject", false),
    REJECT_MOVING("reject", true),
    SALT_PREPARED("salt", false),
    SALT_MOVING("salt", true);

    private final String mode;
    private final boolean moving;
    private final AtomicInteger keys = new AtomicInteger();

    Rule(String mode, boolean moving) {
      this.mode = mode;
      this.moving = moving;
    }

    /** The row that takes the writes of a bare key. */
    String home(String key) {
      return moving ? RelayoutTables.row(OTHERWISE_SALTED, key) : RelayoutTables.row(SALTED, key);
    }

    String other(String key) {
      return moving ? RelayoutTables.row(SALTED, key) : RelayoutTables.row(OTHERWISE_SALTED, key);
    }

    /** Whether what comes to the other row is forwarded. */
    boolean forwards(WayIn way) {
      boolean alone =
          (way.method().startsWith("Table") && !way.method().contains("checkAndMutate"))
              || (way.method().startsWith("AsyncTable") && !way.method().contains("checkAndMutate"))
              || way.method().contains("BufferedMutator");
      boolean carried =
          way.action() == WayIn.Action.PUT
              || way.action() == WayIn.Action.DELETE
              || way.action() == WayIn.Action.ROW_MUTATIONS_OF_DELETES;
      return mode.equals("salt") && alone && carried;
    }
  }

  private static final Map<Rule, GuardedTable> tables = new EnumMap<>(Rule.class);
  private static AsyncConnection async;
  private static WayIn.Clients clients;

  @BeforeAll
  static void createTables(HBaseTestingUtility hbase) throws Exception {
    for (Rule rule : Rule.values()) {
      GuardedTable guarded =
          GuardedTable.of(hbase, "rowguard.layout", SALTED, "rowguard.mode", rule.mode)
              .with("rowguard.salt.timeout.ms", "50000")
              .withSplits("04-", "08-", "12-", "32-")
              .withCoprocessor(MultiRowMutationEndpoint.class)
              .create();
      tables.put(rule, guarded);
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < KEYS; i++) {
        puts.add(Writes.put(RelayoutTables.row(SALTED, key(i))));
      }
      guarded.table().put(puts);
      if (rule.moving) {
        RelayoutTables.start(guarded, OTHERWISE_SALTED);
      } else {
        RelayoutTables.prepare(guarded, OTHERWISE_SALTED);
      }
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

  private static String key(int i) {
    return "user" + i + "|0001";
  }

  /** A bare key that no other test has, and that has two rows. */
  private static String newKey(Rule rule) {
    String key;
    do {
      int next = rule.keys.getAndIncrement();
      assertTrue(next < KEYS, "There are not enough keys.");
      key = key(next);
    } while (rule.home(key).equals(rule.other(key)));
    return key;
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("cells")
  void rowAtHome_byEveryWay_isWrittenWithWhatThereWas(Rule rule, WayIn way) throws Exception {
    GuardedTable guarded = tables.get(rule);
    String key = newKey(rule);
    String home = rule.home(key);

    Object result = way.write().to(clients, guarded, home);

    assertDone(way, result, guarded, home);
    assertEquals(List.of(), guarded.latestCellsOf(rule.other(key)));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("cells")
  void otherRow_byEveryWay_isForwardedOrRefused(Rule rule, WayIn way) throws Exception {
    GuardedTable guarded = tables.get(rule);
    String key = newKey(rule);
    String home = rule.home(key);
    String other = rule.other(key);

    Object result = way.write().to(clients, guarded, other);

    if (rule.forwards(way)) {
      assertDone(way, result, guarded, home);
      assertEquals(List.of(), guarded.latestCellsOf(other));
    } else {
      Throwable refused =
          assertInstanceOf(Throwable.class, Refusals.reasonOf(result), way.toString());
      assertTrue(OtherRowException.isReasonOf(refused), () -> String.valueOf(refused));
      assertTrue(Refusals.messageOf(result).contains(home), () -> String.valueOf(refused));
      String old = RelayoutTables.row(SALTED, key);
      assertEquals(List.of(old + "/q=v"), guarded.latestCellsOf(old));
      assertEquals(List.of(), guarded.latestCellsOf(RelayoutTables.row(OTHERWISE_SALTED, key)));
    }
  }

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
}
