package io.rowguard.client;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;

/**
 * Has the answers to increments and appends get lost, alone, in RowMutations and as what a
 * condition lets through: each is carried out, and fails. When its client tries again it fails
 * before anything is done, until the test lets it through.
 */
public final class LostAnswers implements RegionCoprocessor, RegionObserver {
  /** The bare keys whose answers are lost. */
  static final Set<String> LOST = ConcurrentHashMap.newKeySet();

  static volatile boolean isOn;

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  private static String key(Row action) {
    String row = Bytes.toString(action.getRow());
    return row.substring(row.indexOf('-') + 1);
  }

  private static void before(Row row) throws IOException {
    if (isOn && LOST.contains(key(row))) {
      throw new IOException("The next try does not get through either.");
    }
  }

  @Override
  public Result preIncrement(
      ObserverContext<RegionCoprocessorEnvironment> context, Increment increment, WALEdit edit)
      throws IOException {
    before(increment);
    return null;
  }

  @Override
  public Result preAppend(
      ObserverContext<RegionCoprocessorEnvironment> context, Append append, WALEdit edit)
      throws IOException {
    before(append);
    return null;
  }

  @Override
  public CheckAndMutateResult preCheckAndMutate(
      ObserverContext<RegionCoprocessorEnvironment> context,
      CheckAndMutate conditional,
      CheckAndMutateResult result)
      throws IOException {
    before(conditional);
    return result;
  }

  /** The last hook: what was carried out and its nonce are known to the server by then. */
  @Override
  public void postBatchMutateIndispensably(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch,
      boolean success)
      throws IOException {
    // In RowMutations it is the last.
    int last = batch.size() - 1;
    Mutation mutation = batch.getOperation(last);
    boolean isAdded =
        success
            && (mutation instanceof Increment || mutation instanceof Append)
            && batch.getOperationStatus(last).getOperationStatusCode()
                == OperationStatusCode.SUCCESS;
    if (isOn && isAdded && LOST.add(key(mutation))) {
      throw new IOException("The answer gets lost.");
    }
  }
}
