package io.rowguard.observer;

import io.rowguard.config.Mode;
import io.rowguard.config.TableConfig;
import io.rowguard.observer.load.LoadMeter;
import io.rowguard.observer.relayout.Askers;
import io.rowguard.observer.relayout.GlobalMemstore;
import io.rowguard.observer.relayout.Leftovers;
import io.rowguard.observer.relayout.OldSide;
import io.rowguard.observer.relayout.OwnEdits;
import io.rowguard.observer.relayout.Puller;
import io.rowguard.observer.relayout.RelayoutMetrics;
import io.rowguard.observer.relayout.TouchSide;
import java.io.Closeable;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts together what the hooks of a region need when it opens, by the configuration of its table.
 * Keeps nothing.
 */
final class RegionSetup {
  private static final Logger LOG = LoggerFactory.getLogger(LayoutRegionObserver.class);

  private RegionSetup() {}

  /** The hooks of a region that opens; null where there is nothing to guard, or mode is off. */
  static RegionHooks open(RegionCoprocessorEnvironment env, HookGuard guard) {
    TableDescriptor table = env.getRegion().getTableDescriptor();
    guard.setTable(table.getTableName());
    TableConfig config = TableConfig.of(table, env.getConfiguration());
    String name = table.getTableName().getNameAsString();
    boolean off = config.mode() == Mode.OFF;
    for (String warning : config.warnings()) {
      LOG.warn("Configuration that concerns no table yet. table={} {}", name, warning);
    }
    if (config.isWrong()) {
      LOG.error(
          config.problemMessage(
              name, off ? "its writes are not checked" : "all its writes are refused"));
    } else if (!config.hasLayout()) {
      return null;
    }
    WriteMetrics metrics =
        new WriteMetrics(env.getMetricRegistryForRegionServer(), table.getTableName());
    guard.setMetrics(metrics);
    return off ? null : of(env, table, config, metrics);
  }

  private static RegionHooks of(
      RegionCoprocessorEnvironment env,
      TableDescriptor table,
      TableConfig config,
      WriteMetrics metrics) {
    String name = table.getTableName().getNameAsString();
    SampleLog log = SampleLog.of(env.getSharedData(), name);
    HRegion region = (HRegion) env.getRegion();
    VersionCheck versions =
        new VersionCheck(
            name,
            config,
            StoredLayouts.of(region, env.getConfiguration(), config),
            new RepeatCheck(region.getRegionInfo(), env.getOnlineRegions()),
            () -> relayoutMetrics(env, table.getTableName()));
    Forwarder forwarder = null;
    BareReads bareReads = null;
    RelayoutWrites relayout = null;
    Puller puller = null;
    OwnEdits own = new OwnEdits();
    Closeable closer = () -> {};
    if (config.hasLayout() && (config.mode() == Mode.SALT || config.relayout() != null)) {
      ServerForwards forwards =
          ServerForwards.of(env.getServerName(), env.getConnection().getConfiguration());
      RowSender sender =
          new RowSender(
              table.getTableName(),
              env.getServerName(),
              env.getOnlineRegions(),
              forwards,
              metrics,
              log);
      forwarder = new Forwarder(sender, forwards, table.getTableName(), config, metrics, log);
      if (config.mode() == Mode.SALT) {
        bareReads = new BareReads(name, config, sender, metrics);
      }
      if (config.relayout() != null) {
        puller =
            new Puller(
                region,
                config.relayout().change(),
                config.relayout().generation(),
                new ServerWire(
                    table.getTableName(), sender, forwards, config.saltMaxBytes(), metrics, log),
                own,
                relayoutMetrics(env, table.getTableName()));
        relayout =
            new RelayoutWrites(
                region.getRegionInfo(),
                config,
                puller,
                new Leftovers(region),
                own,
                forwards.requestPulls(),
                log);
      }
      closer =
          () -> {
            try {
              sender.closed(region);
            } finally {
              forwards.leave();
            }
          };
    }
    return new RegionHooks(
        new WriteCheck(name, config, relayout, metrics, log),
        new BulkLoadCheck(name, config, metrics, log),
        forwarder,
        bareReads,
        relayout,
        versions,
        new Questions(
            Askers.of(env),
            new OldSide(region, config, own, GlobalMemstore.of(env.getOnlineRegions())),
            new TouchSide(region.getRegionInfo(), config, puller),
            config.saltTimeoutMillis()),
        LoadMeter.of(env, config),
        closer);
  }

  private static RelayoutMetrics relayoutMetrics(
      RegionCoprocessorEnvironment env, TableName table) {
    return new RelayoutMetrics(env.getMetricRegistryForRegionServer(), table, env.getServerName());
  }
}
