package io.rowguard.observer;

import static io.rowguard.observer.GuardedTable.F;
import static io.rowguard.observer.GuardedTable.Q;
import static io.rowguard.observer.Refusals.endOf;
import static io.rowguard.observer.Writes.append;
import static io.rowguard.observer.Writes.bytes;
import static io.rowguard.observer.Writes.delete;
import static io.rowguard.observer.Writes.increment;
import static io.rowguard.observer.Writes.put;
import static io.rowguard.observer.Writes.together;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;

/**
 * A way to write a row of which {@code q=v} is stored: what is done to it, and by which of the
 * client's methods.
 *
 * @param method of the client, in words
 * @param condition upon which it does it; null for none
 * @param action what is done
 * @param met whether it comes to that: false for a condition that does not hold
 * @param write does it, and returns what the client gets: a result or what it failed with
 */
record WayIn(String method, Condition condition, Action action, boolean met, Write write) {

  /** The mutation of a row. */
  enum Action {
    PUT(1, "q=new"),
    DELETE(1),
    APPEND(1, "q=v+"),
    INCREMENT(1, "n=\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x01", "q=v"),
    ROW_MUTATIONS(2, "n=\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x01", "q=new"),
    ROW_MUTATIONS_OF_DELETES(1);

    private final int mutations;

    @SuppressWarnings("ImmutableEnumChecker") // List.of's are immutable
    private final List<String> after;

    Action(int mutations, String... after) {
      this.mutations = mutations;
      this.after = List.of(after);
    }

    /** How many mutations it is. */
    int mutations() {
      return mutations;
    }

    /** Whether it only takes away, which a table may allow on any row. */
    boolean onlyDeletes() {
      return after.isEmpty();
    }

    /** The row after the mutation. */
    List<String> after(String row) {
      return after.stream().map(cell -> row + "/" + cell).toList();
    }

    Row on(String row) throws IOException {
      switch (this) {
        case PUT:
          return put(row, "new");
        case DELETE:
          return delete(row);
        case APPEND:
          return append(row);
        case INCREMENT:
          return increment(row);
        case ROW_MUTATIONS:
          return together(put(row, "new"), increment(row));
        default:
          return together(delete(row));
      }
    }
  }

  /** Does it. */
  interface Write {
    Object to(Clients clients, GuardedTable guarded, String row) throws Exception;
  }

  /** The connections to the cluster. */
  record Clients(Connection connection, AsyncConnection async) {
    AsyncTable<?> table(GuardedTable guarded) {
      return async.getTable(guarded.name());
    }
  }

  /** For a test's name. */
  @Override
  public String toString() {
    return method + (condition == null ? "" : " with " + condition) + ": " + action;
  }

  /**
   * Those that are tested: a few in which every two of a method, a condition and an action meet, or
   * all with {@code -Drowguard.matrix=whole}.
   */
  static List<WayIn> tested() {
    List<WayIn> all = all();
    if (System.getProperty("rowguard.matrix", "").equals("whole")) {
      return all;
    }
    Collections.shuffle(all, new Random(1));
    Set<List<Object>> met = new HashSet<>();
    all.removeIf(way -> !met.addAll(way.pairs()));
    return all;
  }

  private List<List<Object>> pairs() {
    List<List<Object>> pairs = new ArrayList<>(List.of(List.of(method, action)));
    if (condition != null) {
      pairs.add(List.of(method, condition));
      pairs.add(List.of(condition, action));
    }
    return pairs;
  }

  private static List<WayIn> all() {
    List<WayIn> ways = new ArrayList<>();
    for (Action action : Action.values()) {
      addUnconditional(ways, action);
      for (Condition condition : Condition.values()) {
        addConditional(ways, action, condition);
      }
    }
    addOfOneKind(ways);
    return ways;
  }

  private static void addUnconditional(List<WayIn> ways, Action action) {
    ways.add(of("Table", action, (by, to, row) -> nothing(() -> single(to, action.on(row)))));
    ways.add(of("Table.batch", action, (by, to, row) -> to.batch(List.of(action.on(row)))[0]));
    ways.add(of("AsyncTable", action, (by, to, row) -> endOfSingle(by.table(to), action.on(row))));
    ways.add(
        of(
            "AsyncTable.batch",
            action,
            (by, to, row) -> endOf(by.table(to).batch(List.of(action.on(row))).get(0))));
    if (action == Action.ROW_MUTATIONS || action == Action.ROW_MUTATIONS_OF_DELETES) {
      return; // not what the others take
    }
    ways.add(
        of(
            "MultiRowMutationEndpoint",
            action,
            (by, to, row) ->
                nothing(
                    () ->
                        RowsWithLocks.mutateRows(
                            to, RowsWithLocks.request((Mutation) action.on(row))))));
  }

  private static void addConditional(List<WayIn> ways, Action action, Condition condition) {
    Checked checked = row -> condition.on(row);
    ways.add(
        new WayIn(
            "Table.checkAndMutate",
            condition,
            action,
            condition.met(),
            (by, to, row) -> resultOf(() -> to.table().checkAndMutate(checked.then(action, row)))));
    ways.add(
        new WayIn(
            "Table.checkAndMutate(List)",
            condition,
            action,
            condition.met(),
            (by, to, row) ->
                resultOf(
                    () -> to.table().checkAndMutate(List.of(checked.then(action, row))).get(0))));
    ways.add(
        new WayIn(
            "Table.batch of checkAndMutate",
            condition,
            action,
            condition.met(),
            (by, to, row) -> to.batch(List.of(checked.then(action, row)))[0]));
    if (condition != Condition.EQUALS && condition != Condition.NOT_EQUALS) {
      return; // to the servers it is all the same
    }
    ways.add(
        new WayIn(
            "AsyncTable.checkAndMutate",
            condition,
            action,
            condition.met(),
            (by, to, row) -> endOf(by.table(to).checkAndMutate(checked.then(action, row)))));
    ways.add(
        new WayIn(
            "AsyncTable.checkAndMutate(List)",
            condition,
            action,
            condition.met(),
            (by, to, row) ->
                endOf(by.table(to).checkAndMutate(List.of(checked.then(action, row))).get(0))));
  }

