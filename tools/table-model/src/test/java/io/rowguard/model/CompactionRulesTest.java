package io.rowguard.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.model.CompactionRules.Selection;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreConfigInformation;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.compactions.ExploringCompactionPolicy;
import org.apache.hadoop.hbase.regionserver.compactions.RatioBasedCompactionPolicy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;

/** The files that are compacted, against HBase's own policies. */
class CompactionRulesTest {
  private static final long SEED = 502;
  private static final int STORES = 1_000;
  private static final String PREFIX = "hbase.hstore.compaction.";

  // HBase's policies ask a file for its length and whether it is a reference, and nothing else.
  private static final List<HStoreFile> FILES =
      IntStream.range(0, 32).mapToObj(CompactionRulesTest::file).toList();
  private static long[] lengthsNow;
  private static boolean[] referencesNow;

  private static HStoreFile file(int index) {
    StoreFileReader reader = Mockito.mock(StoreFileReader.class, Mockito.withSettings().stubOnly());
    Mockito.when(reader.length()).thenAnswer(call -> lengthsNow[index]);
    HStoreFile file = Mockito.mock(HStoreFile.class, Mockito.withSettings().stubOnly());
    Mockito.when(file.getReader()).thenReturn(reader);
    Mockito.when(file.isReference()).thenAnswer(call -> referencesNow[index]);
    return file;
  }

  @ParameterizedTest(name = "exploring={0}")
  @ValueSource(booleans = {true, false})
  void select_randomStores_isHBases(boolean isExploring) throws Exception {
    Random random = new Random(SEED);
    Set<Integer> sizes = new HashSet<>();
    for (int i = 0; i < STORES; i++) {
      CompactionRules rules = rules(random, isExploring);
      long[] lengths = new long[random.nextInt(2 * rules.blockingFiles())];
      boolean[] references = new boolean[lengths.length];
      for (int file = 0; file < lengths.length; file++) {
        lengths[file] = 1 + (long) Math.exp(random.nextDouble() * 12);
        references[file] = random.nextInt(60) == 0;
      }
      Selection expected = byHBase(rules, lengths, references);
      Selection actual = rules.select(lengths, references);
      assertEquals(expected.size(), actual.size(), "seed=" + SEED + " index=" + i);
      if (!expected.isEmpty()) {
        assertEquals(expected, actual, "seed=" + SEED + " index=" + i);
      }
      sizes.add(actual.size());
    }
    assertTrue(sizes.size() > 5, "sizes of selections: " + sizes);
  }

  private static CompactionRules rules(Random random, boolean isExploring) {
    int minFiles = 2 + random.nextInt(4);
    return new CompactionRules(
        minFiles,
        minFiles + random.nextInt(9),
        (float) (0.5 + random.nextDouble()),
        random.nextInt(3) == 0 ? 0 : random.nextInt(20_000),
        random.nextInt(3) == 0 ? 50_000 : Long.MAX_VALUE,
        6 + random.nextInt(10),
        isExploring);
  }

  private static Selection byHBase(CompactionRules rules, long[] lengths, boolean[] references)
      throws Exception {
    Configuration conf = new Configuration(false);
    conf.setInt(PREFIX + "min", rules.minFiles());
    conf.setInt(PREFIX + "max", rules.maxFiles());
    conf.setFloat(PREFIX + "ratio", (float) rules.ratio());
    conf.setLong(PREFIX + "min.size", rules.minSize());
    conf.setLong(PREFIX + "max.size", rules.maxSize());
    // No major compaction for its age.
    conf.setLong("hbase.hregion.majorcompaction", 0);
    StoreConfigInformation store = store(rules.blockingFiles());
    RatioBasedCompactionPolicy policy =
        rules.isExploring()
            ? new ExploringCompactionPolicy(conf, store)
            : new RatioBasedCompactionPolicy(conf, store);
    lengthsNow = lengths;
    referencesNow = references;
    List<HStoreFile> files = FILES.subList(0, lengths.length);
    List<HStoreFile> selected =
        new ArrayList<>(
            policy.selectCompaction(files, new ArrayList<>(), false, false, false).getFiles());
    if (selected.isEmpty()) {
      return Selection.NONE;
    }
    int from = files.indexOf(selected.get(0));
    assertEquals(files.subList(from, from + selected.size()), selected, "files in a row");
    return new Selection(from, from + selected.size());
  }

  private static StoreConfigInformation store(int blockingFiles) {
    InvocationHandler answers =
        (proxy, method, args) ->
            switch (method.getName()) {
              case "getBlockingFileCount" -> (long) blockingFiles;
              case "getMemStoreFlushSize", "getStoreFileTtl", "getCompactionCheckMultiplier" -> 1L;
              case "getRegionInfo" -> RegionInfoBuilder.FIRST_META_REGIONINFO;
              default -> "f";
            };
    return (StoreConfigInformation)
        Proxy.newProxyInstance(
            StoreConfigInformation.class.getClassLoader(),
            new Class<?>[] {StoreConfigInformation.class},
            answers);
  }
}
