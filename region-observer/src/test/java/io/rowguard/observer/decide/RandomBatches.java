package io.rowguard.observer.decide;

import static io.rowguard.observer.fixture.GuardedTable.F;
import static io.rowguard.observer.fixture.Writes.bytes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;

/**
 * Batches of random actions on few rows, with an oracle that knows of each what the client must be
 * answered and what must be stored if so. Every action has a column of its own, so that no order
 * among the actions of a batch, and no other client, changes what is right.
 */
final class RandomBatches {
  private static final int ROWS = 40;

  private final Random random;
  private final String name;
  private final List<String> deletable = new ArrayList<>();
  private int count;

  /**
   * @param name a letter that no other client on the table has
   */
  RandomBatches(long seed, String name) {
    this.random = new Random(seed);
    this.name = name;
  }

  /** An action, and what is right for it. */
  record Action(Row action, boolean refused, Map<String, String> stores, String deletes) {}

  /**
   * A batch. Columns that earlier batches stored may be deleted in it, once.
   *
   * @param badPercent how many of the other actions are on bad rows
   */
  List<Action> next(int size, int badPercent) throws IOException {
    List<Action> batch = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      batch.add(nextAction(badPercent));
    }
    for (Action each : batch) {
      if (!each.refused()) {
        deletable.addAll(each.stores().keySet());
      }
    }
    return batch;
  }

  private Action nextAction(int badPercent) throws IOException {
    int kind = random.nextInt(10);
    int number = random.nextInt(ROWS);
    boolean bad = random.nextInt(100) < badPercent;
    String row = String.format(bad ? "u|%03dx" : "u|%04d", number * 250 / (bad ? 10 : 1));
    String column = name + count++;
    String cell = row + "/" + column;
    switch (kind) {
      case 0:
      case 1:
      case 2:
        return new Action(put(row, column), bad, Map.of(cell, "v"), null);
      case 3:
        return delete();
      case 4:
        return delete();
      case 5:
        Append append = new Append(bytes(row)).addColumn(F, bytes(column), bytes("v"));
        return new Action(append, bad, Map.of(cell, "v"), null);
      case 6:
        Increment increment = new Increment(bytes(row)).addColumn(F, bytes(column), 'v');
        return new Action(
            increment, bad, Map.of(cell, "\\x00\\x00\\x00\\x00\\x00\\x00\\x00v"), null);
      case 7:
        RowMutations both = RowMutations.of(List.of(put(row, column), put(row, column + "b")));
        return new Action(both, bad, Map.of(cell, "v", cell + "b", "v"), null);
      case 8:
        return new Action(
            check(row).ifNotExists(F, bytes(column)).build(put(row, column)),
            bad,
            Map.of(cell, "v"),
            null);
      default:
        return new Action(
            check(row).ifEquals(F, bytes(column), bytes("v")).build(put(row, column)),
            bad,
            Map.of(),
            null);
    }
  }

  /** A delete, which is accepted of every row, of something stored before, if there is anything. */
  private Action delete() {
    if (deletable.isEmpty()) {
      Delete nothing = new Delete(bytes("u|x")).addColumns(F, bytes("none"));
      return new Action(nothing, false, Map.of(), null);
    }
    String cell = deletable.remove(random.nextInt(deletable.size()));
    int slash = cell.indexOf('/');
    Delete delete =
        new Delete(bytes(cell.substring(0, slash))).addColumns(F, bytes(cell.substring(slash + 1)));
    return new Action(delete, false, Map.of(), cell);
  }

  private static CheckAndMutate.Builder check(String row) {
    return CheckAndMutate.newBuilder(bytes(row));
  }

  private static Put put(String row, String column) {
    return new Put(bytes(row)).addColumn(F, bytes(column), bytes("v"));
  }

  /** The stored cells, {@code row/column} to value, according to the results that clients got. */
  static final class Model {
    private final Map<String, String> cells = new ConcurrentHashMap<>();

    void apply(Action action) {
      cells.putAll(action.stores());
      if (action.deletes() != null) {
        cells.remove(action.deletes());
      }
    }

    Map<String, String> cells() {
      return cells;
    }
  }
}
