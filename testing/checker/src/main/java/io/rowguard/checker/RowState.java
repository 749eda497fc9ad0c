package io.rowguard.checker;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;

/** Content of one row of a table under test: the value of each of its columns. Immutable. */
public final class RowState {
  /** The columns. */
  public enum Column {
    C1("f", "c1"),
    C2("f", "c2"),
    /** A counter. */
    N("f", "n"),
    /** Column that is only appended to. */
    S("f", "s");

    private final String family;
    private final String qualifier;

    Column(String family, String qualifier) {
      this.family = family;
      this.qualifier = qualifier;
    }

    /** Its family, as HBase knows it. */
    public byte[] family() {
      return family.getBytes(StandardCharsets.UTF_8);
    }

    /** Its qualifier, as HBase knows it. */
    public byte[] qualifier() {
      return qualifier.getBytes(StandardCharsets.UTF_8);
    }
  }

  public static final RowState EMPTY = new RowState(new EnumMap<>(Column.class));

  private final Map<Column, String> values;

  private RowState(Map<Column, String> values) {
    this.values = values;
  }

  /**
   * The row that a reader got.
   *
   * @param cells values by family and qualifier, in a map that compares bytes; null stands for no
   *     row
   * @throws AssertionError if there is a cell of no column
   */
  public static RowState of(NavigableMap<byte[], NavigableMap<byte[], byte[]>> cells) {
    if (cells == null) {
      return EMPTY;
    }
    RowState state = EMPTY;
    for (Column column : Column.values()) {
      NavigableMap<byte[], byte[]> family = cells.get(column.family());
      byte[] value = family == null ? null : family.get(column.qualifier());
      if (value != null) {
        state = state.with(column, text(column, value));
      }
    }
    if (cells.values().stream().mapToInt(Map::size).sum() != state.size()) {
      throw new AssertionError("A row has cells that nobody wrote, besides " + state);
    }
    return state;
  }

  /** A value as it is written here. */
  public static String text(Column column, byte[] value) {
    return column == Column.N
        ? Long.toString(ByteBuffer.wrap(value).getLong())
        : new String(value, StandardCharsets.UTF_8);
  }

  private int size() {
    return values.size();
  }

  public boolean isEmpty() {
    return values.isEmpty();
  }

  /** The value of a column, null where it has none. */
  public String get(Column column) {
    return values.get(column);
  }

  /** The same with another value; null takes it away. */
  public RowState with(Column column, String value) {
    Map<Column, String> changed = new EnumMap<>(values);
    if (value == null) {
      changed.remove(column);
    } else {
      changed.put(column, value);
    }
    return new RowState(changed);
  }

  /** Part that a reader of some columns sees. */
  public RowState only(Set<Column> columns) {
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
