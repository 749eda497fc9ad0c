package io.rowguard.client;

import io.rowguard.layout.RowText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.Objects;
import java.util.SortedMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The proof that a {@link GroupTransaction} was carried out: a column of one of the group's rows
 * that it writes with the rest, on condition that the column is not there yet. As thread-safe as
 * its table.
 */
public final class CommitReceipt {
  private static final String COLUMN = "rowguard.receipt.";
  private static final byte[] DONE = "done".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] VOID = "void".getBytes(StandardCharsets.US_ASCII);

  private final Place place;
  private final String id;
  private final byte[] qualifier;
  private final long begin = System.nanoTime();

  private CommitReceipt(Place place, String id) {
    this.place = place;
    this.id = id;
    this.qualifier = (COLUMN + id).getBytes(StandardCharsets.US_ASCII);
  }

  /** The column family and the row where a transaction has its receipts. Immutable. */
  static final class Place {
    private final GroupTable table;
    private final byte[] row;
    private final byte[] family;
    private final long ttlMillis;

    Place(GroupTable table, byte[] row, byte[] family, long ttlMillis) {
      this.table = table;
      this.row = Objects.requireNonNull(row, "row").clone();
      this.family = Objects.requireNonNull(family, "family").clone();
      this.ttlMillis = ttlMillis;
    }

    /** A new receipt. */
    CommitReceipt next() {
      return new CommitReceipt(this, UUID.randomUUID().toString().replace("-", ""));
    }

    /**
     * Returns if a mutation leaves receipts here alone: a delete of the whole family hides what is
     * put there at the same moment.
     */
    void requireKept(Mutation mutation) throws DoNotRetryIOException {
      boolean deletes = mutation instanceof Delete && Arrays.equals(row, mutation.getRow());
      if (deletes && (mutation.isEmpty() || hasFamilyMarker(mutation))) {
        throw new DoNotRetryIOException(
            "The transaction would delete its receipt with the row or family that it stands in."
                + " table="
                + table.name()
                + " row=\""
                + RowText.abbreviated(row)
                + "\" family="
                + Bytes.toStringBinary(family)
                + ". Delete columns, or have the receipt in another row or family.");
      }
    }

    /**
     * Returns if receipts stay here for their time: a cell's own TTL does not prolong that of its
     * family.
     *
     * @param timesToLive of families, in seconds; absent for ever
     */
    void requireTime(SortedMap<byte[], Integer> timesToLive) throws DoNotRetryIOException {
      Integer seconds = timesToLive.get(family);
      if (seconds != null && TimeUnit.SECONDS.toMillis(seconds) < ttlMillis) {
        throw new DoNotRetryIOException(
            "The receipt would go before its time, by the TTL of its column family. table="
                + table.name()
                + " family="
                + Bytes.toStringBinary(family)
                + " familyTtlSeconds="
                + seconds
                + " ttlMillis="
                + ttlMillis
                + ". Keep it no longer than the family does, or in another family.");
      }
    }

    private boolean hasFamilyMarker(Mutation mutation) {
      for (Cell cell : mutation.getFamilyCellMap().getOrDefault(family, Collections.emptyList())) {
        if (cell.getType() == Cell.Type.DeleteFamily
            || cell.getType() == Cell.Type.DeleteFamilyVersion) {
          return true;
        }
      }
      return false;
    }
  }

  /** 32 hexadecimal digits, for logs. */
  public String id() {
    return id;
  }

  /** The mutation that the transaction adds. */
  Put put() {
    return put(DONE);
  }

  /** The condition by which it is carried out once. */
  RowCondition condition() {
    return RowCondition.missing(place.row, place.family, qualifier);
  }

  private Put put(byte[] value) {
    Put put = new Put(place.row).addColumn(place.family, qualifier, value);
    put.setTTL(place.ttlMillis);
    return put;
  }

  /**
   * Finds out what became of the transaction, for good: where it was not carried out, this makes
   * sure that it never will be, even if it is still on its way. May be called again.
   *
   * <p>Cost: one conditional write, and a read where the receipt is there.
   *
   * @return whether it was carried out
   * @throws IOException when that cannot be found out now, or the half of the receipt's time is
   *     over
   */
  public boolean settle() throws IOException {
    requireYoung();
    CheckAndMutate unlessThere =
        CheckAndMutate.newBuilder(place.row).ifNotExists(place.family, qualifier).build(put(VOID));
    if (!place.table.checkAndMutate(unlessThere)) {
      return !Arrays.equals(VOID, value());
    }
    // By the time of a late answer the receipt may have been there, and gone.
    requireYoung();
    return false;
  }

  private void requireYoung() throws IOException {
    long ageMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    if (ageMillis > place.ttlMillis / 2) {
      throw new IOException(
          "The receipt is too old to tell what became of the transaction. "
              + this
              + " ageMillis="
              + ageMillis
              + " ttlMillis="
              + place.ttlMillis
              + ". Read the rows of the group, and keep receipts longer.");
    }
  }

  private byte[] value() throws IOException {
    byte[] value =
        place
            .table
            .get(new Get(place.row).addColumn(place.family, qualifier))
            .getValue(place.family, qualifier);
    if (value == null) {
      throw new IOException("The receipt was there a moment ago, and has been deleted. " + this);
    }
    return value;
  }

  @Override
  public String toString() {
    return "receipt=" + id;
  }
}
