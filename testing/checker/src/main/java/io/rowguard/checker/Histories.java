package io.rowguard.checker;

import io.rowguard.checker.RowState.Column;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;

/**
 * The histories of all keys of a table: some that clients change, and some that stay as they are
 * from the beginning. Clients may add to it side by side.
 */
public final class Histories {
  /** A row that a scan gave, and when. */
  public record Given(String key, RowState row, long nanos) {}

  /**
   * A scan as its user sees it.
   *
   * @param text names it
   * @param from inclusive, the lower bound also of a reversed scan
   * @param to exclusive
   * @param limit of rows; {@code Integer.MAX_VALUE} for none
   * @param filter which rows it wants
   * @param asksOnce whether it asks each region once. HBase's client goes on after a region has
   *     been closed with the read point of its first call, which the region does not know of any
   *     more: so rows that are written meanwhile may be shown in part, or not at all
   */
  public record Wanted(
      String text,
      boolean reversed,
      String from,
      String to,
      int limit,
      Set<Column> columns,
      String filterText,
      Predicate<RowState> filter,
      boolean asksOnce) {
    boolean wants(RowState row) {
      return filter.test(row) && !row.only(columns).isEmpty();
    }
  }

  private final NavigableMap<String, KeyHistory> hot = new TreeMap<>();
  private final NavigableMap<String, RowState> cold = new TreeMap<>();
  private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<String> events = new ConcurrentLinkedQueue<>();

  /**
   * Of a table that is to be filled.
   *
   * @param hot keys of rows that are not there yet
   * @param cold rows that are, and stay as they are
   */
  public Histories(Iterable<String> hot, Map<String, RowState> cold) {
    for (String key : hot) {
      this.hot.put(key, new KeyHistory(key));
    }
    this.cold.putAll(cold);
  }

  public KeyHistory of(String key) {
    return hot.get(key);
  }

  /** Something was done to the table or its servers. */
  public void happened(String what, long start, long end) {
    events.add(String.format("%10d %10d %s", Operation.micros(start), Operation.micros(end), what));
  }

  /** Acts on the table and its servers, in the order in which they ended. */
  public String events() {
    return String.join("\n", events);
  }

  /** Something that is wrong whatever the order. */
  public void wrong(String what) {
    wrong.add(what);
  }

  /**
   * Adds what a scan saw of each key that it passed.
   *
   * @param given in the order in which they came
   * @param end when the scan had said that there is no more, or had given its last row
   */
  public void scanned(Wanted scan, List<Given> given, long start, long end) {
    Map<String, Given> byKey = new TreeMap<>();
    Comparator<String> order =
        scan.reversed ? Comparator.reverseOrder() : Comparator.naturalOrder();
    String last = null;
    for (Given one : given) {
      if (last != null && order.compare(last, one.key) >= 0) {
        wrong(scan.text + " gave " + one.key + " after " + last);
      }
      if (one.key.compareTo(scan.from) < 0 || one.key.compareTo(scan.to) >= 0) {
        wrong(scan.text + " gave " + one.key + ", which it does not want");
      }
      last = one.key;
      byKey.put(one.key, one);
    }
    boolean isFull = given.size() >= scan.limit;
    if (given.size() > scan.limit) {
      wrong(scan.text + " gave " + given.size() + " rows");
    }
    if (isFull && last == null) {
      return;
    }
    String from = isFull && scan.reversed ? last : scan.from;
    String to = isFull && !scan.reversed ? last + '\0' : scan.to;
    coldPassed(scan, byKey, from, to);
    long passed = end;
    NavigableMap<String, KeyHistory> keys = hot.subMap(from, true, to, false);
    // From the last one: a key that was left out had been passed when the next one came.
    for (KeyHistory history : (scan.reversed ? keys : keys.descendingMap()).values()) {
      Given one = byKey.remove(history.key());
      if (one != null) {
        passed = one.nanos;
      }
      if (!scan.asksOnce) {
        continue;
      }
      history.add(
          Operation.read(scan.text)
              .of(scan.columns)
              .where(scan.filterText, scan.filter)
              .saw(one == null ? RowState.EMPTY : one.row)
              .startedAt(start)
              .endedAt(passed));
    }
    for (String key : byKey.keySet()) {
      if (!cold.containsKey(key)) {
        wrong(scan.text + " gave " + key + ", which nobody wrote");
      }
    }
  }

  private void coldPassed(Wanted scan, Map<String, Given> given, String from, String to) {
    cold.subMap(from, true, to, false)
        .forEach(
            (key, row) -> {
              Given one = given.get(key);
              RowState expected = scan.wants(row) ? row.only(scan.columns) : null;
              if (one == null ? expected != null : !one.row.equals(expected)) {
                wrong(scan.text + " of " + key + ": " + one + " instead of " + expected);
              }
            });
  }

  /** How many of them have an outcome that nobody knows. */
  public int unknown() {
    return hot.values().stream().mapToInt(KeyHistory::unknown).sum();
  }

  /** All that is wrong, empty where nothing is. */
  public List<String> violations() {
    List<String> violations = new ArrayList<>(wrong);
    for (KeyHistory history : hot.values()) {
      String violation = history.violation();
      if (violation != null) {
        violations.add(violation);
      }
    }
    return violations;
  }

  /** Writes all of it to a file. */
  public void write(Path file) throws IOException {
    Files.createDirectories(file.getParent());
    List<String> lines = new ArrayList<>(wrong);
    lines.addAll(events);
    hot.values().forEach(history -> lines.add(history.toString()));
    Files.write(file, lines);
  }
}
