package io.rowguard.observer;

import io.rowguard.testing.Eventually;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.util.Pair;

/**
 * A coprocessor that stops one server in the middle of an operation: the thread that comes to the
 * hook waits there until its server has been killed, and then goes no further.
 */
public final class Tripwire implements RegionCoprocessor, RegionObserver {
  /** Where it is stretched. */
  enum Hook {
    /** Checked by the observer, not in the write-ahead log yet. */
    BEFORE_BATCH,
    /** In the write-ahead log, the client not answered yet. */
    AFTER_BATCH,
    SCANNER_NEXT,
    FLUSH,
    COMPACTION,
    OPEN,
    CLOSE,
    BULK_LOAD
  }

  private static volatile Wire wire;

  /** For HBase. */
  public Tripwire() {}

  /** One that is stretched on a server. */
  static final class Wire implements AutoCloseable {
    private final Hook hook;
    private final ServerName server;
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch killed = new CountDownLatch(1);

    private Wire(Hook hook, ServerName server) {
      this.hook = hook;
      this.server = server;
    }

    /** Waits until an operation has come to the hook. */
    void awaitOperation() throws Exception {
      Eventually.isTrue(hook + " on " + server, () -> arrived.getCount() == 0);
    }

    /** The server is dead: no thread is held up any more, and those that were go no further. */
    void release() {
      wire = null;
      killed.countDown();
    }

    @Override
    public void close() {
      release();
    }
  }

  /** Stretches it on a server, for the first operation that comes to the hook and all after it. */
  static Wire stretch(Hook hook, ServerName server) {
    wire = new Wire(hook, server);
    return wire;
  }

  private static void pass(Hook hook, ObserverContext<RegionCoprocessorEnvironment> context)
      throws IOException {
    Wire stretched = wire;
    if (stretched != null
        && stretched.hook == hook
        && stretched.server.equals(context.getEnvironment().getServerName())) {
      stretched.arrived.countDown();
      awaitKilled(stretched);
      throw new IOException("The server is dead. hook=" + hook);
    }
  }

  private static void awaitKilled(Wire stretched) {
    boolean interrupted = false;
    while (stretched.killed.getCount() > 0) {
      try {
        stretched.killed.await();
      } catch (InterruptedException e) {
        interrupted = true; // a dead thread does not react to that either
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
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
    pass(Hook.BEFORE_BATCH, context);
  }

  @Override
  public void postBatchMutateIndispensably(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch,
      boolean success)
      throws IOException {
    pass(Hook.AFTER_BATCH, context);
  }

  @Override
  public boolean preScannerNext(
      ObserverContext<RegionCoprocessorEnvironment> context,
      InternalScanner scanner,
      List<Result> results,
      int limit,
      boolean hasNext)
      throws IOException {
    pass(Hook.SCANNER_NEXT, context);
    return hasNext;
  }

  @Override
  public InternalScanner preFlush(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Store store,
      InternalScanner scanner,
      FlushLifeCycleTracker tracker)
      throws IOException {
    pass(Hook.FLUSH, context);
    return scanner;
  }

  @Override
  public InternalScanner preCompact(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Store store,
      InternalScanner scanner,
      ScanType scanType,
      CompactionLifeCycleTracker tracker,
      CompactionRequest request)
      throws IOException {
    pass(Hook.COMPACTION, context);
    return scanner;
  }

  @Override
  public void preOpen(ObserverContext<RegionCoprocessorEnvironment> context) throws IOException {
    pass(Hook.OPEN, context);
  }

  @Override
  public void preClose(
      ObserverContext<RegionCoprocessorEnvironment> context, boolean abortRequested)
      throws IOException {
    pass(Hook.CLOSE, context);
  }

  @Override
  public void preBulkLoadHFile(
      ObserverContext<RegionCoprocessorEnvironment> context, List<Pair<byte[], String>> familyPaths)
      throws IOException {
    pass(Hook.BULK_LOAD, context);
  }
}
