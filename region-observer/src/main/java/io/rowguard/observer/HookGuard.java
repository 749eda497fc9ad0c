package io.rowguard.observer;

import io.rowguard.config.LayoutStamp;
import io.rowguard.config.Mode;
import io.rowguard.config.RowguardKey;
import io.rowguard.layout.FailureText;
import io.rowguard.observer.decide.DecidedStatus;
import io.rowguard.observer.decide.Refusal;
import io.rowguard.observer.metrics.SampleLog;
import io.rowguard.observer.metrics.WriteMetrics;
import io.rowguard.observer.request.BatchKind;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles hooks of one region's observer that fail with anything but an IOException: the write is
 * refused, the read goes on, and the server lives. Thread-safe.
 *
 * <p>HBase aborts a server whose coprocessor throws anything else, and then the next one that the
 * client tries. An OutOfMemoryError is no exception to this: one batch must not bring down one
 * server after the other, and where the heap is really gone HBase finds that by itself.
 *
 * <p>A refusal does not carry what failed as its cause: HBase sends an exception's whole stack
 * trace once per row. The log has it. Nothing here needs what may have failed: counters that are
 * not there are not counted, and where even a message cannot be made there is one without details.
 */
public final class HookGuard {
  private static final Logger LOG = LoggerFactory.getLogger(LayoutRegionObserver.class);

  /**
   * Shared by all tables of the server, and not in the data that HBase shares: that may have
   * failed.
   */
  private static final SampleLog FAILURES = SampleLog.own();

  private static final String WRITE =
      "The region observer failed while it judged a write, so the write is refused.";
  private static final String START =
      "The region observer could not start, so all writes to this region are refused.";
  private static final String UNREADABLE =
      "A Get that finds nothing here may ask for a bare key, which cannot be salted now, so it is"
          + " not answered. ";
  private static final String BARE_READ =
      "The region observer failed while it read the salted row of a bare key, so the Get is not"
          + " answered.";
  private static final String GET =
      "The region observer failed before a Get, so the Get is not answered.";
  private static final String PASSED_OVER =
      "The region observer failed; what it was asked about goes on.";
  private static final String REPORT =
      " Please report this, with the stack trace from the server's log.";
  private static final String OFF =
      " "
          + RowguardKey.MODE.key()
          + "=off lets writes through unchecked (never while the layout changes)";
  private static final String WAY_OUT =
      OFF + ", " + RowguardKey.BULKLOAD.key() + "=off bulk loads." + REPORT;
  private static final String START_WAY_OUT = OFF + "." + REPORT;

  /** The refusal for when there is no memory left for another. */
  private final IOException lastResort = new DoNotRetryIOException(WRITE + WAY_OUT);

  /** Whether the first failure since the region opened is in the log; of the others, samples. */
  private final AtomicBoolean logged = new AtomicBoolean();

  private volatile String table = "unknown";

  /** Null while there are none. */
  private volatile WriteMetrics metrics;

  /** Null unless the observer could not start and writes have to be refused. */
  private volatile String startFailure;

  /** Null unless the table is in salt mode and nothing here can tell its bare keys from rows. */
  private volatile String unreadable;

  /** Names the table for messages. */
  void setTable(TableName name) {
    table = name.getNameAsString();
  }

  /** Goes on for a guard whose instance HBase has replaced. */
  void succeed(HookGuard former) {
    table = former.table;
    metrics = former.metrics;
    unreadable = former.unreadable;
  }

  /** Sets the counters of failures. */
  void setMetrics(WriteMetrics counters) {
    metrics = counters;
  }

  /**
   * The observer could not start: from now on every write is refused, unless the table has nothing
   * to guard or its mode is off.
   */
  void startFailed(RegionCoprocessorEnvironment env, Throwable error) {
    startFailure = START + START_WAY_OUT;
    try {
      if (!isToRefuse(env)) {
        startFailure = null;
        LOG.error(
            "The region observer could not start. Nothing is to be checked here. table={}",
            table,
            error);
        return;
      }
      String message = message(START, "start", START_WAY_OUT, error);
      startFailure = message;
      LOG.error(message, error);
      if (metrics == null) {
        setMetrics(
            new WriteMetrics(env.getMetricRegistryForRegionServer(), TableName.valueOf(table)));
      }
      if (rawMode(env, env.getRegion().getTableDescriptor()).equals(code(Mode.SALT))) {
        cannotSalt(message);
      }
    } catch (Throwable worse) {
      // To refuse takes neither more words nor counters; the latter may be why it did not start.
    }
  }

  /**
   * Whether the region of an observer that could not start has to be guarded: found out without
   * what reads the configuration, which may be what failed. Guarded, if it cannot be found out.
   */
  private boolean isToRefuse(RegionCoprocessorEnvironment env) {
    try {
      TableName name = env.getRegionInfo().getTable();
      setTable(name);
      if (name.isSystemTable()) {
        return false;
      }
      TableDescriptor descriptor = env.getRegion().getTableDescriptor();
      return !rawMode(env, descriptor).equals(code(Mode.OFF)) && isDeclared(env, descriptor);
    } catch (Throwable e) {
      LOG.error("The declaration of a table cannot be read. table={}", table, e);
      return true;
    }
  }

