package io.rowguard.tools.relayout;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;

/** Shows tests the Gets that come to a table, before anything else sees them. */
public final class WatchedGets implements RegionCoprocessor, RegionObserver {
  private static final Map<TableName, Consumer<Get>> WATCHES = new ConcurrentHashMap<>();

  private TableName table;

  /** For HBase. */
  public WatchedGets() {}

  /**
   * A table that is watched.
   *
   * @param watch is given each Get in the thread that serves it, which it may hold up
   */
  static TableDescriptor watched(TableDescriptor table, Consumer<Get> watch) throws IOException {
    WATCHES.put(table.getTableName(), watch);
    return TableDescriptorBuilder.newBuilder(table)
        .setCoprocessor(
            CoprocessorDescriptorBuilder.newBuilder(WatchedGets.class.getName())
                .setPriority(Coprocessor.PRIORITY_HIGHEST)
                .build())
        .build();
  }

  @Override
  @SuppressWarnings("rawtypes") // as HBase declares it
  public void start(CoprocessorEnvironment env) {
    table = ((RegionCoprocessorEnvironment) env).getRegionInfo().getTable();
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void preGetOp(
      ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> result) {
    WATCHES.get(table).accept(get);
  }
}
