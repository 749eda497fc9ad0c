package io.rowguard.client;

import io.rowguard.checker.Operation;
import io.rowguard.checker.RowState;
import io.rowguard.checker.RowState.Column;
import io.rowguard.client.LiveTable.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;

/** A client that reads and writes single keys of a table of bare keys, alone and in batches. */
final class SaltedClient extends LiveClient {
  /** The shortest time in which HBase's client can have sent something twice. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(45);

  /** Sends what it is given once. */
  private final Table exact;

  private final Table patient;

  /** A row that was seen lately. */
  private RowState seen = RowState.EMPTY;

  SaltedClient(
      LiveTraffic traffic, long seed, Table exact, Table patient, Runnable forgetLocations) {
    super(traffic, seed, forgetLocations);
    this.exact = exact;
    this.patient = patient;
  }

  /** One operation of any kind. */
  Void next() throws IOException, InterruptedException {
    switch (random.nextInt(12)) {
      case 0:
        get();
        break;
      case 1:
        gets();
        break;
      case 2:
        exists();
        break;
      case 3:
        batch();
        break;
      case 4:
        add(key(oneIn(3) ? Kind.ATOMIC : Kind.COUNTER), oneIn(2) ? patient : exact);
        break;
      case 5:
        checkAndMutate(key(Kind.ATOMIC));
        break;
      case 6:
        mutateRow(key(Kind.ATOMIC));
        break;
      default:
        single(key());
        break;
    }
    return null;
  }

  private void get() throws IOException, InterruptedException {
    String key = key();
    Operation operation = Operation.read("get");
    Get get = new Get(bytes(key));
    if (oneIn(4)) {
      get.addColumn(Column.C1.family(), Column.C1.qualifier());
      operation.of(EnumSet.of(Column.C1));
    } else if (oneIn(3)) {
      ColumnFilter filter = ColumnFilter.any(random);
      filter.addTo(get);
      operation.where("" + filter, filter::holds);
    }
    read(key, operation, () -> operation.saw(see(get)));
  }

  private RowState see(Get get) throws IOException {
    seen = RowState.of(patient.get(get).getNoVersionMap());
    return seen;
  }

  private void exists() throws IOException, InterruptedException {
    String key = key();
    Operation operation = Operation.read("exists");
    read(key, operation, () -> operation.sawExistence(patient.exists(new Get(bytes(key)))));
  }

  private void gets() throws IOException {
    Set<String> keys = keys();
    List<Get> gets = new ArrayList<>();
    keys.forEach(key -> gets.add(new Get(bytes(key))));
    long start = System.nanoTime();
    Result[] results = patient.get(gets);
    long end = System.nanoTime();
    int at = 0;
    for (String key : keys) {
      Operation operation = Operation.read("get in a list");
      operation.saw(RowState.of(results[at].getNoVersionMap())).startedAt(start).endedAt(end);
      traffic.histories().of(key).add(operation);
      at++;
    }
    traffic.count("get in a list", end - start);
  }

  /** A put, a delete, or for counters an increment or an append. */
  private void single(String key) throws IOException, InterruptedException {
    if (LiveTable.kindOf(key) == Kind.COUNTER) {
      add(key, exact);
      return;
    }
    Operation operation;
    Mutation mutation;
    if (oneIn(4)) {
      operation = Operation.mutation("delete").clearRow();
      mutation = new Delete(bytes(key));
    } else {
      operation = Operation.mutation("put");
      mutation = put(key, operation);
    }
    mutate(
        key,
        operation,
        forwards(),
        () -> {
          if (mutation instanceof Put put) {
            exact.put(put);
          } else {
            exact.delete((Delete) mutation);
          }
        });
  }

  private Mutation add(String key, Operation operation) {
    boolean isCounter = oneIn(2);
    Column column = isCounter ? Column.N : Column.S;
    if (isCounter) {
      int amount = 1 + random.nextInt(5);
      operation.add(column, amount);
      return new Increment(bytes(key)).addColumn(column.family(), column.qualifier(), amount);
    }
    String text = "," + traffic.number();
    operation.append(column, text);
    return new Append(bytes(key)).addColumn(column.family(), column.qualifier(), bytes(text));
  }

