package io.rowguard.checker;

import static java.util.Collections.disjoint;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Everything that clients did with one key, and what they were answered; decides whether one order
 * of it all explains the answers (linearizability). Operations may be added by several threads.
 */
public final class KeyHistory {
  private final String key;
  private final List<Operation> operations = new ArrayList<>();

  public KeyHistory(String key) {
    this.key = key;
  }

  public String key() {
    return key;
  }

  public synchronized void add(Operation operation) {
    operations.add(operation);
  }

  public synchronized int size() {
    return operations.size();
  }

  /** How many have an outcome that nobody knows. */
  public synchronized int unknown() {
    return (int) operations.stream().filter(Operation::isUnknown).count();
  }

  /**
   * The fault in it, with the operations around that; null where there is none.
   *
   * <p>First each operation is taken to be one step. Where that explains nothing, it is looked at
   * as HBase promises it and no better: a plain put or delete takes its columns one by one ({@link
   * Operation#parts}), and a delete hides what is written in the same millisecond.
   */
  public synchronized String violation() {
    // A write that nobody has ever seen may have been none: what is easier to explain comes first.
    if (new Linearizer(withoutUnseen(), false).isExplained()
        || new Linearizer(operations, false).isExplained()) {
      return null;
    }
    List<Operation> parts = new ArrayList<>();
    operations.forEach(operation -> parts.addAll(operation.parts()));
    Linearizer lenient = new Linearizer(parts, true);
    return lenient.isExplained() ? null : "key=" + key + ": " + lenient.failure();
  }

  private List<Operation> withoutUnseen() {
    Set<String> seen = new HashSet<>();
    operations.forEach(operation -> seen.addAll(operation.mentioned()));
    return operations.stream()
        .filter(o -> !o.isUnknown() || o.puts().isEmpty() || !disjoint(o.puts(), seen))
        .toList();
  }

  @Override
  public synchronized String toString() {
    StringBuilder text = new StringBuilder(key).append(":\n");
    operations.stream()
        .sorted(Comparator.comparingLong(Operation::start))
        .forEach(operation -> text.append(operation).append('\n'));
    return text.toString();
  }
}
