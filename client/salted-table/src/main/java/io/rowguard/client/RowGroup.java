package io.rowguard.client;

import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * An entity group of a table: rows that {@code rowguard.group} keeps in one region, so that they
 * can be written as one and read as of one moment. All rows are given as bare keys, also where the
 * table is given as HBase's own {@code Table}.
 *
 * <pre>{@code
 * boolean done = RowGroup.of(accounts, toBytes("alice"))
 *     .when(toBytes("alice|0001")).column(F, BALANCE).is(GREATER_OR_EQUAL, toBytes(100L))
 *     .put(new Put(toBytes("alice|0001")).addColumn(F, BALANCE, toBytes(0L)))
 *     .put(new Put(toBytes("alice|0002")).addColumn(F, BALANCE, toBytes(100L)))
 *     .commit();
 *
 * RowGroup.of(accounts, toBytes("alice")).put(new Put(toBytes("bob|0001")));   // commit refuses it
 * }</pre>
 *
 * <p>Transactions are carried out by HBase's own {@code MultiRowMutationEndpoint}, which the table
 * has to load; the servers need no plugin of Rowguard. Scans need neither.
 *
 * <p>Immutable. As thread-safe as its table; what {@link #when}, {@link #put} and {@link #delete}
 * begin is for one thread.
 */
public final class RowGroup {
  private final GroupTable table;
  private final byte[] key;

  private RowGroup(GroupTable table, byte[] key) {
    this.table = table;
    this.key = key;
  }

  /**
   * A group of a table.
   *
   * <p>Cost: none of a {@link SaltedTable}; of any other table its descriptor is read from the
   * master, so for many transactions open a SaltedTable once, also where nothing is salted.
   *
   * @param table that declares {@code rowguard.group}
   * @param key the beginning that the bare keys of the group share, up to the end of the segment
   *     that {@code rowguard.group} names, such as {@code alice} for {@code alice|0001}; copied
   * @throws IOException when the descriptor cannot be read, or declares no layout or a wrong one
   */
  public static RowGroup of(Table table, byte[] key) throws IOException {
    Objects.requireNonNull(key, "key");
    GroupTable groups =
        table instanceof SaltedTable ? ((SaltedTable) table).groups() : GroupTable.over(table);
    return new RowGroup(groups, key.clone());
  }

  /** Begins a transaction with a condition on a row of the group, by its bare key. */
  public GroupTransaction.OnRow when(byte[] row) {
    return new GroupTransaction(table, key).when(row);
  }

  /** Begins a transaction with a put to a row of the group, by its bare key. */
  public GroupTransaction put(Put put) {
    return new GroupTransaction(table, key).put(put);
  }

  /** Begins a transaction with a delete in a row of the group, by its bare key. */
  public GroupTransaction delete(Delete delete) {
    return new GroupTransaction(table, key).delete(delete);
  }

  /**
   * Reads rows of the group as of one moment: all that was committed before the scan began and
   * nothing of what comes later, of each transaction all or nothing.
   *
   * <p>One region answers, by one scanner, the first row already here. Where it moves, splits or
   * dies in the middle, or the scanner's lease ends, this or the next call of {@code next} fails
   * with a {@link SnapshotLostException}, and the group is to be read again.
   *
   * <p>Cost: that of a scan of these rows, in their region alone. While it is open the server keeps
   * what it would else drop, so it is to be closed.
   *
   * @param scan with a range of bare keys, of which those of the group count; an empty bound is
   *     that of the group. It is not changed. Reads of replicas and of what is not committed become
   *     ordinary ones.
   * @return not thread-safe, to be closed; its results have bare keys
   * @throws SnapshotLostException when the region is lost before the first row
   * @throws org.apache.hadoop.hbase.DoNotRetryIOException where a region begins within the range;
   *     while the table's layout changes, when a group may be in two regions; where the rows of one
   *     group lie under several values of a salt; for a key that is none of a group; and for a scan
   *     that {@link SaltedTable#getScanner(Scan)} refuses
   */
  public ResultScanner scan(Scan scan) throws IOException {
    return GroupScanner.open(table, key, scan);
  }
}
