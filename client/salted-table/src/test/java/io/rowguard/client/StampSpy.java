package io.rowguard.client;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;

/** A coprocessor that remembers the rows of Puts that name a stamp by their timestamp alone. */
public final class StampSpy implements RegionCoprocessor, RegionObserver {
  private static final Set<String> ROWS = new ConcurrentSkipListSet<>();

  /** The year 2100, in nanoseconds. */
  private static final long FUTURE = 4_102_444_800_000_000_000L;

  /** For HBase. */
  public StampSpy() {}

  /** The rows since the last call. */
  static Set<String> take() {
    Set<String> rows = Set.copyOf(ROWS);
    ROWS.clear();
    return rows;
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void prePut(ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit) {
    see(put);
  }

  @Override
  public CheckAndMutateResult preCheckAndMutate(
      ObserverContext<RegionCoprocessorEnvironment> context,
      CheckAndMutate conditional,
      CheckAndMutateResult result) {
    Row action = conditional.getAction();
    List<? extends Row> actions =
        action instanceof RowMutations several ? several.getMutations() : List.of(action);
    actions.forEach(one -> see((Put) one));
    return result;
  }

  private static void see(Put put) {
    boolean isStamp = put.getTimestamp() > FUTURE && put.getTimestamp() < Long.MAX_VALUE;
    if (isStamp && put.getAttributesMap().isEmpty()) {
      ROWS.add(Bytes.toString(put.getRow()));
    }
  }
}
