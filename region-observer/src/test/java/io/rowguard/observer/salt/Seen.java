package io.rowguard.observer.salt;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;

/** A coprocessor that remembers the puts that were stored, as the region got them. */
public final class Seen implements RegionCoprocessor, RegionObserver {
  private static final Map<String, Write> WRITES = new ConcurrentHashMap<>();

  /** For HBase. */
  public Seen() {}

  /** The attributes of a put. */
  record Write(Durability durability, long ttl, String attribute) {}

  static void forget() {
    WRITES.clear();
  }

  static Write of(String row) {
    return WRITES.get(row);
  }

  static boolean saw(String row) {
    return WRITES.containsKey(row);
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void postPut(
      ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit) {
    remember(put);
  }

  private static void remember(Mutation put) {
    WRITES.put(
        Bytes.toString(put.getRow()),
        new Write(put.getDurability(), put.getTTL(), Bytes.toString(put.getAttribute("mine"))));
  }
}
