package io.rowguard.master;

import io.rowguard.config.Mode;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.LayoutBoundaries;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.CoreCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.TruncateTableRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses tables, changes of tables, and splits that contradict the layout that the table declares.
 * Thread-safe.
 *
 * <p>Enable it in {@code hbase-site.xml} of the masters: {@code hbase.coprocessor.master.classes} =
 * {@code io.rowguard.master.LayoutMasterObserver}. HBase's own tables and tables without {@code
 * rowguard.*} keys are untouched.
 *
 * <p>In mode {@code warn} only a wrong configuration is refused, all else goes into the log; in
 * mode {@code off} nothing else is looked at. What is refused can be done all the same with a
 * reason in {@code rowguard.force}.
 *
 * <p>Every hook goes through {@link #check} or {@link #attempt}, so that nothing but an IOException
 * leaves it: HBase aborts the master on any other.
 *
 * <p>It is a core coprocessor, as HBase's own for quotas, because that is how a coprocessor gets at
 * descriptors and region states in the master's memory. To ask for them by RPC in a procedure's
 * thread would take a handler of the same master, which may be waiting for that very procedure.
 */
@CoreCoprocessor
public final class LayoutMasterObserver implements MasterCoprocessor, MasterObserver {
  private static final Logger LOG = LoggerFactory.getLogger(LayoutMasterObserver.class);

  private final ForcedTables forcedTables = new ForcedTables(System::nanoTime);
  private Configuration conf;
  private MasterState master;
  private StoredData data;
  private MasterMetrics metrics;
  private Enforcer enforcer;

  /** For HBase, which makes one instance per master. */
  public LayoutMasterObserver() {}

  @Override
  public Optional<MasterObserver> getMasterObserver() {
    return Optional.of(this);
  }

  /** Never throws: HBase would abort the master. */
  @Override
  @SuppressWarnings({
    "rawtypes", // the interface has it so
    "deprecation" // HasMasterServices: HBase has no other way, see above
  })
  public void start(CoprocessorEnvironment env) {
    try {
      MasterCoprocessorEnvironment environment = (MasterCoprocessorEnvironment) env;
      conf = env.getConfiguration();
      metrics = new MasterMetrics(environment.getMetricRegistryForMaster());
      enforcer = new Enforcer(metrics);
      data = new StoredData(conf, environment.getConnection());
      master =
          new MasterState(
              ((org.apache.hadoop.hbase.coprocessor.HasMasterServices) env).getMasterServices());
    } catch (RuntimeException | Error e) {
      master = null;
      LOG.error("The master observer cannot work with this HBase, so it checks nothing.", e);
    }
  }

  @Override
  public TableDescriptor preCreateTableRegionsInfos(
      ObserverContext<MasterCoprocessorEnvironment> ctx, TableDescriptor table) {
    return withoutForce(table);
  }

  @Override
  public void preCreateTable(
      ObserverContext<MasterCoprocessorEnvironment> ctx,
      TableDescriptor table,
      RegionInfo[] regions)
      throws IOException {
    check(
        ctx,
        () -> table.getTableName(),
        name -> ForceReason.ofRequest(null),
        Enforcer.WayPast.SAME_COMMAND,
        name ->
            DescriptorCheck.created(table, conf, MasterState.splitKeys(Arrays.asList(regions))));
  }

  @Override
  public TableDescriptor preModifyTable(
      ObserverContext<MasterCoprocessorEnvironment> ctx,
      TableName table,
      TableDescriptor current,
      TableDescriptor changed)
      throws IOException {
    if (current != null) {
      check(
          ctx,
          () -> table,
          name -> {
            String own = ForceReason.of(current, changed);
            return own != null ? own : forcedTables.reason(name);
          },
          Enforcer.WayPast.SAME_COMMAND,
          name ->
              DescriptorCheck.altered(
                  current, changed, conf, () -> master.splitKeys(name), () -> data(name)));
    }
    return withoutForce(changed);
  }

  /** Only here is it certain that the user may alter the table. */
  @Override
  public void postModifyTable(
      ObserverContext<MasterCoprocessorEnvironment> ctx,
      TableName table,
      TableDescriptor old,
      TableDescriptor changed) {
    attempt(
        () -> table,
        name -> {
          String reason = ForceReason.ofRequest(old);
          if (reason != null && old != null && ForceReason.removeFrom(old).equals(changed)) {
            forcedTables.open(name, reason);
            LOG.warn(
                "The table is open to what would be refused. table={} minutes={} reason={} user={}",
                name,
                ForcedTables.MINUTES,
                MessageText.text(reason),
                user(ctx));
          }
        });
  }

  @Override
  public void postDeleteTable(ObserverContext<MasterCoprocessorEnvironment> ctx, TableName table) {
    attempt(() -> table, forcedTables::close);
  }

  @Override
  public void preSplitRegion(
      ObserverContext<MasterCoprocessorEnvironment> ctx, TableName table, byte[] key)
      throws IOException {
    check(
        ctx,
        () -> table,
        (name, descriptor) -> {
          TableConfig config = TableConfig.of(descriptor, conf);
          if (config.isWrong()) {
            return DescriptorCheck.unsplittable(config, name);
          }
          return key == null || key.length == 0
              ? null
              : inMode(config, boundaries -> split(name, boundaries, key).asChosen());
        });
  }

  @Override
  public void preSplitRegionAction(
      ObserverContext<MasterCoprocessorEnvironment> ctx, TableName table, byte[] key)
      throws IOException {
    check(
        ctx,
        () -> table,
        (name, descriptor) ->
            inMode(
                TableConfig.of(descriptor, conf),
                boundaries -> split(name, boundaries, key).asAny()));
  }

  @Override
  public void preMergeRegionsAction(
      ObserverContext<MasterCoprocessorEnvironment> ctx, RegionInfo[] regions) {
    warn(
        ctx,
        () -> regions[0].getTable(),
        (name, descriptor) ->
            inMode(
                TableConfig.of(descriptor, conf),
                boundaries -> MergeCheck.of(name, boundaries, regions)));
  }

  @Override
  public void preTruncateTable(ObserverContext<MasterCoprocessorEnvironment> ctx, TableName table) {
    warn(
        ctx,
        () -> table,
        (name, descriptor) ->
            inMode(
                TableConfig.of(descriptor, conf),
                boundaries -> {
                  int regions = master.splitKeys(name).size() + 1;
                  return regions > 1 && losesSplits()
                      ? DescriptorCheck.truncated(name, regions)
                      : null;
                }));
  }

  @Override
  public void preCloneSnapshot(
      ObserverContext<MasterCoprocessorEnvironment> ctx,
      SnapshotDescription snapshot,
      TableDescriptor table) {
    warn(ctx, () -> table.getTableName(), name -> DescriptorCheck.cloned(table, conf));
  }

  @Override
  public void preRestoreSnapshot(
      ObserverContext<MasterCoprocessorEnvironment> ctx,
      SnapshotDescription snapshot,
      TableDescriptor restored)
      throws IOException {
    check(
        ctx,
        () -> restored.getTableName(),
        (name, current) -> new RestoreCheck(current, restored, conf).violation(snapshot.getName()));
  }

  /** Whether the truncation that this thread is asked for leaves one region. */
  private static boolean losesSplits() {
    Message request = RpcServer.getCurrentCall().map(RpcCall::getParam).orElse(null);
    return request instanceof TruncateTableRequest
        && !((TruncateTableRequest) request).getPreserveSplits();
  }

  private String data(TableName name) {
    return data.find(name, master.isDisabled(name), master.areRegionsOpen(name));
  }

  private SplitPointCheck split(TableName name, LayoutBoundaries boundaries, byte[] key) {
    return new SplitPointCheck(name, boundaries, () -> master.region(name, key), key);
  }

  /** What a table with a layout violates, as severe as the mode that it is in; null for nothing. */
  private static RuleViolation inMode(
      TableConfig config, Function<LayoutBoundaries, RuleViolation> check) {
    if (!config.hasLayout() || config.mode() == Mode.OFF) {
      return null;
    }
    RuleViolation violation = check.apply(LayoutBoundaries.of(config.group()));
    return violation != null && config.mode() == Mode.WARN ? violation.asWarning() : violation;
  }

  private static String user(ObserverContext<MasterCoprocessorEnvironment> ctx) {
    return ctx.getCaller().map(User::getShortName).orElse("the master");
  }

  /** Finds what is wrong with an operation. */
  private interface Check {
    List<RuleViolation> violations(TableName table) throws IOException;
  }

  /** Finds what is wrong with an operation on a table that exists; null when nothing is. */
  private interface TableCheck {
    RuleViolation violation(TableName table, TableDescriptor descriptor);
  }

  private Check ofTable(TableCheck check) {
    return name -> {
      TableDescriptor descriptor = master.descriptor(name);
      RuleViolation violation = descriptor == null ? null : check.violation(name, descriptor);
      return violation == null ? Collections.emptyList() : Collections.singletonList(violation);
    };
  }

  /** For operations that carry no descriptor: the table's is asked for, and whether it is open. */
  private void check(
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
  private void check(
      ObserverContext<MasterCoprocessorEnvironment> ctx,
      Supplier<TableName> table,
      Function<TableName, String> force,
      Enforcer.WayPast way,
      Check check)
      throws IOException {
    TableName name = null;
    String reason = null;
    DoNotRetryIOException refusal;
    try {
      name = table.get();
      if (isExempt(name)) {
        return;
      }
      reason = force.apply(name);
      refusal = enforcer.refusal(check.violations(name), name, reason, user(ctx), way);
    } catch (IOException | RuntimeException | Error e) {
      failed(name, e);
      refusal = reason == null ? Enforcer.failedCheck(name, e, way) : null;
    }
    if (refusal != null) {
      throw refusal;
    }
  }

  /** For operations that are never refused: what is found only warns. */
  private void warn(
      ObserverContext<MasterCoprocessorEnvironment> ctx,
      Supplier<TableName> table,
      TableCheck check) {
    warn(ctx, table, ofTable(check));
  }

  private void warn(
      ObserverContext<MasterCoprocessorEnvironment> ctx, Supplier<TableName> table, Check check) {
    attempt(
        table,
        name -> {
          if (!isExempt(name)) {
            enforcer.warn(check.violations(name), user(ctx));
          }
        });
  }

  /** What is stored of a descriptor; all of it where the reason cannot be taken out. */
  private TableDescriptor withoutForce(TableDescriptor table) {
    AtomicReference<TableDescriptor> stored = new AtomicReference<>(table);
    attempt(() -> table.getTableName(), name -> stored.set(ForceReason.removeFrom(table)));
    return stored.get();
  }

  /** What a hook does that refuses nothing. */
  private interface Action {
    void run(TableName table) throws IOException;
  }

  /** Does what never stops an operation: a failure is counted and logged. */
  private void attempt(Supplier<TableName> table, Action action) {
    TableName name = null;
    try {
      name = table.get();
      action.run(name);
    } catch (IOException | RuntimeException | Error e) {
      failed(name, e);
    }
  }

  private boolean isExempt(TableName name) {
    return master == null || name.isSystemTable();
  }

  private void failed(TableName name, Throwable e) {
    if (metrics != null) { // which start() may not have reached
      metrics.failed();
    }
    LOG.error("A check failed. table={}", name, e);
  }
}
