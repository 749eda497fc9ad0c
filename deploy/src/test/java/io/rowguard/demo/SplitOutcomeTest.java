package io.rowguard.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rowguard.workload.RegionContent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** The demo's claims are worth what this counting is worth. */
class SplitOutcomeTest {
  private static final long LIMIT = 20;

  @Test
  void cutCountries_countryInTwoRegions_isCountedOnce() {
    SplitOutcome outcome =
        outcome(
            region("", "DE|02", 5, "AD|1", "DE|01"),
            region("DE|02", "DE|03", 5, "DE|02"),
            region("DE|03", "", 5, "DE|03", "FR|1"));
    assertEquals(1, outcome.cutCountries());
  }

  @Test
  void cutCountries_boundariesBetweenCountries_isZero() {
    assertEquals(
        0,
        outcome(region("", "DE", 5, "AD|1", "AE|1"), region("DE", "", 5, "DE|1")).cutCountries());
  }

  @Test
  void stuck_overTheLimitWithTwoCountries_isStuck() {
    RegionContent stuck = region("DE", "", 21, "DE|1", "FR|1", "FR|2");
    SplitOutcome outcome = outcome(region("", "DE", 20, "AD|1"), stuck);
    assertEquals(List.of(stuck), outcome.stuck());
    assertEquals(List.of(), outcome.ofOneCountry());
    assertEquals(75.0, outcome.stuckPercent());
  }

  @Test
  void stuck_overTheLimitWithOneCountry_isNotStuck() {
    RegionContent whole = region("", "", 21, "DE|1", "DE|2");
    SplitOutcome outcome = outcome(whole);
    assertEquals(List.of(), outcome.stuck());
    assertEquals(List.of(whole), outcome.ofOneCountry());
  }

  @Test
  void stuck_atTheLimit_isNotStuck() {
    assertEquals(List.of(), outcome(region("", "", LIMIT, "DE|1", "FR|1")).stuck());
  }

  @Test
  void message_ofARefusedRegion_isTheServers() {
    RegionContent region = region("", "", 21, "DE|1", "FR|1");
    Map<String, String> refusals = Map.of(region.region().getEncodedName(), "no");
    assertEquals("no", new SplitOutcome(List.of(region), refusals, LIMIT).message(region));
  }

  private static SplitOutcome outcome(RegionContent... contents) {
    return new SplitOutcome(List.of(contents), Map.of(), LIMIT);
  }

  private static RegionContent region(String start, String end, long bytes, String... rows) {
    RegionInfo region =
        RegionInfoBuilder.newBuilder(TableName.valueOf("t"))
            .setStartKey(Bytes.toBytes(start))
            .setEndKey(Bytes.toBytes(end))
            .build();
    List<byte[]> keys = new ArrayList<>();
    for (String row : rows) {
      keys.add(Bytes.toBytes(row));
    }
    return new RegionContent(region, keys, bytes);
  }
}
