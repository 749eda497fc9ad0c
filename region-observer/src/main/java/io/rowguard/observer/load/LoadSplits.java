package io.rowguard.observer.load;

import io.rowguard.config.TableConfig;
import io.rowguard.load.LoadSplitRule;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;

/** Has a region looked at for a split by its load, where its table wants that. */
final class LoadSplits {
  /** The length of half a minute in milliseconds, which a test makes shorter. */
  static final String HALF_MINUTE_KEY = "io.rowguard.load.half.minute.ms";

  private static final int HALF_MINUTE = 30_000;

  /** One region at a time is looked at, so that each look knows the outcome of the last. */
  private static final long PATIENCE_SECONDS = 60;

  private LoadSplits() {}

  /** Begins with it, until what is given back is run. */
  static Runnable watch(RegionCoprocessorEnvironment env, TableConfig config, RegionLoad load) {
    RegionInfo region = env.getRegionInfo();
    if (config.splitLoad() == 0 || region.getReplicaId() != RegionInfo.DEFAULT_REPLICA_ID) {
      return () -> {};
    }
    long halfMinute = env.getConfiguration().getInt(HALF_MINUTE_KEY, HALF_MINUTE);
    LoadSplitter splitter =
        new LoadSplitter(
            region,
            load,
            LoadSplitRule.of(
                config.splitLoad(),
                2 * halfMinute * config.splitLoadMinutes(),
                config.splitLoadMaxRegions()),
            host(env),
            new LoadSplitMetrics(env.getMetricRegistryForRegionServer(), region.getTable()),
            System::currentTimeMillis);
    return LoadDaemon.watch(env.getServerName(), splitter, halfMinute);
  }

  private static LoadSplitter.Host host(RegionCoprocessorEnvironment env) {
    RegionInfo region = env.getRegionInfo();
    return new LoadSplitter.Host() {
      @Override
      public int regions() throws IOException {
        return env.getOnlineRegions().getRegions(region.getTable()).size();
      }

      @Override
      public boolean isSplittable() {
        // Before it is online it has no split policy to be asked.
        return env.getOnlineRegions().getRegion(region.getEncodedName()) != null
            && env.getRegion().isSplittable();
      }

      @Override
      public void split(byte[] key) throws IOException {
        try (Admin admin = env.getConnection().getAdmin()) {
          await(admin.splitRegionAsync(region.getRegionName(), key));
        }
      }
    };
  }

  private static void await(Future<Void> split) throws IOException {
    try {
      split.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("The split takes longer than " + PATIENCE_SECONDS + " s.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("The server ends.").initCause(e);
    }
  }
}
