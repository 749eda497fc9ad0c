package io.rowguard.master;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.security.User;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs what a hook has to do, so that nothing but an IOException leaves it: HBase aborts the master
 * on any other. HBase's own tables are exempt. Thread-safe.
 */
final class CheckRunner {
  private static final Logger LOG = LoggerFactory.getLogger(LayoutMasterObserver.class);

  /** Finds what is wrong with an operation. */
  interface Check {
    List<RuleViolation> violations(TableName table) throws IOException;
  }

  /** Finds what is wrong with an operation on a table that exists; null when nothing is. */
  interface TableCheck {
    RuleViolation violation(TableName table, TableDescriptor descriptor);
  }

  /** The work of a hook that refuses nothing. */
  interface Action {
    void run(TableName table) throws IOException;
  }

  private final MasterState master;
  private final ForcedTables forcedTables;
  private final MasterMetrics metrics;
  private final Enforcer enforcer;

  /**
   * @param master null where it cannot be asked: then nothing is checked
   * @param metrics null where there are none
   */
  CheckRunner(MasterState master, ForcedTables forcedTables, MasterMetrics metrics) {
    this.master = master;
    this.forcedTables = forcedTables;
    this.metrics = metrics;
    this.enforcer = new Enforcer(metrics);
  }

  /** For operations that carry no descriptor: the table's is asked for, and whether it is open. */
  void check(
      ObserverContext<MasterCoprocessorEnvironment> ctx,
      Supplier<TableName> table,
      TableCheck check)
      throws IOException {
    check(ctx, table, forcedTables::reason, Enforcer.WayPast.OPEN_TABLE, ofTable(check));
  }

  /**
   * Runs a check and acts on it. An error of the check itself refuses the operation, unless it is
   * forced: that can be repeated, a wrong table or split cannot be taken back.
   */
  void check(
      ObserverContext<MasterCoprocessorEnvironment> ctx,
      Supplier<TableName> table,
      Function<TableName, String> force,
      Enforcer.WayPast way,
      Check check)
      throws IOException {
    TableName name = null;
    String reason = null;
    String user = null;
    DoNotRetryIOException refusal;
    try {
      name = table.get();
      if (isExempt(name)) {
        return;
      }
      user = user(ctx);
      reason = force.apply(name);
      refusal = enforcer.refusal(check.violations(name), name, reason, user, way);
    } catch (IOException | RuntimeException | Error e) {
      failed(name, e);
      if (reason != null) {
        LOG.warn(
            "Let through by force, unchecked. table={} reason={} user={}",
            name,
            MessageText.text(reason),
            user);
      }
      refusal = reason == null ? Enforcer.failedCheck(name, e, way) : null;
    }
    if (refusal != null) {
      throw refusal;
    }
  }

  /** For operations that are never refused: what is found only warns. */
  void warn(
      ObserverContext<MasterCoprocessorEnvironment> ctx,
      Supplier<TableName> table,
      TableCheck check) {
    attempt(
        table,
        name -> {
          if (!isExempt(name)) {
            enforcer.warn(ofTable(check).violations(name), user(ctx));
          }
        });
  }

  /** Does what never stops an operation: a failure is counted and logged. */
  void attempt(Supplier<TableName> table, Action action) {
    TableName name = null;
    try {
      name = table.get();
      action.run(name);
    } catch (IOException | RuntimeException | Error e) {
      failed(name, e);
    }
  }

  /** The user who asks, for the log. */
  static String user(ObserverContext<MasterCoprocessorEnvironment> ctx) {
    return ctx.getCaller().map(User::getShortName).orElse("the master");
  }

  private Check ofTable(TableCheck check) {
    return name -> {
      TableDescriptor descriptor = master.descriptor(name);
      RuleViolation violation = descriptor == null ? null : check.violation(name, descriptor);
      return violation == null ? Collections.emptyList() : Collections.singletonList(violation);
    };
  }

  private boolean isExempt(TableName name) {
    return master == null || name.isSystemTable();
  }

  private void failed(TableName name, Throwable e) {
    if (metrics != null) {
      metrics.failed();
    }
    LOG.error("A check failed. table={}", name, e);
  }
}
