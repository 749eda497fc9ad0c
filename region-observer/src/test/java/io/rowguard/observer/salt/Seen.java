package io.rowguard.observer.salt;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;

/**
 * A coprocessor that remembers the puts that were stored, as the region got them, and what was done
 * without a request, or for one whose attributes are null.
 */
public final class Seen implements RegionCoprocessor, RegionObserver {
  private static final Map<String, Write> WRITES = new ConcurrentHashMap<>();
  private static final List<String> WITHOUT_REQUEST = new CopyOnWriteArrayList<>();

  /** For HBase. */
  public Seen() {}

  /** The attributes of a put. */
  record Write(Durability durability, long ttl, String attribute) {}

  static void forget() {
    WRITES.clear();
    WITHOUT_REQUEST.clear();
  }

  static List<String> withoutRequest() {
    return WITHOUT_REQUEST;
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
  public void prePut(ObserverContext<RegionCoprocessorEnvironment> context, Put put, WALEdit edit) {
    requireRequest(put.getRow());
  }

  @Override
  public void preGetOp(
      ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> result) {
    requireRequest(get.getRow());
  }

  /** From HBase 2.6 on a request has attributes: two maps, which are never null. */
  private static void requireRequest(byte[] row) {
    RpcCall request = RpcServer.getCurrentCall().orElse(null);
    boolean isWhole = request != null;
    for (Method method : RpcCall.class.getMethods()) {
      if (isWhole && method.getReturnType() == Map.class) {
        try {
          isWhole = method.invoke(request) != null;
        } catch (ReflectiveOperationException e) {
          throw new IllegalStateException(e);
        }
      }
    }
    if (!isWhole) {
      WITHOUT_REQUEST.add(Bytes.toString(row));
    }
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
