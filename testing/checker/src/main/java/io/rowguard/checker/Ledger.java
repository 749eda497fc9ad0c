package io.rowguard.checker;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Rows that are written once and never changed: what was acknowledged is there for every read that
 * begins later, and what no writer has begun is never there. Thread-safe. Times are those of {@code
 * System.nanoTime}.
 */
public final class Ledger {
  /** A row that a reader was given. */
  public record Row(String key, String value) {}

  private static final class Entry {
    final String value;
    final long begun;

    /** When it was acknowledged; {@code Long.MAX_VALUE} as long as it is not. */
    volatile long acknowledged = Long.MAX_VALUE;

    Entry(String value, long begun) {
      this.value = value;
      this.begun = begun;
    }
  }

  private final NavigableMap<String, Entry> entries = new ConcurrentSkipListMap<>();
  private final ConcurrentLinkedQueue<String> violations = new ConcurrentLinkedQueue<>();

  /**
   * Says that a row is about to be written, before it is sent.
   *
   * @throws IllegalArgumentException if the key has been begun before
   */
  public void begin(String key, String value, long nanos) {
    if (entries.putIfAbsent(key, new Entry(value, nanos)) != null) {
      throw new IllegalArgumentException("A key is written once. key=" + key);
    }
  }

  /** Says that a row that was begun has been acknowledged. */
  public void acknowledge(String key, long nanos) {
    entries.get(key).acknowledged = nanos;
  }

  /** How many rows have been acknowledged. */
  public long acknowledged() {
    return entries.values().stream().filter(e -> e.acknowledged != Long.MAX_VALUE).count();
  }

  /** How many rows have been begun. */
  public int begun() {
    return entries.size();
  }

  /**
   * Holds a scan to it.
   *
   * @param text names the scan
   * @param from inclusive
   * @param to exclusive
   * @param isWhole whether it went on to the end of its range; else it ends with its last row
   * @param rows in the order in which they came, ascending or descending
   * @param start when the scan was sent
   * @param end when the last row had come
   */
  public void scanned(
      String text,
      String from,
      String to,
      boolean isWhole,
      boolean isReversed,
      List<Row> rows,
      long start,
      long end) {
    Set<String> given = new HashSet<>();
    String last = null;
    for (Row row : rows) {
      if (!given.add(row.key)) {
        violations.add(text + " gave " + row.key + " twice");
      } else if (last != null && (last.compareTo(row.key) > 0) != isReversed) {
        violations.add(text + " gave " + row.key + " after " + last);
      }
      if (row.key.compareTo(from) < 0 || row.key.compareTo(to) >= 0) {
        violations.add(text + " gave " + row.key + ", which it does not want");
      }
      check(text, row, end);
      last = row.key;
    }
    if (!isWhole && last == null) {
      return;
    }
    String low = isWhole || !isReversed ? from : last;
    String high = isWhole || isReversed ? to : last;
    entries
        .subMap(low, true, high, false)
        .forEach(
            (key, entry) -> {
              if (entry.acknowledged < start && !given.contains(key)) {
                violations.add(text + " lost " + key + ", " + age(entry, start));
              }
            });
  }

  /** Holds a read of one row to it; the value is null where there was no row. */
  public void read(String text, String key, String value, long start, long end) {
    if (value != null) {
      check(text, new Row(key, value), end);
      return;
    }
    Entry entry = entries.get(key);
    if (entry != null && entry.acknowledged < start) {
      violations.add(text + " lost " + key + ", " + age(entry, start));
    }
  }

  private void check(String text, Row row, long end) {
    Entry entry = entries.get(row.key);
    if (entry == null || entry.begun > end) {
      violations.add(text + " gave " + row.key + ", which nobody wrote");
    } else if (!entry.value.equals(row.value)) {
      violations.add(text + " gave " + row.key + " as " + row.value + ", not " + entry.value);
    }
  }

  private static String age(Entry entry, long start) {
    return "acknowledged " + (start - entry.acknowledged) / 1_000_000 + " ms before";
  }

  /** All that is wrong so far; empty where nothing is. */
  public List<String> violations() {
    return new ArrayList<>(violations);
  }
}
