package io.rowguard.master;

import io.rowguard.config.Mode;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.LayoutBoundaries;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
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
 * <p>It is a core coprocessor, as HBase's own for quotas, because that is how a coprocessor gets at
 * descriptors and region states in the master's memory. To ask for them by RPC in a procedure's
 * thread would take a handler of the same master, which may be waiting for that very procedure.
 */
@CoreCoprocessor
public final class LayoutMasterObserver implements MasterCoprocessor, MasterObserver {
  private static final Logger LOG = LoggerFactory.getLogger(LayoutMasterObserver.class);

  private final ForcedTables windows = new ForcedTables(System::nanoTime);
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
    } catch (RuntimeException | LinkageError e) {
      master = null;
      LOG.error("The master observer cannot work with this HBase, so it checks nothing.", e);
    }
  }

  @Override
  public TableDescriptor preCreateTableRegionsInfos(
      ObserverContext<MasterCoprocessorEnvironment> ctx, TableDescriptor table) {
    return ForceReason.removeFrom(table);
  }

  @Override
  public void preCreateTable(
      ObserverContext<MasterCoprocessorEnvironment> ctx,
      TableDescriptor table,
      RegionInfo[] regions)
      throws IOException {
    check(
        ctx,
        table.getTableName(),
        () -> ForceReason.ofRequest(null),
        Enforcer.Hatch.SAME_COMMAND,
        () -> DescriptorCheck.created(table, conf, MasterState.splitKeys(Arrays.asList(regions))));
  }

  @Override
  public TableDescriptor preModifyTable(
      ObserverContext<MasterCoprocessorEnvironment> ctx,
      TableName name,
      TableDescriptor current,
      TableDescriptor changed)
      throws IOException {
    if (current != null) {
      check(
          ctx,
          name,
          () -> {
            String own = ForceReason.of(current, changed);
            return own != null ? own : windows.reason(name);
          },
          Enforcer.Hatch.SAME_COMMAND,
          () ->
              DescriptorCheck.altered(
                  current, changed, conf, () -> master.splitKeys(name), () -> data(name)));
    }
    return ForceReason.removeFrom(changed);
  }

  /** Only here is it certain that the user may alter the table. */
  @Override
  public void postModifyTable(
      ObserverContext<MasterCoprocessorEnvironment> ctx,
      TableName name,
      TableDescriptor old,
      TableDescriptor changed) {
    try {
      String reason = ForceReason.ofRequest(old);
      if (reason != null && old != null && ForceReason.removeFrom(old).equals(changed)) {
        windows.open(name, reason);
        LOG.warn(
            "The table is open to what would be refused. table={} minutes={} reason={} user={}",
            name,
            ForcedTables.MINUTES,
            MessageText.text(reason),
            user(ctx));
      }
    } catch (RuntimeException | LinkageError e) {
      failed(name, e);
    }
  }

  @Override
  public void postDeleteTable(ObserverContext<MasterCoprocessorEnvironment> ctx, TableName name) {
    windows.close(name);
  }

  @Override
  public void preSplitRegion(
      ObserverContext<MasterCoprocessorEnvironment> ctx, TableName name, byte[] key)
      throws IOException {
    checkWindow(
        ctx,
        name,
        table -> {
          TableConfig config = TableConfig.of(table, conf);
          if (config.isWrong()) {
            return single(DescriptorCheck.unsplittable(config, name));
          }
          return config.hasLayout() && key != null && key.length > 0
              ? inMode(
                  config,
                  split(config, name, key).asChosen(MessageText.where(name, Rule.SPLIT_ILLEGAL)))
              : Collections.emptyList();
        });
  }

  @Override
  public void preSplitRegionAction(
      ObserverContext<MasterCoprocessorEnvironment> ctx, TableName name, byte[] key)
      throws IOException {
    checkWindow(
        ctx,
        name,
        table -> {
          TableConfig config = TableConfig.of(table, conf);
          return config.hasLayout()
              ? inMode(
                  config,
                  split(config, name, key).asAny(MessageText.where(name, Rule.SPLIT_CUTS_GROUP)))
              : Collections.emptyList();
        });
  }

  @Override
  public void preMergeRegionsAction(
      ObserverContext<MasterCoprocessorEnvironment> ctx, RegionInfo[] regions) {
    TableName name = regions[0].getTable();
    warn(
        ctx,
        name,
        table -> {
          TableConfig config = TableConfig.of(table, conf);
          return config.hasLayout()
              ? inMode(config, MergeCheck.of(name, LayoutBoundaries.of(config.group()), regions))
              : Collections.emptyList();
        });
  }

  @Override
  public void preTruncateTable(ObserverContext<MasterCoprocessorEnvironment> ctx, TableName name) {
    warn(
        ctx,
        name,
        table -> {
          TableConfig config = TableConfig.of(table, conf);
          int regions = master.splitKeys(name).size() + 1;
          return config.hasLayout() && regions > 1 && losesSplits()
              ? inMode(config, DescriptorCheck.truncated(name, regions))
              : Collections.emptyList();
        });
  }

  @Override
  public void preCloneSnapshot(
      ObserverContext<MasterCoprocessorEnvironment> ctx,
      SnapshotDescription snapshot,
      TableDescriptor table) {
    run(ctx, table.getTableName(), () -> DescriptorCheck.cloned(table, conf));
  }

  @Override
  public void preRestoreSnapshot(
      ObserverContext<MasterCoprocessorEnvironment> ctx,
      SnapshotDescription snapshot,
      TableDescriptor restored)
      throws IOException {
    checkWindow(
        ctx,
        restored.getTableName(),
        current -> single(new RestoreCheck(current, restored, conf).finding(snapshot.getName())));
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

  private SplitPointCheck split(TableConfig config, TableName name, byte[] key) {
    return new SplitPointCheck(LayoutBoundaries.of(config.group()), master.region(name, key), key);
  }

  /** What to do about a finding in the mode that the table is in. */
  private static List<RuleViolation> inMode(TableConfig config, RuleViolation finding) {
    if (finding == null || config.mode() == Mode.OFF) {
      return Collections.emptyList();
    }
    return single(config.mode() == Mode.WARN ? finding.asWarning() : finding);
  }

  private static List<RuleViolation> single(RuleViolation finding) {
    return finding == null ? Collections.emptyList() : Collections.singletonList(finding);
  }

  private static String user(ObserverContext<MasterCoprocessorEnvironment> ctx) {
    return ctx.getCaller().map(User::getShortName).orElse("the master");
  }

  /** Finds what is wrong with an operation. */
  private interface Check {
    List<RuleViolation> findings() throws IOException;
  }

  /** Finds what is wrong with an operation on a table that exists. */
  private interface TableCheck {
    List<RuleViolation> findings(TableDescriptor table) throws IOException;
  }

  /** For operations that carry no descriptor: the table's is asked for, and its open window. */
  private void checkWindow(
      ObserverContext<MasterCoprocessorEnvironment> ctx, TableName name, TableCheck check)
      throws IOException {
    check(ctx, name, () -> windows.reason(name), Enforcer.Hatch.WINDOW, ofTable(name, check));
  }

  /** For operations that are never refused: what is found only warns. */
  private void warn(
      ObserverContext<MasterCoprocessorEnvironment> ctx, TableName name, TableCheck check) {
    run(ctx, name, ofTable(name, check));
  }

  private Check ofTable(TableName name, TableCheck check) {
    return () -> {
      TableDescriptor table = master.descriptor(name);
      return table == null ? Collections.emptyList() : check.findings(table);
    };
  }

  private void run(ObserverContext<MasterCoprocessorEnvironment> ctx, TableName name, Check check) {
    if (isExempt(name)) {
      return;
    }
    try {
      enforcer.warn(check.findings(), user(ctx));
    } catch (IOException | RuntimeException | LinkageError e) {
      failed(name, e);
    }
  }

  /**
   * Runs a check and acts on it. An error of the check itself refuses the operation, unless it is
   * forced: that can be repeated, a wrong table or split cannot be taken back. As an IOException,
   * since HBase aborts the master on any other.
   */
  private void check(
      ObserverContext<MasterCoprocessorEnvironment> ctx,
      TableName name,
      Supplier<String> given,
      Enforcer.Hatch hatch,
      Check check)
      throws IOException {
    if (isExempt(name)) {
      return;
    }
    String reason = null;
    try {
      reason = given.get();
      enforcer.enforce(check.findings(), name, reason, user(ctx), hatch);
    } catch (RuntimeException | LinkageError e) {
      failed(name, e);
      if (reason == null) {
        throw new DoNotRetryIOException(
            "The check of this operation failed, so it is refused. table="
                + name
                + " error="
                + e
                + ". To do it all the same, "
                + hatch.words(name),
            e);
      }
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
