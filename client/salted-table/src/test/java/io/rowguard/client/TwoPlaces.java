package io.rowguard.client;

import io.rowguard.layout.LayoutChange;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.readdressing.ReaddressedCell;
import io.rowguard.readdressing.ReaddressedResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table whose layout changes, without any plugin: the test itself puts rows at their old places
 * and at their new ones, and moves them.
 */
final class TwoPlaces implements AutoCloseable {
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final TableName name;
  private final LayoutChange change;
  private final Table raw;
  private final TableLayouts old;
  private final TableLayouts fresh;
  // The keys that are at the new place, and of those the ones that the old place still has, too.
  private final Set<byte[]> moved = new TreeSet<>(Bytes.BYTES_COMPARATOR);
  private final Set<byte[]> atBoth = new TreeSet<>(Bytes.BYTES_COMPARATOR);

  /** Creates a table in the second phase, or in the first, where all rows stay at the old place. */
  TwoPlaces(HBaseTestingUtility hbase, String from, String to, boolean moving, byte[][] splits)
      throws IOException {
    name = TableName.valueOf("two_places" + COUNT.incrementAndGet());
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name);
    for (byte[] family : new byte[][] {Tables.F, Tables.G}) {
      table.setColumnFamily(
          ColumnFamilyDescriptorBuilder.newBuilder(family).setMaxVersions(3).build());
    }
    declare(table, from, to, moving ? "moving" : "prepared", moving ? 2 : 1);
    hbase.getAdmin().createTable(table.build(), splits);
    change = LayoutChange.of(RowkeyLayout.parse(from), RowkeyLayout.parse(to));
    raw = hbase.getConnection().getTable(name);
    FilterRules filters = new FilterRules(name, new HashSet<>());
    old = TableLayouts.byHand(change.from(), 256, filters);
    fresh = TableLayouts.byHand(change.to(), 256, filters);
  }

  /** Values of a descriptor in a change whose first step made the given version less one. */
  static void declare(
      TableDescriptorBuilder table, String from, String to, String phase, long version) {
    table
        .setValue("rowguard.layout", to)
        .setValue("rowguard.layout.previous", from)
        .setValue("rowguard.layout.phase", phase)
        .setValue("rowguard.layout.generation", "1")
        .setValue("rowguard.layout.version", Long.toString(version));
  }

  TableName name() {
    return name;
  }

  /** Whether a key has two places, and is at both or at the old one. */
  boolean isAtOld(byte[] key) {
    return !moved.contains(key);
  }

  boolean isAtBoth(byte[] key) {
    return atBoth.contains(key);
  }

  /** Carries out an action on a bare key where the key is. */
  Object act(Row action) throws IOException, InterruptedException {
    if (isAtBoth(action.getRow())) {
      drop(action.getRow());
    }
    TableLayouts primary = isAtOld(action.getRow()) ? old : fresh;
    Object[] answers = new Object[1];
    raw.batch(new ArrayList<>(List.of(primary.onPrimary(action))), answers);
    return ReaddressedResult.of(answers[0], action.getRow());
  }

  /** The first half of a pull: everything that the old place has is at the new one, too. */
  void copy(byte[] key) throws IOException {
    byte[] from = old.primaryRow(key);
    byte[] to = fresh.primaryRow(key);
    if (!moved.add(key) || Bytes.equals(from, to)) {
      return;
    }
    Scan all = new Scan().withStartRow(from).withStopRow(from, true).setRaw(true).readAllVersions();
    try (ResultScanner scanner = raw.getScanner(all)) {
      for (Result result : scanner) {
        Put put = new Put(to);
        for (Cell cell : result.rawCells()) {
          put.add(ReaddressedCell.of(cell, to));
        }
        raw.put(put);
        atBoth.add(key);
      }
    }
  }

  /** The second half. */
  void drop(byte[] key) throws IOException {
    if (atBoth.remove(key)) {
      raw.delete(new Delete(old.primaryRow(key)));
    }
  }

  @Override
  public void close() throws IOException {
    raw.close();
  }
}
