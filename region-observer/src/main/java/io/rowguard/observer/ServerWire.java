package io.rowguard.observer;

import io.rowguard.observer.relayout.GlobalMemstore;
import io.rowguard.observer.relayout.Silence;
import io.rowguard.observer.relayout.Wire;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.regionserver.Region;

/** The way from one region of a table to others, as salt mode has it. Thread-safe. */
final class ServerWire implements Wire {
  private final TableName table;
  private final RowSender sender;
  private final ServerForwards forwards;
  private final LocationRefresher locations;
  private final long mostBytes;
  private final GlobalMemstore memstore;
  private final WriteMetrics metrics;

  ServerWire(
      TableName table,
      RowSender sender,
      ServerForwards forwards,
      long mostBytes,
      WriteMetrics metrics,
      SampleLog log) {
    this.table = table;
    this.sender = sender;
    this.forwards = forwards;
    this.locations = new LocationRefresher(forwards, table, log);
    this.mostBytes = mostBytes;
    this.memstore = GlobalMemstore.of(sender.regions());
    this.metrics = metrics;
  }

  @Override
  public CompletableFuture<HRegionLocation> locate(byte[] row, boolean anew) {
    return forwards
        .connection()
        .thenCompose(connection -> connection.getRegionLocator(table).getRegionLocation(row, anew));
  }

  @Override
  public Region here(HRegionLocation location) {
    return sender.here(location);
  }

  @Override
  public CompletableFuture<Result> get(Get get, long millis) {
    return forwards
        .connection()
        .thenCompose(connection -> ClientCarrier.open(connection, table, millis).get(get));
  }

  @Override
  public Throwable reasonOf(Throwable error) {
    return Failures.reasonOf(error);
  }

  @Override
  public void refresh(List<byte[]> rows) {
    locations.refresh(rows);
  }

  @Override
  public Silence silence() {
    return forwards.silence();
  }

  @Override
  public String obstacle() {
    return forwards.hasRoom(mostBytes)
        ? memstore.obstacle()
        : "Too much is being moved by this server.";
  }

  @Override
  public void hold(long more) {
    if (more != 0) {
      forwards.give(-more);
      metrics.forwardBytes(more);
    }
  }
}
