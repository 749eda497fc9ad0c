package io.rowguard.observer;

import static io.rowguard.observer.GuardedTable.F;
import static io.rowguard.observer.GuardedTable.Q;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;

/** A coprocessor that adds a row to those mutations that ask for it, as a local index does. */
public final class RowAdder implements RegionCoprocessor, RegionObserver {
  private static final String PUT = "adds.put";
  private static final String DELETE = "adds.delete";
  private static final String WRITTEN_BEFORE = "writes.put";
  private static final String FAILED_BEFORE = "fails.put";
  private static final String INNER = "";

  /** For HBase. */
  public RowAdder() {}

  /** The mutation, which is to bring along a Put of a row. */
  static <M extends Mutation> M adding(String row, M mutation) {
    mutation.setAttribute(PUT, Writes.bytes(row));
    return mutation;
  }

  /** The mutation, which is to bring along a Delete of a row. */
  static <M extends Mutation> M deleting(String row, M mutation) {
    mutation.setAttribute(DELETE, Writes.bytes(row));
    return mutation;
  }

  /** The mutation, before which a row is to be put by a batch of its own. */
  static <M extends Mutation> M writingBefore(String row, M mutation) {
    mutation.setAttribute(WRITTEN_BEFORE, Writes.bytes(row));
    return mutation;
  }

  /** The same; but a hook fails when the row is stored, and that is passed over. */
  static <M extends Mutation> M failingBefore(String row, M mutation) {
    mutation.setAttribute(FAILED_BEFORE, Writes.bytes(row));
    return mutation;
  }

  @Override
  public void postPut(ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit)
      throws IOException {
    byte[] failed = put.getAttribute(FAILED_BEFORE);
    if (failed != null && failed.length == INNER.length()) {
      throw new IOException("a hook that fails");
    }
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void preBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    for (int i = 0; i < batch.size(); i++) {
      Mutation mutation = batch.getOperation(i);
      byte[] before = mutation.getAttribute(WRITTEN_BEFORE);
      if (before != null) {
        context.getEnvironment().getRegion().put(Writes.put(Bytes.toString(before)));
      }
      byte[] failed = mutation.getAttribute(FAILED_BEFORE);
      if (failed != null && failed.length > INNER.length()) {
        Put inner = failingBefore(INNER, Writes.put(Bytes.toString(failed)));
        assertThrows(IOException.class, () -> context.getEnvironment().getRegion().put(inner));
      }
      byte[] put = mutation.getAttribute(PUT);
      byte[] delete = mutation.getAttribute(DELETE);
      if (put != null || delete != null) {
        Cell first = mutation.getFamilyCellMap().firstEntry().getValue().get(0);
        batch.addOperationsFromCP(
            i,
            new Mutation[] {
              put != null
                  ? new Put(put).addColumn(F, Q, first.getTimestamp(), Bytes.toBytes("added"))
                  : new Delete(delete).addColumns(F, Q, first.getTimestamp())
            });
      }
    }
  }
}
