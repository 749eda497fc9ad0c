package io.rowguard.soak;

import io.rowguard.checker.Ledger.Row;
import io.rowguard.checker.RowState.Column;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A client of a table's rows that are written once: inserts new ones, alone and several of one
 * group at once, and reads them, alone and by scans of all sorts. For one thread.
 */
final class LedgerClient {
  private static final AtomicInteger ITEMS = new AtomicInteger();
  private static final AtomicInteger SCANS = new AtomicInteger();

  private final SoakTable table;
  private final Access rows;
  private final Random random;
  private final Retries retries;

  LedgerClient(SoakTable table, Access rows, Retries retries, long seed) {
    this.table = table;
    this.rows = rows;
    this.retries = retries;
    this.random = new Random(seed);
  }

  /** Inserts a row, or some of one group. */
  void insert() throws IOException, InterruptedException {
    int count = random.nextInt(3) == 0 ? 5 : 1;
    String user = user(random.nextInt(SoakTable.USERS));
    List<Put> puts = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String key = newKey(user);
      keys.add(key);
      puts.add(
          new Put(Bytes.toBytes(key))
              .addColumn(Column.C1.family(), Column.C1.qualifier(), Bytes.toBytes(value(key))));
      table.ledger().begin(key, value(key), System.nanoTime());
    }
    retries.send(
        "insert into " + table.name() + " " + keys,
        () -> {
          rows.put(puts);
          long now = System.nanoTime();
          keys.forEach(key -> table.ledger().acknowledge(key, now));
        });
    TimeUnit.MILLISECONDS.sleep(random.nextInt(60));
  }

  /** Reads a row, or scans a range. */
  void read() throws IOException, InterruptedException {
    retries.send("read of " + table.name(), random.nextInt(3) == 0 ? this::get : this::scan);
    TimeUnit.MILLISECONDS.sleep(random.nextInt(100));
  }

  private void get() throws IOException {
    int item = 1 + random.nextInt(Math.max(1, ITEMS.get()));
    // Mostly a row of another table or user; that it is not there is right then.
    String key = String.format("%s|%06d", user(random.nextInt(SoakTable.USERS)), item);
    long start = System.nanoTime();
    String value = value(rows.get(new Get(Bytes.toBytes(key))));
    table.ledger().read("get of " + table.name(), key, value, start, System.nanoTime());
  }

  private void scan() throws IOException {
    int first = random.nextInt(SoakTable.USERS);
    int last = Math.min(SoakTable.USERS, first + 1 + random.nextInt(60));
    scan(user(first), user(last), random.nextBoolean(), random.nextInt(3) == 0 ? 20 : 0);
  }

  /** Scans all rows that are written once; returns how many there are. */
  int scanAll() throws IOException {
    return scan(SoakTable.FROM, SoakTable.TO, false, 0);
  }

  private int scan(String from, String to, boolean isReversed, int limit) throws IOException {
    Scan scan = new Scan().setReversed(isReversed).setCaching(random.nextBoolean() ? 7 : 1000);
    if (isReversed) {
      scan.withStartRow(Bytes.toBytes(to), false).withStopRow(Bytes.toBytes(from), true);
    } else {
      scan.withStartRow(Bytes.toBytes(from)).withStopRow(Bytes.toBytes(to));
    }
    if (limit > 0) {
      scan.setLimit(limit);
    }
    String text =
        String.format(
            "scan %d of %s %s..%s%s%s",
            SCANS.incrementAndGet(),
            table.name(),
            from,
            to,
            isReversed ? " reversed" : "",
            limit > 0 ? " limit " + limit : "");
    long start = System.nanoTime();
    List<Row> seen =
        rows.scan(scan).stream()
            .map(result -> new Row(Bytes.toString(result.getRow()), value(result)))
            .toList();
    boolean isWhole = limit == 0 || seen.size() < limit;
    table.ledger().scanned(text, from, to, isWhole, isReversed, seen, start, System.nanoTime());
    return seen.size();
  }

  private static String value(Result result) {
    byte[] value = result.getValue(Column.C1.family(), Column.C1.qualifier());
    return value == null ? null : Bytes.toString(value);
  }

  /** A key of a user that has never been written, behind all that have. */
  static String newKey(String user) {
    return String.format("%s|%06d", user, ITEMS.incrementAndGet());
  }

  static String user(int number) {
    return String.format("w%04d", number);
  }

  static String value(String key) {
    return "of " + key;
  }
}
