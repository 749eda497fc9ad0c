package io.rowguard.checker;

import io.rowguard.checker.RowState.Column;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A client's write to one key, or read of it: from when to when, and the answer. Made by the thread
 * of the client, and not changed any more once it is in a {@link KeyHistory}.
 *
 * <p>Times are those of {@code System.nanoTime}. An operation whose outcome nobody knows has no
 * end: it took effect at some time after its start, or never will.
 */
public final class Operation {
  private static final long ZERO = System.nanoTime();

  private enum Kind {
    PUT,
    CLEAR,
    ADD,
    APPEND
  }

  private record Change(Kind kind, Column column, String value) {
    RowState of(RowState state) {
      String before = state.get(column);
      switch (kind) {
        case ADD:
          long number = (before == null ? 0 : Long.parseLong(before)) + Long.parseLong(value);
          return state.with(column, Long.toString(number));
        case APPEND:
          return state.with(column, (before == null ? "" : before) + value);
        default:
          return state.with(column, value);
      }
    }

    @Override
    public String toString() {
      return kind + " " + column + (value == null ? "" : "=" + value);
    }
  }

  private final String name;
  private final boolean reads;
  private final List<Change> changes = new ArrayList<>();
  private final Map<Column, String> answers = new EnumMap<>(Column.class);
  private Column checked;
  private String expected;
  private Boolean done;
  private Set<Column> columns = EnumSet.allOf(Column.class);
  private Predicate<RowState> filter = state -> true;
  private String filterText = "";
  private RowState seen;
  private Boolean existed;
  private long start;
  private long end = Long.MAX_VALUE;

  private Operation(String name, boolean reads) {
    this.name = name;
    this.reads = reads;
  }

  /** A mutation, which is yet to say what it changes. */
  public static Operation mutation(String name) {
    return new Operation(name, false);
  }

  /** A read, of all columns as long as it says nothing else. */
  public static Operation read(String name) {
    return new Operation(name, true);
  }

  public Operation put(Column column, String value) {
    changes.add(new Change(Kind.PUT, column, value));
    return this;
  }

  public Operation clear(Column column) {
    changes.add(new Change(Kind.CLEAR, column, null));
    return this;
  }

  public Operation clearRow() {
    for (Column column : Column.values()) {
      clear(column);
    }
    return this;
  }

  public Operation add(Column column, long amount) {
    changes.add(new Change(Kind.ADD, column, Long.toString(amount)));
    return this;
  }

  public Operation append(Column column, String text) {
    changes.add(new Change(Kind.APPEND, column, text));
    return this;
  }

  /** Only where a column has a value; null: has none. */
  public Operation onlyIf(Column column, String value) {
    checked = column;
    expected = value;
    return this;
  }

  /** A read of some columns. */
  public Operation of(Set<Column> columns) {
    this.columns = EnumSet.copyOf(columns);
    return this;
  }

  /** A read that sees nothing of a row unless the row is such. */
  public Operation where(String text, Predicate<RowState> filter) {
    this.filterText = text.isEmpty() ? "" : " where " + text;
    this.filter = filter;
    return this;
  }

  public Operation startedAt(long nanos) {
    this.start = nanos;
    return this;
  }

  /** It was answered then. */
  public Operation endedAt(long nanos) {
    this.end = nanos;
    return this;
  }

  /** Whether a mutation with a condition was carried out. */
  public Operation wasDone(boolean done) {
    this.done = done;
    return this;
  }

  /** The value of a column after a mutation, as it was answered. */
  public Operation answered(Column column, String value) {
    answers.put(column, value);
    return this;
  }

  public Operation saw(RowState seen) {
    this.seen = seen;
    return this;
  }

  public Operation sawExistence(boolean existed) {
    this.existed = existed;
    return this;
  }

  public String name() {
    return name;
  }

  public long start() {
    return start;
  }

