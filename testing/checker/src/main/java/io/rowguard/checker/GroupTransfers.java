package io.rowguard.checker;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Transfers between the accounts of an entity group, each one transaction that also notes the
 * transfer in the group's ledger. Holds every snapshot to it: its balances are those that its
 * ledger makes, and the ledger has what commits said. Thread-safe. Times are those of {@code
 * System.nanoTime}.
 */
public final class GroupTransfers {
  private record Transfer(String from, String to, long amount) {}

  private final String group;
  private final Map<String, Long> first;
  private final Map<String, Transfer> transfers = new TreeMap<>();
  private final Map<String, Long> done = new TreeMap<>();
  private final Set<String> notDone = new HashSet<>();
  private final Map<String, String> shown = new TreeMap<>();
  private final List<String> violations = new ArrayList<>();

  /**
   * A group without transfers.
   *
   * @param first balance of each account
   */
  public GroupTransfers(String group, Map<String, Long> first) {
    this.group = group;
    this.first = new TreeMap<>(first);
  }

  /**
   * Says that a transfer is about to be sent.
   *
   * @throws IllegalArgumentException if its id has been begun before, or an account is none
   */
  public synchronized void begin(String id, String from, String to, long amount) {
    if (!first.containsKey(from) || !first.containsKey(to)) {
      throw new IllegalArgumentException("No account of " + group + ": " + from + " or " + to);
    }
    if (transfers.putIfAbsent(id, new Transfer(from, to, amount)) != null) {
      throw new IllegalArgumentException("A transfer is begun once. id=" + id);
    }
  }

  /** Says that commit said that all of a transfer was carried out, and when. */
  public synchronized void done(String id, long nanos) {
    done.put(id, nanos);
  }

  /** Says that commit said that nothing of a transfer was or will be carried out. */
  public synchronized void notDone(String id) {
    notDone.add(id);
  }

  /** How many transfers were carried out, as commits said. */
  public synchronized int done() {
    return done.size();
  }

  /** How many transfers have an outcome that no commit said. */
  public synchronized int unknown() {
    return transfers.size() - done.size() - notDone.size();
  }

  /**
   * Holds a view of the group as of one moment to it.
   *
   * @param text names the view
   * @param balances of all accounts
   * @param ledger the ids of the transfers that it has
   * @param start when the view was asked for
   */
  public synchronized void snapshot(
      String text, Map<String, Long> balances, Set<String> ledger, long start) {
    Map<String, Long> expected = new TreeMap<>(first);
    for (String id : ledger) {
      Transfer transfer = transfers.get(id);
      if (transfer == null) {
        violations.add(text + " of " + group + " shows a transfer that was never begun: " + id);
        continue;
      }
      shown.putIfAbsent(id, text);
      expected.merge(transfer.from, -transfer.amount, Long::sum);
      expected.merge(transfer.to, transfer.amount, Long::sum);
    }
    Map<String, Long> found = new TreeMap<>(balances);
    if (!expected.equals(found)) {
      violations.add(
          text + " of " + group + " shows " + found + ", but its ledger makes " + expected);
    }
    done.forEach(
        (id, nanos) -> {
          if (nanos < start && !ledger.contains(id)) {
            long millis = (start - nanos) / 1_000_000;
            violations.add(
                text + " of " + group + " lost transfer " + id + ", done " + millis + " ms before");
          }
        });
  }

  /** All that is wrong so far; empty where nothing is. */
  public synchronized List<String> violations() {
    List<String> all = new ArrayList<>(violations);
    for (String id : notDone) {
      if (shown.containsKey(id)) {
        all.add(shown.get(id) + " of " + group + " shows transfer " + id + ", which was not done");
      }
    }
    return all;
  }
}
