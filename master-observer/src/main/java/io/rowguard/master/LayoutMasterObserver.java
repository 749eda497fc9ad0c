package io.rowguard.master;

import io.rowguard.config.Merges;
import io.rowguard.config.Mode;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.relayout.PolledRegion;
import io.rowguard.relayout.RegionPoll;
import io.rowguard.relayout.RelayoutRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.HRegionLocation;
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
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.TruncateTableRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.FieldDescriptor;
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
 * mode {@code off} nothing else is looked at. A reason in {@code rowguard.force} lets pass what
 * would be refused.
 *
 * <p>Every hook goes through {@link CheckRunner}, so that nothing but an IOException leaves it:
 * HBase aborts the master on any other.
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
  private RegionPoll poll;
  private BucketStepCheck steps;
  private CheckRunner checks = new CheckRunner(null, forcedTables, null);

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
      MasterMetrics metrics = new MasterMetrics(environment.getMetricRegistryForMaster());
      checks = new CheckRunner(null, forcedTables, metrics);
      data = new StoredData(conf, environment.getConnection());
      int millis = RelayoutPrecondition.MILLIS;
      poll = new RegionPoll(environment.getConnection(), millis, millis);
      steps = new BucketStepCheck(environment.getConnection());
      master =
          new MasterState(
              ((org.apache.hadoop.hbase.coprocessor.HasMasterServices) env).getMasterServices());
      checks = new CheckRunner(master, forcedTables, metrics);
    } catch (RuntimeException | Error e) {
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
    checks.check(
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
    if (current == null) {
      return withoutForce(changed);
    }
    checks.check(
        ctx,
        () -> table,
        name -> {
          String own = ForceReason.of(current, changed);
          // A step that is not safe is not forced by an earlier word about a split.
          boolean needsOwn = RelayoutCheck.of(current, changed, conf).isConcerned();
          return own != null || needsOwn ? own : forcedTables.reason(name);
        },
        Enforcer.WayPast.SAME_COMMAND,
        name -> altered(name, current, changed));
    return numbered(current, withoutForce(changed));
  }

  /** Under the table's lock: others may have altered it since {@link #preModifyTable}. */
  @Override
  public void preModifyTableAction(
      ObserverContext<MasterCoprocessorEnvironment> ctx,
      TableName table,
      TableDescriptor current,
      TableDescriptor changed)
      throws IOException {
    checks.check(
        ctx,
        () -> table,
        name -> null,
        Enforcer.WayPast.AGAIN,
        name -> {
          TableDescriptor stored = master.descriptor(name);
          return stored == null
              ? Collections.emptyList()
              : asList(RelayoutCheck.underLock(stored, changed, conf));
        });
  }

  /** Only here is it certain that the user may alter the table. */
  @Override
  public void postModifyTable(
      ObserverContext<MasterCoprocessorEnvironment> ctx,
      TableName table,
      TableDescriptor old,
      TableDescriptor changed) {
    checks.attempt(
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
                CheckRunner.user(ctx));
          }
        });
  }

  @Override
  public void postDeleteTable(ObserverContext<MasterCoprocessorEnvironment> ctx, TableName table) {
    checks.attempt(() -> table, forcedTables::close);
  }

  @Override
  public void preSplitRegion(
      ObserverContext<MasterCoprocessorEnvironment> ctx, TableName table, byte[] key)
      throws IOException {
    checks.check(
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
    checks.check(
        ctx,
        () -> table,
        (name, descriptor) -> {
          TableConfig config = TableConfig.of(descriptor, conf);
          return config.isWrong() && config.declaredLayout() != null
              ? DescriptorCheck.unsplittable(config, name)
              : inMode(config, boundaries -> split(name, boundaries, key).asAny());
        });
  }

  @Override
  public void preMergeRegions(
      ObserverContext<MasterCoprocessorEnvironment> ctx, RegionInfo[] regions) throws IOException {
    checks.check(
        ctx,
        () -> regions[0].getTable(),
        (name, descriptor) -> {
          if (MergeCheck.isRepair(regions)) {
            return null;
          }
          RuleViolation violation = merge(name, descriptor, regions, Merges.REJECT);
          return violation != null ? violation : youngMerge(name, descriptor, regions);
        });
  }

  @Override
  public void preMergeRegionsAction(
      ObserverContext<MasterCoprocessorEnvironment> ctx, RegionInfo[] regions) {
    checks.warn(
        ctx,
        () -> regions[0].getTable(),
        (name, descriptor) -> merge(name, descriptor, regions, Merges.WARN));
  }

  @Override
  public void preTruncateTable(ObserverContext<MasterCoprocessorEnvironment> ctx, TableName table) {
    checks.warn(
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
  public void preSnapshot(
      ObserverContext<MasterCoprocessorEnvironment> ctx,
      SnapshotDescription snapshot,
      TableDescriptor table)
      throws IOException {
    checks.check(
        ctx,
        () -> table.getTableName(),
        (name, descriptor) -> RestoreCheck.taken(descriptor, snapshot.getName()));
  }

  /** The table is none yet; what can be opened by force is the one that the snapshot is of. */
  @Override
  public void preCloneSnapshot(
      ObserverContext<MasterCoprocessorEnvironment> ctx,
      SnapshotDescription snapshot,
      TableDescriptor table)
      throws IOException {
    checks.check(
        ctx,
        () -> snapshot.getTableName(),
        forcedTables::reason,
        Enforcer.WayPast.OPEN_TABLE,
        name -> {
          List<RuleViolation> violations = DescriptorCheck.cloned(table, conf);
          violations.addAll(asList(RestoreCheck.cloned(table, snapshot.getName())));
          if (master.descriptor(name) == null) {
            // All that there is of the table: it can neither be taken anew nor be opened by force.
            violations.replaceAll(RuleViolation::asWarning);
          }
          return violations;
        });
  }

  @Override
  public void preRestoreSnapshot(
      ObserverContext<MasterCoprocessorEnvironment> ctx,
      SnapshotDescription snapshot,
      TableDescriptor restored)
      throws IOException {
    checks.check(
        ctx,
        () -> restored.getTableName(),
        (name, current) -> new RestoreCheck(current, restored, conf).violation(snapshot.getName()));
  }

  /** Whether the truncation that this thread is asked for leaves one region. */
  private static boolean losesSplits() {
    Message request = request();
    return request instanceof TruncateTableRequest
        && !((TruncateTableRequest) request).getPreserveSplits();
  }

  /** Whether the alter that this thread is asked for leaves the regions open. */
  private static boolean leavesRegionsOpen() {
    Message request = request();
    // By its name: not all releases of 2.5 have the field (HBASE-25549).
    FieldDescriptor reopen =
        request instanceof ModifyTableRequest
            ? request.getDescriptorForType().findFieldByName("reopen_regions")
            : null;
    return reopen != null && Boolean.FALSE.equals(request.getField(reopen));
  }

  /** The request that this thread serves; null for none. */
  private static Message request() {
    return RpcServer.getCurrentCall().map(RpcCall::getParam).orElse(null);
  }

  private List<RuleViolation> altered(
      TableName name, TableDescriptor current, TableDescriptor changed) {
    List<RuleViolation> violations =
        new ArrayList<>(
            DescriptorCheck.altered(
                current,
                changed,
                conf,
                () -> master.splitKeys(name),
                () -> data(name),
                added ->
                    steps.find(name, added, master.isDisabled(name), master.areRegionsOpen(name))));
    if (leavesRegionsOpen()) {
      violations.addAll(asList(DeclarationChange.notReopened(current, changed, conf)));
    }
    RelayoutCheck relayout = RelayoutCheck.of(current, changed, conf);
    RelayoutStep step = relayout.step();
    if (step != null && violations.stream().noneMatch(RuleViolation::isRefusal)) {
      RelayoutPrecondition precondition =
          new RelayoutPrecondition(name, relayout.before(), request -> ask(name, request));
      violations.addAll(
          asList(
              precondition.violation(
                  step, master.isDisabled(name), master.areRegionsOpen(name), () -> data(name))));
    }
    return violations;
  }

  private String data(TableName name) {
    return data.find(name, master.isDisabled(name), master.areRegionsOpen(name));
  }

  private SplitPointCheck split(TableName name, LayoutBoundaries boundaries, byte[] key) {
    return new SplitPointCheck(name, boundaries, () -> master.region(name, key), key);
  }

  /** The boundary that a merge takes away, if the table wants that to be acted on in such a way. */
  private RuleViolation merge(
      TableName name, TableDescriptor descriptor, RegionInfo[] regions, Merges way) {
    TableConfig config = TableConfig.of(descriptor, conf);
    if (config.merges() != way) {
      return null;
    }
    RuleViolation violation =
        inMode(
            config, boundaries -> MergeCheck.of(name, boundaries, regions, master.splitKeys(name)));
    return violation != null && way == Merges.WARN ? violation.asWarning() : violation;
  }

  private RuleViolation youngMerge(
      TableName name, TableDescriptor descriptor, RegionInfo[] regions) {
    TableConfig config = TableConfig.of(descriptor, conf);
    return config.splitLoad() == 0
        ? null
        : inMode(
            config, boundaries -> YoungMergeCheck.of(name, regions, System.currentTimeMillis()));
  }

  /** The violation of a table with a layout, as severe as its mode; null for none. */
  private static RuleViolation inMode(
      TableConfig config, Function<LayoutBoundaries, RuleViolation> check) {
    if (!config.hasLayout() || config.mode() == Mode.OFF) {
      return null;
    }
    RuleViolation violation = check.apply(LayoutBoundaries.of(config.group()));
    return violation != null && config.mode() == Mode.WARN ? violation.asWarning() : violation;
  }

  private static List<RuleViolation> asList(RuleViolation violation) {
    return violation == null ? Collections.emptyList() : Collections.singletonList(violation);
  }

  /** Asks all regions of a table, without a look where they are. */
  private List<PolledRegion> ask(TableName name, RelayoutRequest request) {
    return poll.toTheEnd(
        () -> {
          List<HRegionLocation> regions = new ArrayList<>();
          for (RegionInfo region : master.sortedRegions(name)) {
            regions.add(new HRegionLocation(region, null));
          }
          return regions;
        },
        request);
  }

  /** The part of a descriptor that is stored; all of it when the reason cannot be taken out. */
  private TableDescriptor withoutForce(TableDescriptor table) {
    AtomicReference<TableDescriptor> stored = new AtomicReference<>(table);
    checks.attempt(() -> table.getTableName(), name -> stored.set(ForceReason.removeFrom(table)));
    return stored.get();
  }

  /** The same with the version that comes next, where the alter has been let through without. */
  private TableDescriptor numbered(TableDescriptor current, TableDescriptor changed) {
    AtomicReference<TableDescriptor> stored = new AtomicReference<>(changed);
    checks.attempt(
        () -> changed.getTableName(),
        name -> {
          if (!name.isSystemTable()) {
            stored.set(RelayoutCheck.of(current, changed, conf).numbered(changed));
          }
        });
    return stored.get();
  }
}
