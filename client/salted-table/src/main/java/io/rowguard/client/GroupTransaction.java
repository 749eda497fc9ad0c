package io.rowguard.client;

import io.rowguard.layout.RowText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;

/**
 * Puts and deletes in rows of one entity group, which are carried out together if all conditions
 * hold, or not at all. Begun by a {@link RowGroup}. For one thread, and one {@link #commit()}.
 *
 * <p>What is given is kept until then, and not changed; nothing is sent before.
 */
public final class GroupTransaction {
  private static final long DAY_MILLIS = 24L * 60 * 60 * 1000;
  private static final long SHORTEST_MILLIS = 60_000;

  private final GroupTable table;
  private final byte[] key;
  private final List<RowCondition> conditions = new ArrayList<>();
  private final List<Mutation> mutations = new ArrayList<>();

  /** Null for no receipts. */
  private CommitReceipt.Place receipts;

  private boolean isCommitted;

  GroupTransaction(GroupTable table, byte[] key) {
    this.table = table;
    this.key = key;
  }

  /**
   * Adds a condition on a row of the group, which need not be one that is written.
   *
   * @param row a bare key
   */
  public OnRow when(byte[] row) {
    return new OnRow(row);
  }

  /**
   * Adds a put, by bare key.
   *
   * @throws IllegalArgumentException when it has no columns, which HBase's own client refuses too
   */
  public GroupTransaction put(Put put) {
    if (put.isEmpty()) {
      throw new IllegalArgumentException(
          "The put has no columns. row=\"" + RowText.abbreviated(put.getRow()) + "\"");
    }
    mutations.add(put);
    return this;
  }

  /** Adds a delete, by bare key. */
  public GroupTransaction delete(Delete delete) {
    mutations.add(Objects.requireNonNull(delete, "delete"));
    return this;
  }

  /** {@link #receipt(byte[], byte[], long)} for a day. */
  public GroupTransaction receipt(byte[] row, byte[] family) {
    return receipt(row, family, DAY_MILLIS);
  }

  /**
   * Has the transaction write a receipt, by which {@link #commit()} finds out what happened when an
   * answer is lost, and which keeps HBase's client from carrying the transaction out twice.
   *
   * <p>It is a column of its own, {@code rowguard.receipt.} and 32 hexadecimal digits, which
   * whoever reads the whole family of that row sees; a family for receipts alone keeps them apart.
   * A cell's TTL removes it. Nothing else may: where the row or its family is deleted, the receipt
   * says that nothing was carried out.
   *
   * @param row a bare key of the group; the row need not exist
   * @param family which the table has
   * @param ttlMillis how long it is kept, a minute or more, no longer than the family keeps cells
   *     (else {@link #commit} fails), and longer than a request may be on its way to a server that
   *     stands still; it can be {@linkplain CommitReceipt#settle() settled} in the first half of
   *     that time
   */
  public GroupTransaction receipt(byte[] row, byte[] family, long ttlMillis) {
    if (ttlMillis < SHORTEST_MILLIS) {
      throw new IllegalArgumentException(
          "A receipt has to outlast a request that is late. ttlMillis="
              + ttlMillis
              + ". Keep it for "
              + SHORTEST_MILLIS
              + " ms or more; a day costs no more than that.");
    }
    receipts = new CommitReceipt.Place(table, row, family, ttlMillis);
    return this;
  }

  /**
   * Carries the transaction out.
   *
   * <p>After an {@link IOException} that is no {@link CommitUnknownException} nothing was carried
   * out, and nothing will be: the transaction may be begun again.
   *
   * <p>Without a receipt, HBase's client sends it again after a lost answer, as it does with a
   * {@code CheckAndMutate}. Where the conditions hold a second time, it is carried out a second
   * time. So let it change what one of its conditions asks for, and never back; or have a receipt.
   *
   * @return true if all of it was carried out; false if a condition did not hold, and nothing was
   * @throws CommitUnknownException when an answer was lost, and it cannot be told what happened
   * @throws org.apache.hadoop.hbase.DoNotRetryIOException before anything is sent, when a row is
   *     none of the group, a delete or a TTL would take the receipt away, or the group is cut in
   *     two; and when the table does not load the endpoint, or a server refuses a row
   */
  public boolean commit() throws IOException {
    if (isCommitted) {
      throw new IllegalStateException(
          "A transaction can be committed once. Begin another one with RowGroup.");
    }
    if (mutations.isEmpty()) {
      throw new IllegalStateException(
          "The transaction writes nothing. Give it a put or a delete before commit.");
    }
    isCommitted = true;
    return new GroupCommit(table, key, conditions, mutations, receipts).run();
  }

  /** A row that a condition is to look at. */
  public final class OnRow {
    private final byte[] row;

    private OnRow(byte[] row) {
      this.row = Objects.requireNonNull(row, "row").clone();
    }

    /** The column of the row that a condition looks at, in its latest version. */
    public OnColumn column(byte[] family, byte[] qualifier) {
      return new OnColumn(row, family, qualifier);
    }
  }

  /** A column that a condition looks at. HBase takes an empty value for none. */
  public final class OnColumn {
    private final byte[] row;
    private final byte[] family;
    private final byte[] qualifier;

    private OnColumn(byte[] row, byte[] family, byte[] qualifier) {
      this.row = row;
      this.family = Objects.requireNonNull(family, "family").clone();
      this.qualifier = Objects.requireNonNull(qualifier, "qualifier").clone();
    }

    /**
     * The condition that the stored value is equal to, less than, ... another one, as unsigned
     * bytes. It reads from left to right: {@code GREATER} is a stored value above the given one.
     * (HBase's {@code CheckAndMutate} has it the other way round.) It does not hold where there is
     * no value.
     *
     * @param operator any but {@code NO_OP}
     * @param value not empty
     */
    public GroupTransaction is(CompareOperator operator, byte[] value) {
      return with(RowCondition.compared(row, family, qualifier, operator, value));
    }

    /** The condition that there is a value. */
    public GroupTransaction exists() {
      return with(RowCondition.exists(row, family, qualifier));
    }

    /** The condition that there is no value. */
    public GroupTransaction doesNotExist() {
      return with(RowCondition.missing(row, family, qualifier));
    }

    private GroupTransaction with(RowCondition condition) {
      conditions.add(condition);
      return GroupTransaction.this;
    }
  }
}
