package io.rowguard.observer.load;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.config.TableConfig;
import io.rowguard.load.LoadSplitAnswer;
import io.rowguard.load.LoadSplitRule;
import io.rowguard.load.LoadSummary;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Metric;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The looks at one region, whose load is what it is and whose clock the test sets. */
class LoadSplitterTest {
  private static final MetricRegistryInfo METRICS =
      new MetricRegistryInfo("LoadSplitterTest", "", "test", "test", false);
  private static final TableName TABLE = TableName.valueOf("t");
  private static final long MADE = 1_764_000_000_000L;
  private static final long MILLIS = 5_000;
  private static final int OPERATIONS = 1_000;

  /** The load is that of so long, which some seconds of a slow machine hardly change. */
  private static final int SECONDS = 1_000;

  private final MetricRegistry registry = MetricRegistries.global().create(METRICS);
  private final List<byte[]> splits = new ArrayList<>();
  private int regions = 1;
  private boolean splittable = true;
  private Throwable failure;
  private long now = MADE;

  @AfterEach
  void forgetMetrics() {
    MetricRegistries.global().remove(METRICS);
  }

  private static RegionLoad load(IntFunction<String> rows) {
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(TABLE)
            .setValue("rowguard.layout", "{user:word}|{item:digits(4)}")
            .setValue("rowguard.group", "user")
            .setValue("rowguard.load.sample", "1")
            .setValue("rowguard.load.halflife.seconds", "86400")
            .setValue("rowguard.split.load", "1")
            .build();
    TableConfig config = TableConfig.of(table, new Configuration(false));
    long start = System.nanoTime() - TimeUnit.SECONDS.toNanos(SECONDS);
    LoadSummary summary = LoadSummary.of(config.group(), config.loadHalfLifeSeconds(), start, 1);
    for (int i = 0; i < OPERATIONS; i++) {
      byte[] row = rows.apply(i).getBytes(StandardCharsets.UTF_8);
      summary.record(row, 0, row.length, 1, true, start + i);
    }
    return new RegionLoad(summary, region(), config);
  }

  private static RegionInfo region() {
    return RegionInfoBuilder.newBuilder(TABLE).setRegionId(MADE).build();
  }

  private LoadSplitter splitter(RegionLoad load, double most) {
    LoadSplitter.Host host =
        new LoadSplitter.Host() {
          @Override
          public int regions() {
            return regions;
          }

          @Override
          public boolean isSplittable() {
            return splittable;
          }

          @Override
          public void split(byte[] key) throws IOException {
            splits.add(key);
            if (failure instanceof Error) {
              throw (Error) failure;
            }
            if (failure != null) {
              throw (IOException) failure;
            }
          }
        };
    return new LoadSplitter(
        region(),
        load,
        LoadSplitRule.of(most, MILLIS, 20),
        host,
        new LoadSplitMetrics(registry, TABLE),
        () -> now);
  }

  private Map<String, Long> counters() {
    Map<String, Long> counters = new TreeMap<>();
    for (Map.Entry<String, Metric> metric : registry.getMetrics().entrySet()) {
      counters.put(
          metric.getKey().replace("Namespace_default_table_t_metric_load_split_", ""),
          ((Counter) metric.getValue()).getCount());
    }
    return counters;
  }

  private static String uniform(int i) {
    return String.format("u%03d|0001", i * 7 % 100);
  }

  @Test
  void run_evenLoadForLongEnough_splitsOnceAndTellsWhy() {
    RegionLoad load = load(LoadSplitterTest::uniform);
    LoadSplitter splitter = splitter(load, 0.5);
    assertNull(load.getSplitAnswer());

    splitter.run();
    assertEquals(LoadSplitAnswer.YOUNG.text(), load.getSplitAnswer());
    now += MILLIS;
    splitter.run();
    splitter.run();

    assertEquals(1, splits.size());
    assertArrayEquals(load.finding().boundary(), splits.get(0));
    assertTrue(load.finding().smallerSide() > 0.4);
    assertEquals(LoadSplitAnswer.ASKED.text(), load.getSplitAnswer());
    assertEquals(Map.of("young", 1L, "cut", 1L, "done", 1L, "asked", 1L), counters());
  }

  @Test
  void run_loadThatIsNotAbove_splitsNothing() {
    RegionLoad load = load(LoadSplitterTest::uniform);
    LoadSplitter splitter = splitter(load, 2);
    for (int i = 0; i < 3; i++) {
      splitter.run();
      now += MILLIS;
    }
    assertEquals(0, splits.size());
    assertEquals(LoadSplitAnswer.BELOW.text(), load.getSplitAnswer());
    assertEquals(Map.of("below", 1L), counters());
  }

  @Test
  void run_oneRow_splitsNothingAndCountsTheVerdictOnce() {
    RegionLoad load = load(i -> "hot|0001");
    LoadSplitter splitter = splitter(load, 0.5);
    for (int i = 0; i < 4; i++) {
      splitter.run();
      now += MILLIS;
    }
    assertEquals(0, splits.size());
    assertEquals(LoadSplitAnswer.CANNOT.text(), load.getSplitAnswer());
    assertEquals(Map.of("young", 1L, "cannot_one_row", 1L), counters());
  }

  @Test
  void run_serverWithManyRegions_waits() {
    regions = 20;
    RegionLoad load = load(LoadSplitterTest::uniform);
    LoadSplitter splitter = splitter(load, 0.5);
    splitter.run();
    now += MILLIS;
    splitter.run();
    assertEquals(0, splits.size());
    assertEquals(LoadSplitAnswer.REGIONS.text(), load.getSplitAnswer());
    assertEquals(Map.of("young", 1L, "regions", 1L), counters());
  }

  @Test
  void run_regionThatHBaseWouldNotSplit_asksNobodyAndWaits() {
    splittable = false;
    RegionLoad load = load(LoadSplitterTest::uniform);
    LoadSplitter splitter = splitter(load, 0.5);
    splitter.run();
    now += MILLIS;
    splitter.run();
    assertEquals(0, splits.size());
    assertEquals(LoadSplitAnswer.UNSPLITTABLE.text(), load.getSplitAnswer());
    splittable = true;
    splitter.run();
    assertEquals(1, splits.size());
    assertEquals(Map.of("young", 1L, "unsplittable", 1L, "cut", 1L, "done", 1L), counters());
  }

  @Test
  void run_splitThatFails_isTriedAgainLater() {
    RegionLoad load = load(LoadSplitterTest::uniform);
    LoadSplitter splitter = splitter(load, 0.5);
    splitter.run();
    for (Throwable each : List.of(new IOException("refused\n\tat x"), new LinkageError("none"))) {
      failure = each;
      now += MILLIS;
      splitter.run();
      splitter.run();
    }
    assertEquals(2, splits.size(), "one each time that it is due");
    failure = null;
    now += MILLIS;
    splitter.run();
    assertEquals(3, splits.size());
    assertEquals(Map.of("young", 1L, "cut", 3L, "failed", 2L, "asked", 2L, "done", 1L), counters());
  }
}
