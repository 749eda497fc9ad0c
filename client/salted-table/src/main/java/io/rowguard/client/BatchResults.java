package io.rowguard.client;

import io.rowguard.readdressing.ReaddressedResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;

/**
 * The results of a batch's actions, and the ways in which HBase 2 and 3 tell failures. Not
 * thread-safe.
 */
final class BatchResults {
  /** The stand-in for the answer of a write that has none. */
  private static final Object DONE = Result.EMPTY_RESULT;

  private final List<? extends Row> given;
  private final Object[] results;
  private final String[] servers;

  /**
   * @param given the actions on bare keys, in their order
   */
  BatchResults(List<? extends Row> given) {
    this.given = given;
    this.results = new Object[given.size()];
    this.servers = new String[given.size()];
  }

  /** Takes an action's answer, null for a write without one; or its failure. */
  void set(int index, Object answer) {
    results[index] = answer == null ? DONE : answer;
  }

  /** The answer to an action, with its salted row; null where there is none yet. */
  Object get(int index) {
    return results[index];
  }

  boolean isFailure(int index) {
    return results[index] instanceof Throwable;
  }

  /** Remembers the server, with its port, that an action has failed on. */
  void setServer(int index, String server) {
    servers[index] = server;
  }

  /**
   * The result of each action with its bare key, or its failure; null where there is none, since
   * something else has failed before.
   */
  Object[] shown() {
    Object[] shown = new Object[results.length];
    for (int i = 0; i < shown.length; i++) {
      shown[i] = ReaddressedResult.of(results[i], given.get(i).getRow());
    }
    return shown;
  }

  /** Leaves in a list that has all given actions those that have not succeeded. */
  void keepFailed(List<?> list) {
    for (int i = results.length - 1; i >= 0; i--) {
      if (results[i] != null && !(results[i] instanceof Throwable)) {
        list.remove(i);
      }
    }
  }

  /** The first failure of an action, as it is; null where all have succeeded. */
  IOException firstFailure() {
    for (Object result : results) {
      if (result instanceof Throwable) {
        return result instanceof IOException
            ? (IOException) result
            : new IOException((Throwable) result);
      }
    }
    return null;
  }

  /** All failures, each naming its action, as HBase 2 throws them; null where there are none. */
  RetriesExhaustedWithDetailsException failuresWithDetails() {
    List<Throwable> causes = new ArrayList<>();
    List<Row> actions = new ArrayList<>();
    List<String> hosts = new ArrayList<>();
    for (int i = 0; i < results.length; i++) {
      if (results[i] instanceof Throwable) {
        causes.add((Throwable) results[i]);
        actions.add(given.get(i));
        hosts.add(servers[i] == null ? "unknown" : servers[i]);
      }
    }
    return causes.isEmpty()
        ? null
        : new RetriesExhaustedWithDetailsException(causes, actions, hosts);
  }

  /** All failures, as HBase 3 throws them; null where there are none. */
  RetriesExhaustedException failures() {
    List<RetriesExhaustedException.ThrowableWithExtraContext> failures = new ArrayList<>();
    for (int i = 0; i < results.length; i++) {
      if (results[i] instanceof Throwable) {
        failures.add(
            new RetriesExhaustedException.ThrowableWithExtraContext(
                (Throwable) results[i],
                System.currentTimeMillis(),
                "Error when processing " + given.get(i)));
      }
    }
    return failures.isEmpty() ? null : new RetriesExhaustedException(failures.size(), failures);
  }
}
