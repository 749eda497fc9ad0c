package io.rowguard.observer;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.wal.WALEdit;

/** The hooks that are the first to have the row of a mutation, and hold no row lock, as one. */
abstract class FirstHooks implements RegionObserver {

  /** Before a mutation, of whatever kind. */
  abstract void before(String hook, Mutation mutation) throws IOException;

  @Override
  public final void prePut(
      ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit)
      throws IOException {
    before("prePut", put);
  }

  @Override
  public final void preDelete(
      ObserverContext<RegionCoprocessorEnvironment> context, Delete delete, WALEdit edit)
      throws IOException {
    before("preDelete", delete);
  }

  @Override
  public final Result preAppend(
      ObserverContext<RegionCoprocessorEnvironment> context, Append append, WALEdit edit)
      throws IOException {
    before("preAppend", append);
    return null;
  }

  @Override
  public final Result preIncrement(
      ObserverContext<RegionCoprocessorEnvironment> context, Increment increment, WALEdit edit)
      throws IOException {
    before("preIncrement", increment);
    return null;
  }
}