  private static String rawMode(RegionCoprocessorEnvironment env, TableDescriptor descriptor) {
    String own = descriptor.getValue(RowguardKey.MODE.key());
    return (own != null ? own : env.getConfiguration().get(RowguardKey.MODE.key(), "")).trim();
  }

  private static String code(Mode mode) {
    return mode.name().toLowerCase(Locale.ROOT);
  }

  private static boolean isDeclared(RegionCoprocessorEnvironment env, TableDescriptor descriptor) {
    for (Bytes key : descriptor.getValues().keySet()) {
      if (RowguardKey.isOurs(Bytes.toString(key.get(), key.getOffset(), key.getLength()))) {
        return true;
      }
    }
    return env.getConfiguration().get(RowguardKey.LAYOUT.key()) != null;
  }

  /**
   * Refuses a write where the observer could not start; also an edit that arrives by replication,
   * which then waits at its source: what the table says of those may be what could not be read.
   *
   * @throws DoNotRetryIOException with the reason
   */
  void requireStarted() throws DoNotRetryIOException {
    String failure = startFailure;
    if (failure != null) {
      count();
      FAILURES.sample(() -> failure);
      throw new DoNotRetryIOException(failure);
    }
  }

  /**
   * The keys of a table in salt mode cannot be salted: from now on a Get that finds nothing is
   * refused.
   *
   * @param why a sentence, or some
   */
  void cannotSalt(String why) {
    unreadable = UNREADABLE + why;
  }

  /**
   * Refuses a Get that has found nothing where that may be untrue. One with a stamp is of a client
   * that salts by itself, and true.
   *
   * @throws DoNotRetryIOException with the reason
   */
  void requireReadable(Get get) throws DoNotRetryIOException {
    String why = unreadable;
    if (why != null && LayoutStamp.isRaw(get)) {
      FAILURES.sample(() -> why);
      throw new DoNotRetryIOException(why);
    }
  }

  /** The exception for the client of a write whose hook failed; an IOException stays what it is. */
  IOException refusal(String hook, Throwable error) {
    return error instanceof IOException
        ? (IOException) error
        : failure(WRITE, hook, WAY_OUT, error);
  }

  /** The exception for the client of a Get whose salted row could not be read; likewise. */
  IOException unread(String hook, Throwable error) {
    return error instanceof IOException
        ? (IOException) error
        : failure(BARE_READ, hook, REPORT, error);
  }

  /** The exception for the client of a Get that was not let through to the region; likewise. */
  IOException unanswered(String hook, Throwable error) {
    return error instanceof IOException ? (IOException) error : failure(GET, hook, REPORT, error);
  }

  /** Counts and logs a failed hook of something that goes on, such as a read. */
  void passOver(String hook, Throwable error) {
    failure(PASSED_OVER, hook, REPORT, error);
  }

  private IOException failure(String sentence, String hook, String wayOut, Throwable error) {
    IOException failure = lastResort;
    try {
      String message = message(sentence, hook, wayOut, error);
      failure = new DoNotRetryIOException(message);
      log(message, error);
    } catch (Throwable worse) {
      // There are no words for the error; the client gets one all the same.
    }
    count();
    return failure;
  }

  /**
   * Fails what is not final of a batch whose last hook failed: row by row where statuses are read,
   * else the whole batch. A row that was refused keeps its own message.
   *
   * @throws IOException when the statuses would not be read, or the error is one
   */
  void failRest(
      MiniBatchOperationInProgress<Mutation> batch,
      ObserverContext<RegionCoprocessorEnvironment> context,
      String hook,
      Throwable error)
      throws IOException {
    IOException refusal = refusal(hook, error);
    if (error instanceof IOException || !isFailedByRow(batch, context, refusal)) {
      throw refusal;
    }
  }

  private void log(String message, Throwable error) {
    if (logged.compareAndSet(false, true)) {
      LOG.error(message, error);
    } else {
      FAILURES.sample(() -> message, error);
    }
  }

  private static boolean isFailedByRow(
      MiniBatchOperationInProgress<Mutation> batch,
      ObserverContext<RegionCoprocessorEnvironment> context,
      IOException refusal) {
    try {
      if (BatchKind.of(batch, context.getEnvironment().getRegionInfo()) != BatchKind.ROW_BY_ROW) {
        return false;
      }
      DecidedStatus.conclude(batch, Refusal.of(refusal.getMessage()));
      return true;
    } catch (Throwable e) {
      return false; // then the batch fails whole
    }
  }

  private void count() {
    WriteMetrics counters = metrics;
    try {
      if (counters != null) {
        counters.hookFailed();
      }
    } catch (Throwable e) {
      // The counters may be what failed in the first place.
    }
  }

  private String message(String sentence, String hook, String wayOut, Throwable error) {
    return sentence
        + " table="
        + table
        + " hook="
        + hook
        + " error=\""
        + FailureText.abbreviated(error, Refusal.LONGEST_ERROR)
        + "\"."
        + wayOut;
  }
}
