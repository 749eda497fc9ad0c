package io.rowguard.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Random actions on an unsalted table and on a salted one that takes bare keys. */
final class TwinTables {
  private final Table plain;
  private final Table bare;
  private final Random random;
  private final RandomActions actions;
  private final AnswerText texts = new AnswerText();
  private int scans;
  private int refused;

  /**
   * @param pool the bare keys, in their order
   */
  TwinTables(Table plain, Table bare, Random random, List<byte[]> pool) {
    this.plain = plain;
    this.bare = bare;
    this.random = random;
    this.actions = new RandomActions(random, pool);
  }

  /** All versions of all rows must be the same, after so many actions. */
  void requireAllTheSame(String what, int rounds) throws IOException {
    Scan all = new Scan().setRaw(true).readAllVersions();
    assertEquals(texts.scan(plain, new Scan(all)), texts.scan(bare, new Scan(all)), what);
    assertTrue(
        scans > rounds / 5 && texts.rowsScanned() > rounds, scans + " " + texts.rowsScanned());
  }

  private interface Action {
    String on(Table table) throws IOException, InterruptedException;
  }

  private void same(String what, Action action) throws IOException, InterruptedException {
    String answer;
    try {
      answer = action.on(bare);
    } catch (DoNotRetryIOException e) {
      // It needs a whole row, and was refused before anything was sent.
      assertTrue(e.getMessage().contains("riters choose the bucket"), what + " " + e);
      refused++;
      return;
    }
    assertEquals(action.on(plain), answer, what);
  }

  /** How many actions were refused, and carried out on neither, as writers choose the bucket. */
  int refused() {
    return refused;
  }

  /** One action of any kind; its answer must be the same. */
  void act(String where) throws IOException, InterruptedException {
    int kind = random.nextInt(20);
    byte[] row = actions.row();
    if (kind < 7) {
      Scan scan = actions.scan();
      String what = where + Bytes.toStringBinary(scan.getStartRow()) + " " + scan;
      // Each its own: HBase 2.5 counts the limit down in the scan that it is given.
      same(what, table -> texts.scan(table, new Scan(scan)));
      scans++;
    } else if (kind < 10) {
      List<Put> puts = new ArrayList<>();
      rows(6).forEach(one -> puts.add(actions.put(one)));
      same(where + puts, table -> done(() -> table.put(puts)));
    } else if (kind < 12) {
      Get get = actions.get(row);
      same(where + get, table -> AnswerText.of(table.get(get)) + table.exists(get));
    } else if (kind == 12) {
      List<Get> gets = new ArrayList<>();
      for (byte[] one : rows(5)) {
        gets.add(actions.get(one));
      }
      same(
          where + gets,
          table -> AnswerText.of((Object[]) table.get(gets)) + Arrays.toString(table.exists(gets)));
    } else if (kind == 13) {
      Delete delete = actions.delete(row);
      same(where + delete, table -> done(() -> table.delete(delete)));
    } else if (kind == 14) {
      List<Delete> deletes = new ArrayList<>();
      rows(2).forEach(one -> deletes.add(actions.delete(one)));
      same(
          where + deletes,
          table -> {
            List<Delete> left = new ArrayList<>(deletes);
            table.delete(left);
            return left.toString();
          });
    } else {
      actOnOneRow(where, kind, row);
    }
  }

  private void actOnOneRow(String where, int kind, byte[] row)
      throws IOException, InterruptedException {
    if (kind == 15) {
      var increment = actions.increment(row);
      same(where + increment, table -> AnswerText.of(table.increment(increment)));
    } else if (kind == 16) {
      var append = actions.append(row);
      same(where + append, table -> AnswerText.of(table.append(append)));
    } else if (kind == 17) {
      var mutations = actions.mutations(row);
      same(where + mutations, table -> AnswerText.of(table.mutateRow(mutations)));
    } else if (kind == 18) {
      var check = actions.check(row);
      same(
          where + Bytes.toStringBinary(row) + check.getAction(),
          table -> AnswerText.of((Object) table.checkAndMutate(check)));
    } else {
      List<Row> batch = new ArrayList<>();
      for (byte[] one : rows(6)) {
        batch.add(actions.action(one));
      }
      same(
          where + batch,
          table -> {
            Object[] results = new Object[batch.size()];
            table.batch(batch, results);
            return AnswerText.of(results);
          });
    }
  }

  private interface Step {
    void run() throws IOException;
  }

  private static String done(Step step) throws IOException {
    step.run();
    return "";
  }

  private Set<byte[]> rows(int most) {
    Set<byte[]> rows = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (int i = 0; i < 1 + random.nextInt(most); i++) {
      rows.add(actions.row());
    }
    return rows;
  }
}