  /** The ways for puts or deletes only. */
  private static void addOfOneKind(List<WayIn> ways) {
    ways.add(
        of(
            "Table.put(List)",
            Action.PUT,
            (by, to, row) -> nothing(() -> to.table().put(List.of(put(row, "new"))))));
    ways.add(
        of(
            "Table.delete(List)",
            Action.DELETE,
            (by, to, row) ->
                nothing(() -> to.table().delete(new ArrayList<>(Arrays.asList(delete(row)))))));
    ways.add(
        of(
            "Table.incrementColumnValue",
            Action.INCREMENT,
            (by, to, row) ->
                resultOf(() -> to.table().incrementColumnValue(bytes(row), F, bytes("n"), 1))));
    ways.add(
        of(
            "AsyncTable.put(List)",
            Action.PUT,
            (by, to, row) -> endOf(by.table(to).put(List.of(put(row, "new"))).get(0))));
    ways.add(
        of(
            "AsyncTable.delete(List)",
            Action.DELETE,
            (by, to, row) -> endOf(by.table(to).delete(List.of(delete(row))).get(0))));
    for (Action action : List.of(Action.PUT, Action.DELETE)) {
      ways.add(
          of(
              "BufferedMutator",
              action,
              (by, to, row) -> nothing(() -> buffer(by, to, (Mutation) action.on(row)))));
      ways.add(
          of(
              "AsyncBufferedMutator",
              action,
              (by, to, row) -> endOfAsyncBuffer(by, to, (Mutation) action.on(row))));
    }
    addDeprecated(ways);
  }

  /** The forms of older clients. */
  @SuppressWarnings("deprecation")
  private static void addDeprecated(List<WayIn> ways) {
    ways.add(
        of(
            "Table.checkAndMutate(row, family)",
            Action.PUT,
            (by, to, row) ->
                resultOf(
                    () ->
                        to.table()
                            .checkAndMutate(bytes(row), F)
                            .qualifier(Q)
                            .ifEquals(bytes("v"))
                            .thenPut(put(row, "new")))));
    ways.add(
        of(
            "Table.checkAndMutate(row, family)",
            Action.DELETE,
            (by, to, row) ->
                resultOf(
                    () ->
                        to.table()
                            .checkAndMutate(bytes(row), F)
                            .qualifier(Q)
                            .ifEquals(bytes("v"))
                            .thenDelete(delete(row)))));
    ways.add(
        of(
            "Table.checkAndMutate(row, family)",
            Action.ROW_MUTATIONS,
            (by, to, row) ->
                resultOf(
                    () ->
                        to.table()
                            .checkAndMutate(bytes(row), F)
                            .qualifier(Q)
                            .ifEquals(bytes("v"))
                            .thenMutate(together(put(row, "new"), increment(row))))));
  }

  private static WayIn of(String method, Action action, Write write) {
    return new WayIn(method, null, action, true, write);
  }

  /** A condition on a row. */
  private interface Checked {
    CheckAndMutate.Builder on(String row);

    default CheckAndMutate then(Action action, String row) throws IOException {
      Row what = action.on(row);
      CheckAndMutate.Builder check = on(row);
      if (what instanceof Put put) {
        return check.build(put);
      }
      if (what instanceof Delete delete) {
        return check.build(delete);
      }
      if (what instanceof Append append) {
        return check.build(append);
      }
      return what instanceof Increment increment
          ? check.build(increment)
          : check.build((RowMutations) what);
    }
  }

  private static void single(GuardedTable to, Row what) throws IOException {
    if (what instanceof Put put) {
      to.table().put(put);
    } else if (what instanceof Delete delete) {
      to.table().delete(delete);
    } else if (what instanceof Append append) {
      to.table().append(append);
    } else if (what instanceof Increment increment) {
      to.table().increment(increment);
    } else {
      to.table().mutateRow((RowMutations) what);
    }
  }

  private static Object endOfSingle(AsyncTable<?> to, Row what) {
    if (what instanceof Put put) {
      return endOf(to.put(put));
    }
    if (what instanceof Delete delete) {
      return endOf(to.delete(delete));
    }
    if (what instanceof Append append) {
      return endOf(to.append(append));
    }
    return what instanceof Increment increment
        ? endOf(to.increment(increment))
        : endOf(to.mutateRow((RowMutations) what));
  }

  private static void buffer(Clients by, GuardedTable to, Mutation what) throws IOException {
    try (BufferedMutator mutator = by.connection().getBufferedMutator(to.name())) {
      mutator.mutate(what);
    }
  }

  private static Object endOfAsyncBuffer(Clients by, GuardedTable to, Mutation what) {
    try (AsyncBufferedMutator mutator = by.async().getBufferedMutator(to.name())) {
      var future = mutator.mutate(what);
      mutator.flush();
      return endOf(future);
    }
  }

  /** A call that can fail with anything. */
  private interface Call {
    Object result() throws Exception;
  }

  /** A call that can fail with anything and has no result. */
  private interface Silent {
    void run() throws Exception;
  }

  private static Object resultOf(Call call) {
    try {
      return call.result();
    } catch (Exception e) {
      return e;
    }
  }

  private static Object nothing(Silent call) {
    return resultOf(
        () -> {
          call.run();
          return null;
        });
  }
}