  /** An increment or an append, which HBase carries out once however often it sends it. */
  private void add(String key, Table table) throws IOException, InterruptedException {
    Operation operation =
        Operation.mutation(table == patient ? "add, sent until it is answered" : "add");
    Mutation mutation = add(key, operation);
    mutate(
        key,
        operation,
        forwards() || table == patient,
        () -> {
          Result result =
              mutation instanceof Increment increment
                  ? table.increment(increment)
                  : table.append((Append) mutation);
          // An operation carried out before is answered, when it comes again, with the row as it
          // is.
          if (table == exact || System.nanoTime() - operation.start() < PAUSE_NANOS) {
            answered(operation, result);
          }
        });
  }

  private RowMutations mutations(String key, Operation operation) throws IOException {
    Put put = new Put(bytes(key));
    String value = value();
    operation.put(Column.C1, value);
    put.addColumn(Column.C1.family(), Column.C1.qualifier(), bytes(value));
    List<Mutation> mutations = new ArrayList<>(List.of(put));
    if (oneIn(2)) {
      operation.clear(Column.C2);
      Delete delete = new Delete(bytes(key));
      mutations.add(delete.addColumns(Column.C2.family(), Column.C2.qualifier()));
    }
    if (oneIn(2)) {
      mutations.add(add(key, operation));
    }
    return RowMutations.of(mutations);
  }

  private void mutateRow(String key) throws IOException, InterruptedException {
    Operation operation = Operation.mutation("mutateRow");
    RowMutations mutations = mutations(key, operation);
    mutate(key, operation, forwards(), () -> answered(operation, exact.mutateRow(mutations)));
  }

  private void checkAndMutate(String key) throws IOException, InterruptedException {
    Operation read = Operation.read("get");
    read(key, read, () -> read.saw(see(new Get(bytes(key)))));
    Operation operation = Operation.mutation("checkAndMutate");
    CheckAndMutate check = check(key, operation);
    mutate(
        key,
        operation,
        forwards(),
        () -> {
          CheckAndMutateResult result = exact.checkAndMutate(check);
          operation.wasDone(result.isSuccess());
          if (result.isSuccess() && result.getResult() != null) {
            answered(operation, result.getResult());
          }
        });
  }

  /** With what was seen last as its condition. */
  private CheckAndMutate check(String key, Operation operation) throws IOException {
    String expected = seen.get(Column.C1);
    operation.onlyIf(Column.C1, expected);
    CheckAndMutate.Builder check = CheckAndMutate.newBuilder(bytes(key));
    if (expected == null) {
      check.ifNotExists(Column.C1.family(), Column.C1.qualifier());
    } else {
      check.ifEquals(Column.C1.family(), Column.C1.qualifier(), bytes(expected));
    }
    switch (random.nextInt(5)) {
      case 0:
        operation.clearRow();
        return check.build(new Delete(bytes(key)));
      case 1:
        return check.build(mutations(key, operation));
      case 2:
        Mutation added = add(key, operation);
        return added instanceof Increment increment
            ? check.build(increment)
            : check.build((Append) added);
      default:
        return check.build(put(key, operation));
    }
  }

  /** Several operations on different keys. */
  private void batch() throws IOException, InterruptedException {
    Map<String, Operation> operations = new TreeMap<>();
    Map<String, Row> actions = new TreeMap<>();
    for (String key : keys()) {
      Operation operation;
      if (oneIn(4)) {
        operation = Operation.read("get in a batch");
        actions.put(key, new Get(bytes(key)));
      } else {
        operation = Operation.mutation("in a batch");
        actions.put(key, action(key, operation));
      }
      operations.put(key, operation);
    }
    batch("batch", operations, actions, this::send);
  }

  private Object[] send(List<Row> actions) throws InterruptedException {
    Object[] results = new Object[actions.size()];
    try {
      exact.batch(actions, results);
    } catch (IOException e) {
      for (int i = 0; i < results.length; i++) {
        results[i] = results[i] == null ? e : results[i];
      }
    }
    return results;
  }

  private Row action(String key, Operation operation) throws IOException {
    switch (LiveTable.kindOf(key)) {
      case COUNTER:
        return add(key, operation);
      case ATOMIC:
        switch (random.nextInt(6)) {
          case 0:
            return check(key, operation);
          case 1:
            return mutations(key, operation);
          case 2:
            return add(key, operation);
          default:
            break;
        }
        break;
      default:
        break;
    }
    if (oneIn(4)) {
      operation.clearRow();
      return new Delete(bytes(key));
    }
    return put(key, operation);
  }
}
