package io.rowguard.observer;

import io.rowguard.config.LayoutStamp;
import io.rowguard.observer.decide.DecidedStatus;
import io.rowguard.observer.decide.WriteCheck;
import io.rowguard.observer.relayout.RelayoutEndpoint;
import io.rowguard.observer.request.RegionFeature;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.coprocessor.EndpointObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;

/**
 * Refuses writes whose row does not fit the table's layout. Thread-safe.
 *
 * <p>Enable it per table, {@code 'COPROCESSOR$1' =>
 * '|io.rowguard.observer.LayoutRegionObserver|1001|'}, or for all tables through {@code
 * hbase.coprocessor.user.region.classes}. Tables that declare nothing of Rowguard are untouched, as
 * are HBase's own.
 *
 * <p>Every Put, Delete, Append, Increment, RowMutations and checkAndMutate passes through {@link
 * #preBatchMutate}; replay of the write-ahead log and compaction do not. In a batch only the rows
 * that do not fit fail; what is atomic fails whole (see {@link
 * io.rowguard.observer.request.BatchKind}).
 *
 * <p>Configuration is read when the region opens; an {@code alter} reopens the regions. Wrong
 * configuration lets the region open and be read, and refuses every write with the reason.
 *
 * <p>Nothing but an IOException leaves a hook: what a hook does stands in {@link RegionHooks}, and
 * whatever that throws goes through {@link HookGuard}. The whole of each hook is inside the {@code
 * try}: on a release of HBase that lacks a method, its first call is what fails.
 */
public final class LayoutRegionObserver extends FirstHooks implements RegionCoprocessor {
  private final HookGuard guard = new HookGuard();
  private final EndpointHook endpointHook = new EndpointHook(guard, this::hooks);

  /** Null where there is nothing to guard, or another instance guards it. */
  private volatile RegionHooks hooks;

  private volatile RegionClaim claim;

  /** Whether it is this instance that guards the region, if any. */
  private volatile boolean claimed;

  /** Creates an instance, as HBase does per region. */
  public LayoutRegionObserver() {}

  @Override
  public Optional<RegionObserver> getRegionObserver() {
    return Optional.of(this);
  }

  @Override
  public Optional<EndpointObserver> getEndpointObserver() {
    return Optional.of(endpointHook);
  }

  /** The hooks' work; null where there is nothing to guard, or another instance guards it. */
  RegionHooks hooks() {
    return hooks;
  }

  /** Replaces the hooks; for tests. */
  void setHooks(RegionHooks others) {
    hooks = others;
  }

  @Override
  @SuppressWarnings("rawtypes") // HBase's own signature
  public void start(CoprocessorEnvironment environment) {
    RegionCoprocessorEnvironment env = (RegionCoprocessorEnvironment) environment;
    try {
      if (((HRegion) env.getRegion()).isClosed()) {
        return; // HBase 2.6.5 to 2.6.7 loads coprocessors anew in regions that have gone, too
      }
      RegionClaim own = new RegionClaim(env, this);
      claim = own;
      claimed = own.take();
      if (claimed) {
        hooks = hooks(own.former(), env);
      }
    } catch (Throwable e) {
      guard.startFailed(env, e);
    }
  }

  /** Those of the instance before, which know of requests under way; else new ones. */
  private RegionHooks hooks(LayoutRegionObserver former, RegionCoprocessorEnvironment env) {
    RegionHooks known = former == null ? null : former.hooks;
    if (known == null) {
      return RegionSetup.open(env, guard);
    }
    guard.succeed(former.guard);
    return known;
  }

  @Override
  @SuppressWarnings("rawtypes") // HBase's own signature
  public void stop(CoprocessorEnvironment environment) {
    try {
      RegionClaim own = claim;
      if (own != null) {
        own.release();
      }
      RegionHooks last = hooks;
      if (last != null) {
        last.close();
      }
    } catch (Throwable e) {
      guard.passOver("stop", e);
    }
  }

