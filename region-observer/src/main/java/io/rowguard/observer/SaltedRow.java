package io.rowguard.observer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.util.Bytes;

/** What a batch holds of one row that it is to be stored under elsewhere. Of one thread. */
final class SaltedRow {
  private final byte[] row;
  private final List<Integer> places = new ArrayList<>(1);
  private final List<Mutation> mutations = new ArrayList<>(1);

  SaltedRow(byte[] row) {
    this.row = row;
  }

  /** Those of a batch, in their order. */
  static List<SaltedRow> of(MiniBatchOperationInProgress<Mutation> batch) {
    Map<byte[], SaltedRow> byRow = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (int i = 0; i < batch.size(); i++) {
      OperationStatus status = batch.getOperationStatus(i);
      if (status instanceof ForwardStatus) {
        byte[] row = ((ForwardStatus) status).saltedRow();
        byRow.computeIfAbsent(row, SaltedRow::new).add(i, batch.getOperation(i));
      }
    }
    return new ArrayList<>(byRow.values());
  }

  private void add(int place, Mutation mutation) {
    places.add(place);
    mutations.add(mutation);
  }

  /** The same for another row. */
  SaltedRow at(byte[] other) {
    SaltedRow moved = new SaltedRow(other);
    for (int i = 0; i < places.size(); i++) {
      moved.add(places.get(i), mutations.get(i));
    }
    return moved;
  }

  byte[] row() {
    return row;
  }

  /** Where its mutations are in the batch. */
  List<Integer> places() {
    return places;
  }

  /** What they take on the heap. */
  long heapSize() {
    long bytes = 0;
    for (Mutation mutation : mutations) {
      bytes += mutation.heapSize();
    }
    return bytes;
  }

  /** A copy of them, to be sent. Several mutations of one row stay together and in order. */
  Row action() throws IOException {
    List<Mutation> salted = new ArrayList<>(mutations.size());
    for (Mutation mutation : mutations) {
      salted.add(BareWrites.salted(mutation, row));
    }
    return salted.size() == 1 ? salted.get(0) : RowMutations.of(salted);
  }
}
