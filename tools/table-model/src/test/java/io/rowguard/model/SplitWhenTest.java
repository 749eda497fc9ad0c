package io.rowguard.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Random;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.regionserver.ConstantSizeRegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.IncreasingToUpperBoundRegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.SteppingSplitPolicy;
import org.junit.jupiter.api.Test;

/** The sizes at which regions split, against HBase's own classes. */
class SplitWhenTest {
  private static final long SEED = 501;

  @Test
  void sizeToCheck_increasing_isHBases() throws Exception {
    assertEqualsHBase(SplitWhen.INCREASING, new IncreasingToUpperBoundRegionSplitPolicy());
  }

  @Test
  void sizeToCheck_stepping_isHBases() throws Exception {
    assertEqualsHBase(SplitWhen.STEPPING, new SteppingSplitPolicy());
  }

  private static void assertEqualsHBase(
      SplitWhen when, IncreasingToUpperBoundRegionSplitPolicy policy) throws Exception {
    Method sizeToCheck =
        IncreasingToUpperBoundRegionSplitPolicy.class.getDeclaredMethod(
            "getSizeToCheck", int.class);
    sizeToCheck.setAccessible(true);
    Field max = ConstantSizeRegionSplitPolicy.class.getDeclaredField("desiredMaxFileSize");
    max.setAccessible(true);
    Field initial = IncreasingToUpperBoundRegionSplitPolicy.class.getDeclaredField("initialSize");
    initial.setAccessible(true);
    Random random = new Random(SEED);
    for (int i = 0; i < 2000; i++) {
      long maxFileSize = 1 + (random.nextLong() >>> (1 + random.nextInt(50)));
      long initialSize = 1 + (random.nextLong() >>> (25 + random.nextInt(30)));
      int regions = random.nextInt(120);
      max.setLong(policy, maxFileSize);
      initial.setLong(policy, initialSize);
      assertEquals(
          sizeToCheck.invoke(policy, regions),
          when.sizeToCheck(maxFileSize, initialSize, regions),
          "seed=" + SEED + " index=" + i);
    }
  }

  @Test
  void sizeToCheck_constantAndDisabled_heedNoRegions() {
    for (int regions : new int[] {0, 1, 7, 1000}) {
      assertEquals(70, SplitWhen.CONSTANT.sizeToCheck(70, 5, regions));
      assertEquals(Long.MAX_VALUE, SplitWhen.DISABLED.sizeToCheck(70, 5, regions));
    }
  }

  @Test
  void jittered_manyRegions_fillTheRangeEvenly() {
    SplitRules rules = new SplitRules(SplitWhen.CONSTANT, 1_000_000, 0.25, 1, 1);
    SplittableRandom random = new SplittableRandom(SEED);
    long least = Long.MAX_VALUE;
    long most = 0;
    long sum = 0;
    for (int i = 0; i < 10_000; i++) {
      long size = rules.jittered(random);
      least = Math.min(least, size);
      most = Math.max(most, size);
      sum += size;
    }
    assertTrue(least >= 875_000 && least < 876_000, "least=" + least);
    assertTrue(most <= 1_125_000 && most > 1_124_000, "most=" + most);
    assertEquals(1_000_000, sum / 10_000.0, 3_000);
  }

  @Test
  void jittered_largestSize_doesNotOverflow() {
    SplitRules rules = new SplitRules(SplitWhen.CONSTANT, Long.MAX_VALUE, 0.25, 1, 1);
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < 100; i++) {
      assertTrue(rules.jittered(random) > 0);
    }
  }
}
