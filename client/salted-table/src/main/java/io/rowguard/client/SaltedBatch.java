package io.rowguard.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;

/**
 * Many actions at once on bare keys: the same on stored rows, and what came of them told of the
 * caller's own actions. Not thread-safe.
 *
 * @param <R> the kind of action
 */
final class SaltedBatch<R extends Row> {
  /** Makes the stored action of one that was given. */
  interface Translation<R extends Row> {
    R stored(R given) throws IOException;
  }

  private final List<? extends R> given;
  private final List<R> stored;
  private final IdentityHashMap<Row, Row> givenByStored = new IdentityHashMap<>();

  /**
   * @throws IOException when one of the actions cannot be translated: none is to be sent then
   */
  SaltedBatch(List<? extends R> given, Translation<R> translation) throws IOException {
    this.given = given;
    this.stored = new ArrayList<>(given.size());
    for (R action : given) {
      R translated = translation.stored(action);
      stored.add(translated);
      givenByStored.put(translated, action);
    }
  }

  /** The stored actions, in a list of their own that HBase may change. */
  List<R> stored() {
    return stored;
  }

  /**
   * Room for what HBase tells of the stored actions.
   *
   * @param results where the caller wants to have it; null when he does not want it
   * @throws IllegalArgumentException when it does not have one place per action
   */
  Object[] answersFor(Object[] results) {
    if (results != null && results.length != given.size()) {
      throw new IllegalArgumentException(
          "There must be one place per action. actions="
              + given.size()
              + " results="
              + results.length);
    }
    return new Object[given.size()];
  }

  /**
   * What HBase told of the stored actions, with the rows of those that were given.
   *
   * @param results filled with it; null when the caller does not want to know
   */
  void tell(Object[] told, Object[] results) {
    for (int i = 0; results != null && i < told.length; i++) {
      if (told[i] != null) {
        results[i] = BareResults.withRow(told[i], given.get(i).getRow());
      }
    }
  }

  /** The failure, naming the actions that were given. */
  RetriesExhaustedWithDetailsException named(RetriesExhaustedWithDetailsException failure) {
    int count = failure.getNumExceptions();
    List<Throwable> causes = new ArrayList<>(count);
    List<Row> actions = new ArrayList<>(count);
    List<String> servers = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      causes.add(failure.getCause(i));
      actions.add(givenByStored.getOrDefault(failure.getRow(i), failure.getRow(i)));
      servers.add(failure.getHostnamePort(i));
    }
    RetriesExhaustedWithDetailsException named =
        new RetriesExhaustedWithDetailsException(causes, actions, servers);
    named.setStackTrace(failure.getStackTrace());
    return named;
  }

  /** Takes out of the caller's list what HBase has taken out of {@link #stored()}. */
  void keepLeft(List<? extends R> list) {
    if (stored.size() < givenByStored.size()) {
      Set<Row> left = Collections.newSetFromMap(new IdentityHashMap<>());
      for (R action : stored) {
        left.add(givenByStored.get(action));
      }
      list.removeIf(action -> !left.contains(action));
    }
  }
}
