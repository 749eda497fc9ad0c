package io.rowguard.observer;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A coprocessor that holds up the writes and Gets of every region but a table's last one while it
 * is shut: what a client sees of a server that hangs.
 */
public final class Gate implements RegionCoprocessor, RegionObserver {
  private static volatile CountDownLatch gate = new CountDownLatch(0);
  private static volatile CountDownLatch arrived = new CountDownLatch(0);

  /** For HBase. */
  public Gate() {}

  /** Something to open again, whatever happens in between: nothing closes behind a shut gate. */
  public interface Shut extends AutoCloseable {
    void open();

    @Override
    default void close() {
      open();
    }
  }

  public static Shut shut() {
    arrived = new CountDownLatch(1);
    gate = new CountDownLatch(1);
    return Gate::open;
  }

  /** Waits until a write stands at the gate. */
  public static void awaitWrite() throws InterruptedException {
    arrived.await();
  }

  static void open() {
    gate.countDown();
  }

  public static boolean isShut() {
    return gate.getCount() > 0;
  }

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public void preBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch) {
    pass(context);
  }

  @Override
  public void preGetOp(
      ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> results) {
    pass(context);
  }

  private static void pass(ObserverContext<RegionCoprocessorEnvironment> context) {
    boolean last = Bytes.equals(context.getEnvironment().getRegionInfo().getEndKey(), new byte[0]);
    if (!last) {
      arrived.countDown();
      awaitOpen();
    }
  }

  private static void awaitOpen() {
    boolean interrupted = false;
    while (isShut()) {
      try {
        gate.await();
      } catch (InterruptedException e) {
        interrupted = true; // a server that hangs does not react to that either
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
