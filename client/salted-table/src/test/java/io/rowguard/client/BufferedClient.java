package io.rowguard.client;

import io.rowguard.checker.Operation;
import io.rowguard.client.LiveTable.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.util.Bytes;

/** A client that puts and deletes through a buffer of mutations, which it flushes each time. */
final class BufferedClient extends LiveClient {
  private final String name;
  private final BatchCall buffer;

  /**
   * @param name of what it does, in the traffic's count
   */
  BufferedClient(
      LiveTraffic traffic, long seed, Runnable forgetLocations, String name, BatchCall buffer) {
    super(traffic, seed, forgetLocations);
    this.name = name;
    this.buffer = buffer;
  }

  /** Adds some mutations, and flushes. */
  Void next() throws IOException, InterruptedException {
    Map<String, Operation> operations = new TreeMap<>();
    Map<String, Row> actions = new TreeMap<>();
    for (String key : keys()) {
      if (LiveTable.kindOf(key) != Kind.COUNTER) {
        Operation operation = Operation.mutation(name);
        if (oneIn(4)) {
          operation.clearRow();
          actions.put(key, new Delete(bytes(key)));
        } else {
          actions.put(key, put(key, operation));
        }
        operations.put(key, operation);
      }
    }
    batch(name, operations, actions, buffer);
    return null;
  }

  private static List<Mutation> mutations(List<Row> actions) {
    List<Mutation> mutations = new ArrayList<>(actions.size());
    actions.forEach(action -> mutations.add((Mutation) action));
    return mutations;
  }

  /** The failures that the listener of a buffer has been told, by bare keys. */
  static final class Failures implements BufferedMutator.ExceptionListener {
    private final Map<String, Throwable> causes = new ConcurrentHashMap<>();

    @Override
    public void onException(RetriesExhaustedWithDetailsException failure, BufferedMutator buffer) {
      for (int i = 0; i < failure.getNumExceptions(); i++) {
        causes.put(Bytes.toString(failure.getRow(i).getRow()), failure.getCause(i));
      }
    }

    /** Sends through the buffer that has this listener. */
    BatchCall sender(BufferedMutator buffer) {
      return actions -> {
        causes.clear();
        buffer.mutate(mutations(actions));
        buffer.flush();
        Object[] results = new Object[actions.size()];
        for (int i = 0; i < results.length; i++) {
          Throwable cause = causes.remove(Bytes.toString(actions.get(i).getRow()));
          results[i] = cause == null ? Result.EMPTY_RESULT : cause;
        }
        if (!causes.isEmpty()) {
          throw new AssertionError("The listener was told of rows that were not sent: " + causes);
        }
        return results;
      };
    }
  }

  /** Sends through an asynchronous buffer. */
  static BatchCall sender(AsyncBufferedMutator buffer) {
    return actions -> {
      List<CompletableFuture<Void>> futures = buffer.mutate(mutations(actions));
      buffer.flush();
      Object[] results = new Object[actions.size()];
      for (int i = 0; i < results.length; i++) {
        try {
          AsyncView.get(futures.get(i));
          results[i] = Result.EMPTY_RESULT;
        } catch (IOException e) {
          results[i] = e;
        }
      }
      return results;
    };
  }
}
