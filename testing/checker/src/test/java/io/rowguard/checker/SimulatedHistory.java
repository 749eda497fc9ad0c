package io.rowguard.checker;

import io.rowguard.checker.RowState.Column;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * A history that clients of one correct row might have seen: random operations that take effect one
 * after the other, each at some time between its start and its end. Operations of a few clients
 * overlap.
 */
final class SimulatedHistory {
  private final Random random;
  private final int count;
  private final KeyHistory history = new KeyHistory("simulated");
  private final List<Long> starts = new ArrayList<>();
  private final List<Long> effects = new ArrayList<>();
  private final List<Long> ends = new ArrayList<>();
  private boolean losesOne;

  /**
   * A history.
   *
   * @param clients how many have an operation under way at a time
   */
  SimulatedHistory(long seed, int count, int clients) {
    this.random = new Random(seed);
    this.count = count;
    long[] free = new long[clients];
    for (int i = 0; i < count; i++) {
      int client = random.nextInt(clients);
      long start = free[client] + random.nextInt(50);
      long effect = start + random.nextInt(10);
      starts.add(start);
      effects.add(effect);
      ends.add(effect + random.nextInt(10));
      free[client] = ends.get(i) + 1;
    }
  }

  /**
   * In the middle of it a write is acknowledged and does nothing. Whoever comes after it has been
   * answered reads the row without it, and all others have come before. Nothing has an unknown
   * outcome, which could explain that.
   */
  SimulatedHistory withOneWriteLost() {
    losesOne = true;
    return this;
  }

  KeyHistory history() {
    if (history.size() > 0) {
      return history;
    }
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      order.add(i);
    }
    order.sort((a, b) -> Long.compare(effects.get(a), effects.get(b)));
    RowState row = RowState.EMPTY;
    // Each in its own place of time, so that nothing overlaps with what is lost.
    long shift = 0;
    for (int place = 0; place < count; place++) {
      int i = order.get(place);
      if (losesOne && place == count / 2) {
        lose(row, TimeUnit.MILLISECONDS.toNanos(Collections.max(ends) + 10));
        shift = Collections.max(ends) + 100;
      }
      row = operate(row, i, shift);
    }
    return history;
  }

  private void lose(RowState row, long nanos) {
    history.add(
        Operation.mutation("put")
            .put(Column.C1, "lost")
            .startedAt(nanos)
            .endedAt(nanos + TimeUnit.MILLISECONDS.toNanos(1)));
    long later = nanos + TimeUnit.MILLISECONDS.toNanos(10);
    history.add(Operation.read("get").saw(row).startedAt(later).endedAt(later + 1));
  }

  private RowState operate(RowState row, int i, long shift) {
    Operation operation = random(i, row);
    long start = TimeUnit.MILLISECONDS.toNanos(starts.get(i) + shift);
    operation.startedAt(start);
    boolean isUnknown = !losesOne && !operation.isObservation() && random.nextInt(count / 4) == 0;
    boolean isDone = !isUnknown || random.nextBoolean();
    RowState after = isDone ? operation.after(row) : row;
    if (!isUnknown) {
      answer(operation, after);
      operation.endedAt(TimeUnit.MILLISECONDS.toNanos(ends.get(i) + shift));
    }
    history.add(operation);
    return after;
  }

  private static void answer(Operation operation, RowState after) {
    for (Column column : List.of(Column.N, Column.S)) {
      if (operation.written().contains(column) && after.get(column) != null) {
        operation.answered(column, after.get(column));
      }
    }
  }

  private Operation random(int i, RowState row) {
    String value = "v" + i;
    switch (random.nextInt(10)) {
      case 0:
        return Operation.mutation("put").put(Column.C1, value);
      case 1:
        return Operation.mutation("put").put(Column.C1, value).put(Column.C2, value);
      case 2:
        return Operation.mutation("delete").clearRow();
      case 3:
        return Operation.mutation("increment").add(Column.N, 1 + random.nextInt(3));
      case 4:
        return Operation.mutation("append").append(Column.S, "," + i);
      case 5:
        String expected = random.nextBoolean() ? row.get(Column.C1) : "v" + random.nextInt(count);
        boolean holds =
            expected == null ? row.get(Column.C1) == null : expected.equals(row.get(Column.C1));
        return Operation.mutation("check")
            .onlyIf(Column.C1, expected)
            .put(Column.C2, value)
            .wasDone(holds);
      case 6:
        return Operation.read("exists").sawExistence(!row.isEmpty());
      case 7:
        EnumSet<Column> columns = EnumSet.of(Column.C1, Column.N);
        return Operation.read("get").of(columns).saw(row.only(columns));
      default:
        return Operation.read("get").saw(row);
    }
  }
}
