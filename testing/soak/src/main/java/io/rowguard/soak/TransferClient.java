package io.rowguard.soak;

import io.rowguard.checker.GroupTransfers;
import io.rowguard.checker.RowState.Column;
import io.rowguard.client.CommitUnknownException;
import io.rowguard.client.GroupTransaction;
import io.rowguard.client.RowGroup;
import io.rowguard.client.SaltedTable;
import io.rowguard.client.SnapshotLostException;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A client of a table's entity groups: transfers between the accounts of a group by transactions,
 * half of them with a receipt, and views of a group as of one moment. For one thread.
 *
 * <p>A transaction asks for the number of the transfer before, and changes it: sent twice, it is
 * carried out once.
 */
final class TransferClient {
  private static final byte[] F = Column.C1.family();
  private static final byte[] BALANCE = Column.C1.qualifier();
  private static final byte[] SEQUENCE = Bytes.toBytes("seq");
  private static final String NOTE = "transfer-";
  private static final String LEDGER = "999999";
  private static final int ACCOUNTS = 4;
  private static final long FIRST_BALANCE = 1000;
  private static final int LAST_TRIES = 5;

  /** The next group comes then, since a view reads the whole ledger. */
  private static final int TRANSFERS_OF_GROUP = 200;

  private final SoakTable table;
  private final SaltedTable rows;
  private final Retries retries;
  private final Random random;
  private final Set<String> open = new HashSet<>();

  TransferClient(SoakTable table, SaltedTable rows, Retries retries, long seed) {
    this.table = table;
    this.rows = rows;
    this.retries = retries;
    this.random = new Random(seed);
  }

  /** Transfers once, or looks at a group. */
  void next() throws IOException, InterruptedException {
    int number = table.nextTransfer();
    String group = String.format("b%04d", number / TRANSFERS_OF_GROUP);
    if (open.contains(group) || open(group)) {
      if (random.nextInt(4) == 0) {
        retries.send("view of group " + group, () -> look("view", group));
      } else {
        transfer(group, "" + number);
      }
    }
    TimeUnit.MILLISECONDS.sleep(random.nextInt(100));
  }

  private static byte[] row(String group, String item) {
    return Bytes.toBytes(group + "|" + item);
  }

  private static String account(int number) {
    return String.format("%06d", number);
  }

  private static Put balance(String group, String account, long balance) {
    return new Put(row(group, account)).addColumn(F, BALANCE, Bytes.toBytes(balance));
  }

  private RowGroup group(String group) throws IOException {
    return RowGroup.of(rows, Bytes.toBytes(group));
  }

  /** Fills a group unless another client has; returns whether it is known to be filled. */
  private boolean open(String group) throws IOException, InterruptedException {
    Map<String, Long> first = new TreeMap<>();
    for (int account = 0; account < ACCOUNTS; account++) {
      first.put(account(account), FIRST_BALANCE);
    }
    table.transfers().computeIfAbsent(group, key -> new GroupTransfers(key, first));
    return retries.send(
        "opening of group " + group,
        () -> {
          byte[] ledger = row(group, LEDGER);
          GroupTransaction opening =
              group(group)
                  .when(ledger)
                  .column(F, SEQUENCE)
                  .doesNotExist()
                  .put(new Put(ledger).addColumn(F, SEQUENCE, Bytes.toBytes(0L)));
          first.forEach((account, amount) -> opening.put(balance(group, account, amount)));
          opening.commit();
          open.add(group);
        });
  }

  private void transfer(String group, String id) throws IOException, InterruptedException {
    String from = account(random.nextInt(ACCOUNTS));
    String to = account(random.nextInt(ACCOUNTS));
    if (from.equals(to)) {
      return;
    }
    byte[] ledger = row(group, LEDGER);
    long[] found = new long[3];
    boolean isRead =
        retries.send(
            "read of group " + group,
            () -> {
              found[0] = number(ledger, SEQUENCE);
              found[1] = number(row(group, from), BALANCE);
              found[2] = number(row(group, to), BALANCE);
            });
    if (!isRead) {
      return;
    }
    long amount = found[1] == 0 ? 0 : random.nextInt((int) found[1]);
    table.transfers().get(group).begin(id, from, to, amount);
    GroupTransaction transfer =
        group(group)
            .when(ledger)
            .column(F, SEQUENCE)
            .is(CompareOperator.EQUAL, Bytes.toBytes(found[0]))
            .put(
                new Put(ledger)
                    .addColumn(F, SEQUENCE, Bytes.toBytes(found[0] + 1))
                    .addColumn(F, Bytes.toBytes(NOTE + id), Bytes.toBytes(amount)))
            .put(balance(group, from, found[1] - amount))
            .put(balance(group, to, found[2] + amount));
    if (random.nextBoolean()) {
      transfer.receipt(ledger, F);
    }
    commit(group, id, transfer);
  }

  private long number(byte[] row, byte[] column) throws IOException {
    byte[] value = rows.get(new Get(row).addColumn(F, column)).getValue(F, column);
    if (value == null) {
      throw new IOException("A row of a group is not there: " + Bytes.toString(row));
    }
    return Bytes.toLong(value);
  }

  private void commit(String group, String id, GroupTransaction transfer)
      throws IOException, InterruptedException {
    try {
      end(group, id, transfer.commit());
    } catch (CommitUnknownException e) {
      if (e.receipt() != null) {
        retries.send("receipt of transfer " + id, () -> end(group, id, e.receipt().settle()));
      }
    } catch (IOException e) {
      if (WriteOutcome.of(e, false) == WriteOutcome.REFUSED) {
        throw e;
      }
      end(group, id, false);
    }
  }

  private void end(String group, String id, boolean isDone) {
    if (isDone) {
      table.transfers().get(group).done(id, System.nanoTime());
    } else {
      table.transfers().get(group).notDone(id);
    }
  }

  /** Reads a group as of one moment; returns whether it was whole, and so held to its transfers. */
  private boolean look(String text, String group) throws IOException {
    Map<String, Long> balances = new TreeMap<>();
    Set<String> notes = new HashSet<>();
    long start = System.nanoTime();
    try (ResultScanner scanner = group(group).scan(new Scan().addFamily(F))) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        String item = Bytes.toString(row.getRow()).substring(group.length() + 1);
        if (item.equals(LEDGER)) {
          row.getFamilyMap(F).keySet().stream()
              .map(Bytes::toString)
              .filter(column -> column.startsWith(NOTE))
              .forEach(column -> notes.add(column.substring(NOTE.length())));
        } else {
          balances.put(item, Bytes.toLong(row.getValue(F, BALANCE)));
        }
      }
    } catch (IOException e) {
      if (!(e instanceof SnapshotLostException) && !isBetweenLayouts(e)) {
        throw e;
      }
      return false;
    }
    table.transfers().get(group).snapshot(text, balances, notes, start);
    return true;
  }

  /** A group may be in two regions then, and is not to be read as one. */
  private static boolean isBetweenLayouts(IOException e) {
    return ("" + e.getMessage()).startsWith("The layout of the table is changing");
  }

  /** Looks at each group that a client has opened. */
  void lookAtAll() throws IOException {
    for (String group : table.transfers().keySet()) {
      for (int tries = 1; !look("last view", group); tries++) {
        if (tries == LAST_TRIES) {
          throw new IOException("There is no view of group " + group + " of " + table.name());
        }
      }
    }
  }
}
