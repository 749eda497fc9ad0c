package io.rowguard.master;

import static io.rowguard.master.RelayoutDescriptors.ORDERS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.junit.jupiter.api.Test;

/** The regions that are too young to be merged. */
class YoungMergeCheckTest {
  private static final long NOW = 1_764_000_000_000L;
  private static final long DAY = TimeUnit.DAYS.toMillis(1);

  private static RegionInfo made(long at) {
    return RegionInfoBuilder.newBuilder(ORDERS).setRegionId(at).build();
  }

  @Test
  void of_regionsOfADay_isNone() {
    RegionInfo[] regions = {made(NOW - DAY), made(NOW - 2 * DAY)};
    assertNull(YoungMergeCheck.of(ORDERS, regions, NOW));
  }

  @Test
  void of_oneYoungRegion_namesIt() {
    RegionInfo young = made(NOW - DAY + 1);
    RuleViolation violation =
        YoungMergeCheck.of(ORDERS, new RegionInfo[] {made(NOW - DAY), young}, NOW);
    assertEquals(Rule.MERGE_TOO_YOUNG, violation.rule());
    assertTrue(violation.isRefusal());
    assertTrue(
        violation.message().contains(" region=" + young.getEncodedName() + " ageMinutes=1439. "),
        violation.message());
  }

  /** Clocks differ. */
  @Test
  void of_regionOfTheFuture_isYoung() {
    assertEquals(
        Rule.MERGE_TOO_YOUNG,
        YoungMergeCheck.of(ORDERS, new RegionInfo[] {made(NOW + DAY)}, NOW).rule());
  }
}
