package io.rowguard.observer.salt;

import io.rowguard.config.LayoutStamp;
import io.rowguard.observer.decide.DecidedStatus;
import io.rowguard.observer.request.PullMark;
import io.rowguard.readdressing.ReaddressedAction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.util.Bytes;

/** The mutations of a batch that are to be stored under one other row. Of one thread. */
final class SaltedRow {
  private final byte[] row;
  private final List<Integer> indexes = new ArrayList<>(1);
  private final List<Mutation> mutations = new ArrayList<>(1);

  SaltedRow(byte[] row) {
    this.row = row;
  }

  /** The other rows of a batch, in their order. */
  static List<SaltedRow> of(MiniBatchOperationInProgress<Mutation> batch) {
    Map<byte[], SaltedRow> byRow = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (int i = 0; i < batch.size(); i++) {
      OperationStatus status = batch.getOperationStatus(i);
      byte[] row = DecidedStatus.otherRow(status);
      if (row != null) {
        byRow.computeIfAbsent(row, SaltedRow::new).add(i, batch.getOperation(i));
      }
    }
    return new ArrayList<>(byRow.values());
  }

  private void add(int index, Mutation mutation) {
    indexes.add(index);
    mutations.add(mutation);
  }

  /** The same mutations for another row. */
  SaltedRow at(byte[] other) {
    SaltedRow moved = new SaltedRow(other);
    for (int i = 0; i < indexes.size(); i++) {
      moved.add(indexes.get(i), mutations.get(i));
    }
    return moved;
  }

  byte[] row() {
    return row;
  }

  /** The indexes of its mutations in the batch. */
  List<Integer> indexes() {
    return indexes;
  }

  /** The heap size of its mutations, in bytes. */
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
      salted.add(salted(mutation, row));
    }
    return salted.size() == 1 ? salted.get(0) : RowMutations.of(salted);
  }

  /**
   * The same mutation of the salted row, as it is forwarded.
   *
   * @param mutation a Put or Delete without {@link
   *     io.rowguard.observer.decide.SaltObstacles#obstacle}
   */
  private static Mutation salted(Mutation mutation, byte[] saltedRow) throws IOException {
    Mutation salted = ReaddressedAction.withoutTags(mutation, saltedRow);
    // Served by handlers of their own, which never wait for those that forward.
    salted.setPriority(HConstants.HIGH_QOS);
    // It has been judged by this region's version; the other may be a step further.
    LayoutStamp.clear(salted);
    PullMark.remove(salted);
    return salted;
  }
}