  /** The end, {@code Long.MAX_VALUE} where the outcome is unknown. */
  public long end() {
    return end;
  }

  public boolean isUnknown() {
    return end == Long.MAX_VALUE;
  }

  /** Whether it changed nothing, by what it was answered. */
  public boolean isObservation() {
    return reads || Boolean.FALSE.equals(done);
  }

  /** The row after it, or null where its answer says that it did not come upon this row. */
  public RowState after(RowState before) {
    if (reads) {
      RowState visible = filter.test(before) ? before.only(columns) : RowState.EMPTY;
      boolean fits = existed == null ? visible.equals(seen) : existed == !visible.isEmpty();
      return fits ? before : null;
    }
    if (checked != null) {
      String found = before.get(checked);
      boolean holds = expected == null ? found == null : expected.equals(found);
      if (done != null && done != holds) {
        return null;
      }
      if (!holds) {
        return before;
      }
    }
    RowState after = before;
    for (Change change : changes) {
      after = change.of(after);
    }
    for (Map.Entry<Column, String> answer : answers.entrySet()) {
      if (!answer.getValue().equals(after.get(answer.getKey()))) {
        return null;
      }
    }
    return after;
  }

  /** The columns that it clears: its delete markers. */
  public Set<Column> cleared() {
    Set<Column> cleared = EnumSet.noneOf(Column.class);
    for (Change change : changes) {
      if (change.kind == Kind.CLEAR) {
        cleared.add(change.column);
      }
    }
    return cleared;
  }

  /** The columns that it gives a value. */
  public Set<Column> written() {
    Set<Column> written = EnumSet.noneOf(Column.class);
    for (Change change : changes) {
      if (change.kind != Kind.CLEAR) {
        written.add(change.column);
      }
    }
    return written;
  }

  /** The values that it puts. */
  public Set<String> puts() {
    return changes.stream()
        .filter(change -> change.kind == Kind.PUT)
        .map(Change::value)
        .collect(Collectors.toSet());
  }

  /** The values that it has been shown, or was told to look for. */
  public Set<String> mentioned() {
    Set<String> mentioned = new HashSet<>(answers.values());
    mentioned.add(expected);
    if (seen != null) {
      for (Column column : Column.values()) {
        mentioned.add(seen.get(column));
      }
    }
    mentioned.remove(null);
    return mentioned;
  }

  /**
   * A plain put or delete as one for each of its columns. HBase takes such mutations of one row
   * side by side: each has its timestamp, and which becomes visible first is another matter.
   */
  public List<Operation> parts() {
    boolean isPlain =
        !reads
            && checked == null
            && changes.stream().allMatch(c -> c.kind == Kind.PUT || c.kind == Kind.CLEAR);
    List<Operation> parts = new ArrayList<>();
    if (!isPlain || changes.size() == 1) {
      parts.add(this);
      return parts;
    }
    for (Change change : changes) {
      Operation part = mutation(name + " in part").startedAt(start).endedAt(end);
      part.changes.add(change);
      parts.add(part);
    }
    return parts;
  }

  /** A time that {@link System#nanoTime} gave, in microseconds since the first operation. */
  public static long micros(long nanos) {
    return (nanos - ZERO) / 1000;
  }

  /** With its times as {@link #micros} has them. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(String.format("%10d", micros(start)));
    text.append(isUnknown() ? "          ?" : String.format(" %10d", micros(end)));
    text.append(' ').append(name);
    if (reads) {
      text.append(columns.size() == Column.values().length ? "" : " " + columns).append(filterText);
      text.append(" -> ").append(existed == null ? seen : "exists=" + existed);
    } else {
      text.append(checked == null ? "" : " if " + checked + "=" + expected);
      text.append(' ').append(changes);
      text.append(done == null ? "" : " -> done=" + done);
      text.append(answers.isEmpty() ? "" : " -> " + answers);
    }
    return text.append(isUnknown() ? " (unknown outcome)" : "").toString();
  }
}