  @Override
  void before(String hook, Mutation mutation) throws IOException {
    try {
      RegionHooks own = hooks;
      if (own != null) {
        own.before(mutation);
      } else {
        LayoutStamp.free(mutation); // another instance may guard the region, and ask for it
      }
    } catch (Throwable e) {
      throw guard.refusal(hook, e);
    }
  }

  @Override
  public void preBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch)
      throws IOException {
    try {
      guard.requireStarted();
      RegionHooks own = hooks;
      if (own != null) {
        own.preBatchMutate(batch);
      }
    } catch (Throwable e) {
      throw guard.refusal("preBatchMutate", e);
    }
  }

  /**
   * Judges added rows, and keeps moved ones here: the last hook before a batch is stored, after all
   * that may add rows to it.
   */
  @Override
  public void preWALAppend(
      ObserverContext<RegionCoprocessorEnvironment> context, WALKey key, WALEdit edit)
      throws IOException {
    try {
      RegionHooks own = hooks;
      if (own != null) {
        own.preWALAppend(key);
      }
    } catch (Throwable e) {
      throw guard.refusal("preWALAppend", e);
    }
  }

  /** Counts what other coprocessors have added. It is stored by now, so nothing is refused. */
  @Override
  public void postBatchMutate(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch) {
    try {
      RegionHooks own = hooks;
      if (own != null) {
        own.postBatchMutate(batch);
      }
    } catch (Throwable e) {
      guard.passOver("postBatchMutate", e);
    }
  }

  /**
   * Never leaves a row of its own without a final status where statuses are read: it would be taken
   * for stored. Also where there is nothing to guard any more: HBase may have loaded its
   * coprocessors anew since another instance judged the batch.
   */
  @Override
  public void postBatchMutateIndispensably(
      ObserverContext<RegionCoprocessorEnvironment> context,
      MiniBatchOperationInProgress<Mutation> batch,
      boolean success)
      throws IOException {
    try {
      if (success) {
        guard.requireStarted(); // else an instance judged it that HBase has replaced since
      }
      RegionHooks own = hooks;
      if (own != null) {
        own.postBatchMutateIndispensably(batch, success);
      } else if (claimed && DecidedStatus.conclude(batch) && success) {
        throw new IllegalStateException("There is nothing to forward bare rows with any more.");
      }
    } catch (Throwable e) {
      guard.failRest(batch, context, "postBatchMutateIndispensably", e);
    }
  }

  /**
   * Refuses before the condition is evaluated: a row that can never be written would otherwise
   * answer "condition not met", which a client takes for a fact about the row.
   */
  @Override
  public CheckAndMutateResult preCheckAndMutate(
      ObserverContext<RegionCoprocessorEnvironment> context,
      CheckAndMutate checkAndMutate,
      CheckAndMutateResult result)
      throws IOException {
    try {
      guard.requireStarted();
      RegionHooks own = hooks;
      if (own != null) {
        own.preCheckAndMutate(checkAndMutate);
      } else {
        WriteCheck.mutations(checkAndMutate).forEach(LayoutStamp::free);
      }
      return result;
    } catch (Throwable e) {
      throw guard.refusal("preCheckAndMutate", e);
    }
  }

  /**
   * Checks conditional writes of other coprocessors, which come past {@link #preCheckAndMutate}.
   */
  @Override
  public CheckAndMutateResult preCheckAndMutateAfterRowLock(
      ObserverContext<RegionCoprocessorEnvironment> context,
      CheckAndMutate checkAndMutate,
      CheckAndMutateResult result)
      throws IOException {
    try {
      RegionHooks own = hooks;
      if (own != null) {
        own.preCheckAndMutateAfterRowLock(checkAndMutate);
      }
      return result;
    } catch (Throwable e) {
      throw guard.refusal("preCheckAndMutateAfterRowLock", e);
    }
  }

  /**
   * Leaves the timestamp of a bare row's "delete the latest version" open: HBase would look for
   * that version here, where the row never is. A failure refuses the Delete, which would else be
   * forwarded with a timestamp that deletes nothing. HBase's visibility labels have set one where
   * they are called before this ({@code VisibilityController}).
   */
  @Override
  @SuppressWarnings("deprecation") // deprecated for users; HBase has no other place to ask
  public void prePrepareTimeStampForDeleteVersion(
      ObserverContext<RegionCoprocessorEnvironment> context,
      Mutation mutation,
      Cell cell,
      byte[] now,
      Get get)
      throws IOException {
    try {
      RegionHooks own = hooks;
      if (own != null && own.isElsewhere(mutation)) {
        ((ExtendedCell) cell).setTimestamp(HConstants.LATEST_TIMESTAMP);
        context.bypass();
      }
    } catch (Throwable e) {
      throw guard.refusal("prePrepareTimeStampForDeleteVersion", e);
    }
  }

  /**
   * Answers a question about a change of the table's layout, which travels as a Get; every other
   * Get goes its way. Where another instance guards the region, that one answers.
   */
  @Override
  public void preGetOp(
      ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> results)
      throws IOException {
    try {
      RegionHooks own = hooks;
      Cell answer = null;
      if (own != null) {
        answer = own.preGetOp(get);
      } else if (claimed) {
        RelayoutEndpoint.refuse(get);
      }
      if (answer != null) {
        results.add(answer);
        context.bypass();
      }
    } catch (Throwable e) {
      throw guard.unanswered("preGetOp", e);
    }
  }

  /**
   * Answers a Get of a bare key, also one that asks for existence only, with the cells of its
   * salted row. Only when the Get has been carried out here: by then HBase's access control has
   * agreed to it, in whatever order coprocessors are called.
   *
   * <p>Where it cannot be found out whether the key is bare, the Get's own result stands, unless it
   * is empty in salt mode; where the salted row cannot be read there is none, since an empty one
   * would be a lie.
   */
  @Override
  public void postGetOp(
      ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> results)
      throws IOException {
    RegionHooks own = hooks;
    RegionFeature bare = null;
    try {
      if (results.isEmpty()) {
        guard.requireReadable(get);
      }
    } catch (Throwable e) {
      throw guard.unread("postGetOp", e);
    }
    try {
      bare = own == null ? null : own.withCells(get);
      if (own != null && bare == null) {
        own.read(get);
      }
    } catch (Throwable e) {
      guard.passOver("postGetOp", e);
    }
    if (bare == null) {
      return;
    }
    try {
      List<Cell> cells = own.cells(bare, get);
      results.clear();
      results.addAll(cells);
    } catch (Throwable e) {
      throw guard.unread("postGetOp", e);
    }
  }

  /** Refuses a scan that could only find nothing. */
  @Override
  public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Scan scan)
      throws IOException {
    try {
      RegionHooks own = hooks;
      if (own != null) {
        own.preScannerOpen(scan);
      }
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      guard.passOver("preScannerOpen", e);
    }
  }

  /** Counts the rows that a scan gives. */
  @Override
  public boolean postScannerNext(
      ObserverContext<RegionCoprocessorEnvironment> context,
      InternalScanner scanner,
      List<Result> results,
      int limit,
      boolean hasNext) {
    try {
      RegionHooks own = hooks;
      if (own != null) {
        own.scanned(results);
      }
    } catch (Throwable e) {
      guard.passOver("postScannerNext", e);
    }
    return hasNext;
  }

  /**
   * Refuses HFiles that hold rows which do not fit, before HBase moves them. Reads the files with
   * the rights of the user who loads them, and holds no lock meanwhile.
   */
  @Override
  public void preBulkLoadHFile(
      ObserverContext<RegionCoprocessorEnvironment> context, List<Pair<byte[], String>> familyPaths)
      throws IOException {
    try {
      guard.requireStarted();
      RegionHooks own = hooks;
      if (own != null) {
        own.preBulkLoadHFile(familyPaths, context.getEnvironment().getConfiguration());
      }
    } catch (Throwable e) {
      throw guard.refusal("preBulkLoadHFile", e);
    }
  }
}
