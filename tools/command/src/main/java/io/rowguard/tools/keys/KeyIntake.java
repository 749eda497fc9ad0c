package io.rowguard.tools.keys;

import io.rowguard.layout.RowText;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Verdict;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * Takes keys as a table in salt mode would: rows as they are, bare keys completed, all others
 * refused; counts which were which. Not thread-safe; several can be {@linkplain #add added up}.
 */
public final class KeyIntake {
  private final RowkeyLayout layout;
  private final Map<Verdict, Long> refused = new EnumMap<>(Verdict.class);
  private final Map<Verdict, byte[]> examples = new EnumMap<>(Verdict.class);
  private byte[] row;
  private int rowLength;
  private long rows;
  private long completed;

  public KeyIntake(RowkeyLayout layout) {
    this.layout = layout;
  }

  /**
   * Takes the first {@code length} bytes of an array. Copies nothing when they are a row.
   *
   * @return whether there is a row: {@link #row} and {@link #rowLength} then say which
   */
  public boolean take(byte[] key, int length) {
    Verdict verdict = layout.check(key, 0, length);
    if (verdict.conforms()) {
      takeRow(key, length);
      return true;
    }
    byte[] whole = Arrays.copyOf(key, length);
    // Where writers choose among several rows, they are taken in turns.
    row = layout.hasDerivedSegments() ? layout.completeIfBare(whole, (int) completed) : null;
    if (row != null) {
      completed++;
      rowLength = row.length;
      return true;
    }
    refused.merge(verdict, 1L, Long::sum);
    examples.putIfAbsent(verdict, whole);
    return false;
  }

  /** As {@link #take}, where the bytes are known to be a row. */
  public void takeRow(byte[] key, int length) {
    rows++;
    row = key;
    rowLength = length;
  }

  /** The array that begins with the row of the key that was taken last; not to be kept. */
  public byte[] row() {
    return row;
  }

  /** The length of that row. */
  public int rowLength() {
    return rowLength;
  }

  /** Counts what another one counted. */
  public void add(KeyIntake other) {
    rows += other.rows;
    completed += other.completed;
    other.refused.forEach((verdict, count) -> refused.merge(verdict, count, Long::sum));
    other.examples.forEach(examples::putIfAbsent);
  }

  /** How many keys were rows as they are. */
  public long rows() {
    return rows;
  }

  /** How many keys were bare and have been completed. */
  public long completed() {
    return completed;
  }

  /** How many keys were refused. */
  public long refused() {
    return refused.values().stream().mapToLong(Long::longValue).sum();
  }

  /** How many keys were refused for which reason. */
  public Map<Verdict, Long> refusedByVerdict() {
    return refused;
  }

  /** One line on what was refused, with an example; empty when nothing was. */
  public String refusals() {
    StringBuilder text = new StringBuilder();
    refused.forEach(
        (verdict, count) ->
            text.append(text.length() == 0 ? "" : ", ")
                .append(verdict)
                .append(' ')
                .append(count)
                .append(" (such as \"")
                .append(RowText.abbreviated(examples.get(verdict)))
                .append("\")"));
    return text.toString();
  }
}
