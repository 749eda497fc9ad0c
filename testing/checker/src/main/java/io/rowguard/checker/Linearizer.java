package io.rowguard.checker;

import io.rowguard.checker.RowState.Column;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Looks for one order of operations on a row that explains all their answers: of two operations
 * that do not overlap, the earlier comes first. Those of an unknown outcome may be left out.
 *
 * <p>Exact. A search in depth: next comes one that no other must precede, and no set of operations
 * with the same row is looked at twice (Wing and Gong 1993, with Lowe's memory of 2017). A read
 * that fits comes at once, since it is in nobody's way; so what is tried are the orders of
 * mutations that overlap. For one thread, once.
 */
final class Linearizer {
  private static final int MOST_CONFIGURATIONS = 2_000_000;
  private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

  /** The row, and the delete that may still hide what comes next. */
  private record Point(RowState row, Operation marker) {}

  private record Configuration(BitSet placed, BitSet used, Point point) {}

  /** One way to go on. */
  private record Choice(int index, boolean isSure, Point after) {}

  private static final class Node {
    final List<Choice> choices;
    int tried;

    Node(List<Choice> choices) {
      this.choices = choices;
    }
  }

  private final List<Operation> sure = new ArrayList<>();
  private final List<Operation> unknown = new ArrayList<>();
  private final boolean markersHide;
  private final int[] next;
  private final int[] previous;
  private final int head;
  private final BitSet placed = new BitSet();
  private final BitSet used = new BitSet();
  private final Set<Configuration> seen = new HashSet<>();
  private final Set<Operation> furthest = new HashSet<>();
  private Point furthestPoint;

  /**
   * A search.
   *
   * @param operations in any order
   * @param markersHide whether a mutation may be hidden by a delete of the same millisecond, which
   *     HBase puts first whatever came first
   */
  Linearizer(List<Operation> operations, boolean markersHide) {
    this.markersHide = markersHide;
    for (Operation operation : operations) {
      if (!operation.isUnknown()) {
        sure.add(operation);
      } else if (!operation.isObservation()) {
        unknown.add(operation);
      }
    }
    sure.sort(Comparator.comparingLong(Operation::start));
    unknown.sort(Comparator.comparingLong(Operation::start));
    head = sure.size();
    next = new int[head + 1];
    previous = new int[head + 1];
    for (int i = 0; i <= head; i++) {
      next[i] = i == head ? 0 : i + 1;
      previous[i] = i == 0 ? head : i - 1;
    }
  }

  /** Whether there is such an order. */
  boolean isExplained() {
    Deque<Node> path = new ArrayDeque<>();
    Point begin = new Point(RowState.EMPTY, null);
    furthestPoint = begin;
    path.push(new Node(choices(begin)));
    while (placed.cardinality() < sure.size()) {
      Node node = path.peek();
      if (node.tried == node.choices.size()) {
        path.pop();
        if (path.isEmpty()) {
          return false;
        }
        undo(path.peek().choices.get(path.peek().tried - 1));
        continue;
      }
      Choice choice = node.choices.get(node.tried);
      node.tried++;
      take(choice);
      if (remember(choice.after)) {
        path.push(new Node(choices(choice.after)));
      } else {
        undo(choice);
      }
    }
    return true;
  }

  private boolean remember(Point point) {
    if (placed.cardinality() > furthest.size()) {
      furthest.clear();
      placed.stream().forEach(i -> furthest.add(sure.get(i)));
      furthestPoint = point;
    }
    if (seen.size() == MOST_CONFIGURATIONS) {
      throw new AssertionError("Too much overlaps to be decided: " + sure.size() + " operations");
    }
    return seen.add(new Configuration((BitSet) placed.clone(), (BitSet) used.clone(), point));
  }

  private void take(Choice choice) {
    if (choice.isSure) {
      placed.set(choice.index);
      next[previous[choice.index]] = next[choice.index];
      previous[next[choice.index]] = previous[choice.index];
    } else {
      used.set(choice.index);
    }
  }

  private void undo(Choice choice) {
    if (choice.isSure) {
      placed.clear(choice.index);
      next[previous[choice.index]] = choice.index;
      previous[next[choice.index]] = choice.index;
    } else {
      used.clear(choice.index);
    }
  }

  /** Operations that may come next: those that began before the first of those left has ended. */
  private List<Choice> choices(Point point) {
    List<Integer> candidates = new ArrayList<>();
    long firstEnd = Long.MAX_VALUE;
    for (int i = next[head]; i != head && sure.get(i).start() <= firstEnd; i = next[i]) {
      firstEnd = Math.min(firstEnd, sure.get(i).end());
      candidates.add(i);
    }
    candidates.sort(Comparator.comparingLong(i -> sure.get(i).end()));
    List<Choice> choices = new ArrayList<>();
    for (int i : candidates) {
      if (sure.get(i).isObservation() && sure.get(i).after(point.row) != null) {
        choices.clear();
        choices.add(new Choice(i, true, point));
        return choices;
      }
      add(choices, i, true, point);
    }
    for (int i = 0; i < unknown.size() && unknown.get(i).start() <= firstEnd; i++) {
      if (!used.get(i)) {
        add(choices, i, false, point);
      }
    }
    return choices;
  }

  private void add(List<Choice> choices, int index, boolean isSure, Point point) {
    Operation operation = isSure ? sure.get(index) : unknown.get(index);
    RowState after = operation.after(point.row);
    if (after == null || (!isSure && after.equals(point.row))) {
      return;
    }
    if (!markersHide) {
      choices.add(new Choice(index, isSure, new Point(after, null)));
      return;
    }
    Operation marker = operation.cleared().isEmpty() ? null : operation;
    choices.add(new Choice(index, isSure, new Point(after, marker)));
    Operation hiding = point.marker;
    if (hiding != null && (hiding.isUnknown() || operation.start() <= hiding.end() + MILLISECOND)) {
      Set<Column> hidden = EnumSet.copyOf(hiding.cleared());
      hidden.retainAll(operation.written());
      if (!hidden.isEmpty()) {
        RowState shown = after;
        for (Column column : hidden) {
          shown = shown.with(column, point.row.get(column));
        }
        choices.add(new Choice(index, isSure, new Point(shown, hiding)));
      }
    }
  }

  /** Of a search that failed: how far it came, with the operations around. */
  String failure() {
    List<Operation> left = new ArrayList<>(sure);
    left.removeAll(furthest);
    long firstEnd = left.stream().mapToLong(Operation::end).min().orElse(Long.MAX_VALUE);
    StringBuilder text = new StringBuilder();
    text.append(furthest.size()).append(" of ").append(sure.size());
    text.append(" operations can be explained; then the row is ").append(furthestPoint.row);
    text.append(", and nothing that may come next fits:\n");
    for (Operation operation : left) {
      if (operation.start() <= firstEnd) {
        text.append("  next?  ").append(operation).append('\n');
      }
    }
    for (Operation operation : unknown) {
      text.append("  maybe  ").append(operation).append('\n');
    }
    int at = sure.indexOf(left.get(0));
    for (int i = Math.max(0, at - 15); i < Math.min(sure.size(), at + 15); i++) {
      boolean isPlaced = furthest.contains(sure.get(i));
      text.append(isPlaced ? "  placed " : "  left   ").append(sure.get(i)).append('\n');
    }
    return text.toString();
  }
}
