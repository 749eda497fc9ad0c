package io.rowguard.client;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/** What is in one row of a table under test: the value of each of its columns. Immutable. */
final class RowState {
  /** The columns. */
  enum Column {
    C1("f", "c1"),
    C2("f", "c2"),
    /** A counter. */
    N("f", "n"),
    /** What is only appended to. */
    S("f", "s");

    private final String family;
    private final String qualifier;

    Column(String family, String qualifier) {
      this.family = family;
      this.qualifier = qualifier;
    }

    byte[] family() {
      return Bytes.toBytes(family);
    }

    byte[] qualifier() {
      return Bytes.toBytes(qualifier);
    }
  }

  static final RowState EMPTY = new RowState(new EnumMap<>(Column.class));

  private final Map<Column, String> values;

  private RowState(Map<Column, String> values) {
    this.values = values;
  }

  /** The row that a reader got; null stands for no row. */
  static RowState of(Result result) {
    RowState state = EMPTY;
    if (result != null && !result.isEmpty()) {
      for (Column column : Column.values()) {
        byte[] value = result.getValue(column.family(), column.qualifier());
        if (value != null) {
          state = state.with(column, text(column, value));
        }
      }
      if (result.size() != state.size()) {
        throw new AssertionError("A row has cells that nobody wrote: " + Tables.show(result));
      }
    }
    return state;
  }

  /** A value as it is written here. */
  static String text(Column column, byte[] value) {
    return column == Column.N ? Long.toString(Bytes.toLong(value)) : Bytes.toString(value);
  }

  private int size() {
    return values.size();
  }

  boolean isEmpty() {
    return values.isEmpty();
  }

  /** The value of a column, null where it has none. */
  String get(Column column) {
    return values.get(column);
  }

  /** The same with another value; null takes it away. */
  RowState with(Column column, String value) {
    Map<Column, String> changed = new EnumMap<>(values);
    if (value == null) {
      changed.remove(column);
    } else {
      changed.put(column, value);
    }
    return new RowState(changed);
  }

  /** What a reader of some columns sees. */
  RowState only(Set<Column> columns) {
    RowState state = this;
    for (Column column : Column.values()) {
      if (!columns.contains(column) && get(column) != null) {
        state = state.with(column, null);
      }
    }
    return state;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RowState state && values.equals(state.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("{");
    for (Column column : Column.values()) {
      if (get(column) != null) {
        text.append(text.length() > 1 ? " " : "").append(column).append('=').append(get(column));
      }
    }
    return text.append('}').toString();
  }
}
