package io.rowguard.observer;

import static io.rowguard.observer.GuardedTable.F;
import static io.rowguard.observer.GuardedTable.Q;

import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.util.Bytes;

/** Short names for writes to {@code f:q}. Rows are as in {@link Bytes#toBytesBinary}. */
public final class Writes {
  /** A row that fits {@link GuardedTable#LAYOUT}. */
  static final String GOOD = "alice|0001";

  /** A row that does not. */
  static final String BAD = "bob|000x";

  private Writes() {}

  public static byte[] bytes(String row) {
    return Bytes.toBytesBinary(row);
  }

  public static Put put(String row) {
    return put(row, "v");
  }

  public static Put put(String row, String value) {
    return new Put(bytes(row)).addColumn(F, Q, Bytes.toBytes(value));
  }

  public static Delete delete(String row) {
    return new Delete(bytes(row));
  }

  static Append append(String row) {
    return new Append(bytes(row)).addColumn(F, Q, Bytes.toBytes("+"));
  }

  static Increment increment(String row) {
    return new Increment(bytes(row)).addColumn(F, Bytes.toBytes("n"), 1);
  }

  /** Mutations of one row, to be done together or not at all. */
  static RowMutations together(Mutation... mutations) throws IOException {
    return RowMutations.of(List.of(mutations));
  }

  /** The same mutation as it arrives from another cluster by replication. */
  static <M extends Mutation> M replicated(M mutation) {
    mutation.setClusterIds(List.of(new UUID(1, 2)));
    return mutation;
  }
}
