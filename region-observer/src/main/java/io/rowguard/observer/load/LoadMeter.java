package io.rowguard.observer.load;

import io.rowguard.config.TableConfig;
import io.rowguard.load.LoadSummary;
import io.rowguard.load.OneIn;
import io.rowguard.observer.request.RegionFeature;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts a sample of what is read and written in a region, and shows it in JMX. Thread-safe. It
 * never throws: a region whose load cannot be counted serves all the same.
 */
public final class LoadMeter implements RegionFeature {
  private static final Logger LOG = LoggerFactory.getLogger(LoadMeter.class);

  /**
   * The meters that are shown, by name: HBase may open a region anew without having closed it. Also
   * the lock for that.
   */
  private static final Map<ObjectName, LoadMeter> SHOWN = new HashMap<>();

  /**
   * A scan gives a row in a third of a microsecond, in which the usual sample would be seen: a row
   * of a scan is counted for so many, and that more seldom.
   */
  private static final int ROWS_OF_SCAN = 4;

  private final LoadSummary summary;
  private final OneIn sample;

  /** How many rows a counted row of a scan stands for among the sampled operations. */
  private final int rowsOfScan;

  private final OneIn scanSample;
  private final ObjectName name;

  /** Ends the looks at whether the region is split by its load. */
  private final Runnable endLooks;

  private volatile boolean failed;

  private LoadMeter(LoadSummary summary, int sample, ObjectName name, Runnable endLooks) {
    this.summary = summary;
    this.sample = OneIn.of(sample);
    this.rowsOfScan = sample == 1 ? 1 : ROWS_OF_SCAN;
    this.scanSample = OneIn.of(sample * rowsOfScan);
    this.name = name;
    this.endLooks = endLooks;
  }

  /** The meter of a region that opens; null where nothing is to be counted. */
  public static LoadMeter of(RegionCoprocessorEnvironment env, TableConfig config) {
    RegionInfo region = env.getRegionInfo();
    if (!config.hasLayout() || config.loadSample() == 0) {
      if (config.hasLayout() && config.splitLoad() > 0) {
        LOG.warn(
            "No region is split by its load, as rowguard.load.sample is 0. table={}",
            region.getTable());
      }
      return null;
    }
    try {
      LoadSummary summary =
          LoadSummary.of(
              config.group(),
              config.loadHalfLifeSeconds(),
              System.nanoTime(),
              ThreadLocalRandom.current().nextLong());
      ObjectName name =
          new ObjectName(
              "Rowguard:type=Load,server="
                  + ObjectName.quote(env.getServerName().toString())
                  + ",table="
                  + ObjectName.quote(region.getTable().getNameAsString())
                  + ",region="
                  + region.getEncodedName());
      RegionLoad load = new RegionLoad(summary, region, config);
      Runnable endLooks = LoadSplits.watch(env, config, load);
      LoadMeter meter = new LoadMeter(summary, config.loadSample(), name, endLooks);
      try {
        meter.show(load);
        return meter;
      } catch (JMException | RuntimeException | Error e) {
        endLooks.run();
        throw e;
      }
    } catch (JMException | RuntimeException | Error e) {
      LOG.warn("The load of a region is not counted. region={}", region.getRegionNameAsString(), e);
      return null;
    }
  }

  private void show(RegionLoad load) throws JMException {
    synchronized (SHOWN) {
      LoadMeter former = SHOWN.put(name, this);
      if (former != null) {
        former.endLooks.run();
        ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
      }
      ManagementFactory.getPlatformMBeanServer()
          .registerMBean(new StandardMBean(load, RegionLoadMXBean.class, true), name);
    }
  }

  /** Shows it no longer, unless the region was opened anew meanwhile, and cuts it no longer. */
  @Override
  public void close() {
    endLooks.run();
    synchronized (SHOWN) {
      if (SHOWN.remove(name, this)) {
        try {
          ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
        } catch (JMException e) {
          LOG.warn("The load of a region that closed stays in JMX. name={}", name, e);
        }
      }
    }
  }

  @Override
  public void read(Get get) {
    if (sample.isDue()) {
      byte[] row = get.getRow();
      count(row, 0, row.length, 1, /* isWrite= */ false);
    }
  }

  @Override
  public void writing(Mutation mutation) {
    if (sample.isDue()) {
      byte[] row = mutation.getRow();
      count(row, 0, row.length, 1, /* isWrite= */ true);
    }
  }

  /** Counts the rows that a scan gave; one that comes in parts counts with its last. */
  @Override
  public void scanned(List<Result> rows) {
    // A row of a scan costs so little that a draw for each would be seen.
    for (int i = scanSample.next(0); i < rows.size(); i = scanSample.next(i + 1)) {
      countRow(rows.get(i));
    }
  }

  private void countRow(Result row) {
    if (!row.isEmpty() && !row.mayHaveMoreCellsInRow()) {
      Cell cell = row.rawCells()[0];
      count(
          cell.getRowArray(),
          cell.getRowOffset(),
          cell.getRowLength(),
          rowsOfScan,
          /* isWrite= */ false);
    }
  }

  private void count(byte[] row, int offset, int length, int operations, boolean isWrite) {
    if (failed) {
      return;
    }
    try {
      summary.record(row, offset, length, operations, isWrite, System.nanoTime());
    } catch (RuntimeException e) {
      failed = true;
      LOG.error("The load of a region is counted no longer. name={}", name, e);
    }
  }
}
