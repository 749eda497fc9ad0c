package io.rowguard.observer;

import io.rowguard.config.Mode;
import io.rowguard.config.TableConfig;
import io.rowguard.observer.decide.BatchCheck;
import io.rowguard.observer.decide.BulkLoadCheck;
import io.rowguard.observer.decide.Delivery;
import io.rowguard.observer.decide.RepeatCheck;
import io.rowguard.observer.decide.StoredLayouts;
import io.rowguard.observer.decide.VersionCheck;
import io.rowguard.observer.decide.WriteCheck;
import io.rowguard.observer.load.LoadMeter;
import io.rowguard.observer.metrics.RelayoutMetrics;
import io.rowguard.observer.metrics.SampleLog;
import io.rowguard.observer.metrics.WriteMetrics;
import io.rowguard.observer.peers.ServerPeers;
import io.rowguard.observer.peers.TablePeers;
import io.rowguard.observer.relayout.GlobalMemstore;
import io.rowguard.observer.relayout.Leftovers;
import io.rowguard.observer.relayout.PullOnDemand;
import io.rowguard.observer.relayout.PullSource;
import io.rowguard.observer.relayout.Puller;
import io.rowguard.observer.relayout.ReadBack;
import io.rowguard.observer.relayout.RelayoutAccess;
import io.rowguard.observer.relayout.RelayoutEndpoint;
import io.rowguard.observer.relayout.RelayoutWrites;
import io.rowguard.observer.request.InternalMutations;
import io.rowguard.observer.request.OpenBatches;
import io.rowguard.observer.request.RegionFeature;
import io.rowguard.observer.salt.BareReads;
import io.rowguard.observer.salt.Forwarder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts together what the hooks of a region need when it opens, by the configuration of its table.
 * One per opening, of one thread.
 */
final class RegionSetup {
  private static final Logger LOG = LoggerFactory.getLogger(LayoutRegionObserver.class);

  private final RegionCoprocessorEnvironment env;
  private final HRegion region;
  private final TableName table;
  private final TableConfig config;
  private final WriteMetrics metrics;
  private final SampleLog log;
  private final InternalMutations own = new InternalMutations();
  private final OpenBatches open = new OpenBatches();
  private final List<RegionFeature> features = new ArrayList<>();

  /** Null until something of the region goes to others. */
  private TablePeers peers;

  private RegionSetup(RegionCoprocessorEnvironment env, TableConfig config, WriteMetrics metrics) {
    this.env = env;
    this.region = (HRegion) env.getRegion();
    this.table = region.getTableDescriptor().getTableName();
    this.config = config;
    this.metrics = metrics;
    this.log = SampleLog.of(env.getSharedData(), table.getNameAsString());
  }

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
      if (config.mode() == Mode.SALT) {
        guard.cannotSalt(config.problemMessage(name, "its bare keys are not salted"));
      }
    } else if (!config.hasLayout()) {
      return null;
    }
    WriteMetrics metrics =
        new WriteMetrics(env.getMetricRegistryForRegionServer(), table.getTableName());
    guard.setMetrics(metrics);
    return off ? null : new RegionSetup(env, config, metrics).hooks();
  }

  private RegionHooks hooks() {
    try {
      return made();
    } catch (RuntimeException | Error e) {
      try {
        // Else a region that is opened again and again would leave connections and beans behind.
        RegionHooks.close(features);
      } catch (IOException | RuntimeException | Error inner) {
        e.addSuppressed(inner);
      }
      throw e;
    }
  }

  private RegionHooks made() {
    boolean moves = config.relayout() != null;
    boolean sendsElsewhere = moves || salts() || config.knownLayouts() != null;
    Delivery delivery = config.hasLayout() && sendsElsewhere ? delivery() : Delivery.NONE;
    Puller puller = moves ? puller() : null;
    VersionCheck versions =
        new VersionCheck(
            table.getNameAsString(),
            config,
            StoredLayouts.of(region, env.getConfiguration(), config),
            new RepeatCheck(region.getRegionInfo(), env.getOnlineRegions()),
            this::relayoutMetrics);
    features.add(endpoint(puller));
    features.add(versions);
    RelayoutWrites relayout = moves ? relayout(puller) : null;
    if (config.hasLayout() && salts()) {
      features.add(new BareReads(region.getRegionInfo(), config, peers, metrics));
    }
    features.add(new BulkLoadCheck(table.getNameAsString(), config, metrics, log));
    LoadMeter load = LoadMeter.of(env, config);
    if (load != null) {
      features.add(load);
    }
    WriteCheck writes = new WriteCheck(table.getNameAsString(), config, relayout, metrics, log);
    return new RegionHooks(
        features,
        writes,
        new BatchCheck(region.getRegionInfo(), writes, versions, own, delivery, features, open),
        versions);
  }

  private boolean salts() {
    return config.mode() == Mode.SALT;
  }

  private Delivery delivery() {
    ServerPeers forwards =
        ServerPeers.of(env.getServerName(), env.getConnection().getConfiguration());
    peers =
        new TablePeers(
            table,
            env.getServerName(),
            env.getOnlineRegions(),
            forwards,
            config.saltMaxBytes(),
            metrics,
            log);
    Forwarder forwarder = new Forwarder(peers, table, config, metrics, log);
    features.add(
        new RegionFeature() {
          @Override
          public void close() throws IOException {
            peers.leave(region);
          }
        });
    return forwarder;
  }

  private Puller puller() {
    return new Puller(
        region,
        config.relayout().change(),
        config.relayout().generation(),
        config.takesAnyOrder(),
        peers,
        GlobalMemstore.of(env.getOnlineRegions()),
        own,
        new ReadBack(region, config.verify(), relayoutMetrics(), log),
        relayoutMetrics());
  }

  private RelayoutWrites relayout(Puller puller) {
    RelayoutWrites relayout =
        new RelayoutWrites(
            region, config, puller, new Leftovers(region, config.takesAnyOrder()), own, open, log);
    features.add(relayout);
    return relayout;
  }

  private RegionFeature endpoint(Puller puller) {
    return new RelayoutEndpoint(
        RelayoutAccess.of(env),
        new PullSource(region, config, own, GlobalMemstore.of(env.getOnlineRegions())),
        new PullOnDemand(region.getRegionInfo(), config, puller),
        config.saltTimeoutMillis());
  }

  private RelayoutMetrics relayoutMetrics() {
    return new RelayoutMetrics(env.getMetricRegistryForRegionServer(), table, env.getServerName());
  }
}
