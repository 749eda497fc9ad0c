package io.rowguard.client;

import io.rowguard.readdressing.ReaddressedResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;

/**
 * Many actions at once on bare keys: the same on salted rows, and their results with the bare keys
 * of the caller's own actions. Not thread-safe.
 *
 * @param <R> the kind of action
 */
final class SaltedBatch<R extends Row> {
  private final List<? extends R> given;
  private final List<R> salted;

  /** The content of {@link #salted} in the beginning. */
  private final Row[] all;

  /**
   * @throws IOException when one of the actions cannot be translated: none is to be sent then
   */
  SaltedBatch(List<? extends R> given, TableLayouts layouts) throws IOException {
    this.given = given;
    this.salted = new ArrayList<>(given.size());
    for (R action : given) {
      salted.add(layouts.onPrimary(action));
    }
    this.all = salted.toArray(new Row[0]);
  }

  /**
   * Returns if there is room for the results.
   *
   * @param results null when the caller does not want them
   * @throws IllegalArgumentException when they do not have one place per action
   */
  static void requirePlaces(List<? extends Row> actions, Object[] results) {
    if (results != null && results.length != actions.size()) {
      throw new IllegalArgumentException(
          "There must be one place per action. actions="
              + actions.size()
              + " results="
              + results.length);
    }
  }

  /** The actions on salted rows, in a list of their own that HBase may change. */
  List<R> salted() {
    return salted;
  }

  /** The same, as they were in the beginning. */
  Row[] all() {
    return all;
  }

  /**
   * Makes of the results of the actions on salted rows those of the actions on bare keys.
   *
   * @param results filled with them; null when the caller does not want them
   */
  void strip(Object[] saltedResults, Object[] results) {
    for (int i = 0; results != null && i < saltedResults.length; i++) {
      if (saltedResults[i] != null) {
        results[i] = ReaddressedResult.of(saltedResults[i], given.get(i).getRow());
      }
    }
  }

  /** The failure, naming the actions that were given, where it names any. */
  IOException named(IOException failure) {
    return failure instanceof RetriesExhaustedWithDetailsException
        ? named((RetriesExhaustedWithDetailsException) failure)
        : failure;
  }

  private RetriesExhaustedWithDetailsException named(RetriesExhaustedWithDetailsException failure) {
    IdentityHashMap<Row, Row> givenBySalted = givenBySalted();
    int count = failure.getNumExceptions();
    List<Throwable> causes = new ArrayList<>(count);
    List<Row> actions = new ArrayList<>(count);
    List<String> servers = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      causes.add(failure.getCause(i));
      actions.add(givenBySalted.getOrDefault(failure.getRow(i), failure.getRow(i)));
      servers.add(failure.getHostnamePort(i));
    }
    RetriesExhaustedWithDetailsException named =
        new RetriesExhaustedWithDetailsException(causes, actions, servers);
    named.setStackTrace(failure.getStackTrace());
    return named;
  }

  /** Takes out of the caller's list what HBase has taken out of {@link #salted()}. */
  void keepLeft(List<? extends R> list) {
    if (salted.size() < all.length) {
      IdentityHashMap<Row, Row> givenBySalted = givenBySalted();
      Set<Row> left = Collections.newSetFromMap(new IdentityHashMap<>());
      for (R action : salted) {
        left.add(givenBySalted.get(action));
      }
      list.removeIf(action -> !left.contains(action));
    }
  }

  /** Made when it is needed: the identity of an object that is new costs more than its salt. */
  private IdentityHashMap<Row, Row> givenBySalted() {
    IdentityHashMap<Row, Row> givenBySalted = new IdentityHashMap<>();
    int place = 0;
    for (R action : given) {
      givenBySalted.put(all[place++], action);
    }
    return givenBySalted;
  }
}
