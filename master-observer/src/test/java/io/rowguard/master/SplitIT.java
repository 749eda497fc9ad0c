package io.rowguard.master;

import static io.rowguard.master.RefusedOperations.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.testing.Eventually;
import io.rowguard.testing.MiniCluster;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionServerServices.RegionStateTransitionContext;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionStateTransition.TransitionCode;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The splits that are taken, by clients and by servers. */
@ExtendWith(MiniCluster.class)
class SplitIT {
  private static final String HBASES =
      "org.apache.hadoop.hbase.regionserver.ConstantSizeRegionSplitPolicy";

  private final HBaseTestingUtility hbase;
  private final RuleCounters counters = new RuleCounters();

  SplitIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @Test
  void split_atAnIllegalKey_isRefusedWithTheKeysOnBothSides() throws Exception {
    try (DeclaredTable table = DeclaredTable.grouped(hbase).create()) {
      table.put("alice|0001", "kim|0100", "kim|0900", "zoe|0001");
      table.flush();

      assertRefused(
          () -> table.split("kim|0500"),
          "The split key is no legal boundary of the table's layout. table="
              + table.name
              + " rule=split_illegal key=\"kim|0500\" offset=4 reason=\"it reaches beyond the end"
              + " of an entity group\" below=\"kim|\" above=\"kin\".",
          "To do it all the same, first open the table for 10 minutes: alter '"
              + table.name
              + "', METADATA => {'rowguard.force' => 'the reason'}.");
      assertEquals(List.of(""), table.startKeys());

      table.split("kim|");
      assertEquals(List.of("", "kim|"), table.startKeys());
      assertEquals(Map.of("refused_split_illegal", 1L), counters.moved());
    }
  }

  /** HBase would refuse the region's own start key. */
  @Test
  void split_atAnIllegalKey_offersNoKeyOutsideTheRegion() throws Exception {
    try (DeclaredTable table = DeclaredTable.grouped(hbase).withSplits("kim|", "kin").create()) {
      assertRefused(() -> table.split("kim|0500"), " below=none above=none.");
    }
  }

  @Test
  void split_ofATableOpenedByForce_isTaken() throws Exception {
    try (DeclaredTable table = DeclaredTable.grouped(hbase).create()) {
      table.put("kim|0100", "kim|0900");
      table.flush();

      table.alter("rowguard.force", "kim is too big for a server");
      table.split("kim|0500");

      assertEquals(List.of("", "kim|0500"), table.startKeys());
      assertEquals(
          Map.of("forced_split_illegal", 1L, "forced_split_cuts_group", 1L), counters.moved());
    }
  }

  @Test
  void split_inWarnMode_isTakenWithAWarning() throws Exception {
    try (DeclaredTable table = DeclaredTable.grouped(hbase, "rowguard.mode", "warn").create()) {
      table.put("kim|0100", "kim|0900");
      table.flush();

      table.split("kim|0500");

      assertEquals(2, table.regions().size());
      assertEquals(
          Map.of("warned_split_illegal", 1L, "warned_split_cuts_group", 1L), counters.moved());
    }
  }

  @Test
  void split_inOffModeOrWithoutLayout_isTaken() throws Exception {
    try (DeclaredTable off = DeclaredTable.grouped(hbase, "rowguard.mode", "off").create();
        DeclaredTable without = DeclaredTable.of(hbase).create()) {
      for (DeclaredTable table : List.of(off, without)) {
        table.put("kim|0100", "kim|0900");
        table.flush();
        table.split("kim|0500");
        assertEquals(2, table.regions().size());
      }
      assertEquals(Map.of(), counters.moved());
    }
  }

  @Test
  void split_ofATableThatIsWrong_isRefused() throws Exception {
    try (DeclaredTable table =
        DeclaredTable.grouped(hbase, "rowguard.group", "usr", "rowguard.force", "test")
            .withPolicy(HBASES)
            .create()) {
      assertRefused(
          () -> table.split("kim|"),
          "is wrong, so its regions do not split. table=" + table.name,
          "rule=wrong_configuration");
    }
  }

  /** With no key the master asks the region, whose policy knows no groups. */
  @Test
  void split_withoutAKeyThatWouldCutAGroup_isRefusedBeforeTheRegionCloses() throws Exception {
    try (DeclaredTable table = oneGroup()) {
      RegionInfo region = table.regions().get(0);

      assertRefused(
          () -> table.admin().splitRegionAsync(region.getRegionName()).get(),
          "The split would divide an entity group. table="
              + table.name
              + " rule=split_cuts_group group=user key=\"kim|",
          "SPLIT_POLICY=io.rowguard.split.LayoutRegionSplitPolicy");

      assertEquals(List.of(region), table.regions());
      table.put("kim|9999");
      assertEquals(
          Map.of("refused_split_cuts_group", 1L, "warned_guard_incomplete", 1L), counters.moved());
    }
  }

  /** As a server does after a flush, with the key of HBase's own policy. */
  @Test
  void split_automaticThatWouldCutAGroup_isRefused() throws Exception {
    try (DeclaredTable table = oneGroup()) {
      HRegion region = hbase.getMiniHBaseCluster().getRegions(table.name).get(0);
      byte[] middle = region.checkSplit(true).orElseThrow();
      assertTrue(Bytes.toString(middle).startsWith("kim|"));

      requestSplit(region, middle);

      Eventually.isTrue(
          "the refusal", () -> counters.moved().getOrDefault("refused_split_cuts_group", 0L) >= 1);
      Eventually.isTrue("the region is open", () -> region.isAvailable());
      table.put("kim|9999");
      assertEquals(1, table.regions().size());
    }
  }

  /** As a server asks for it; a legal key, and one that merely no row begins with. */
  @Test
  void split_automaticThatCutsNoGroup_isTaken() throws Exception {
    for (String key : List.of("m", "m+")) {
      try (DeclaredTable table = DeclaredTable.grouped(hbase).withPolicy(HBASES).create()) {
        table.put("alice|0001", "zoe|0001");
        table.flush();
        HRegion region = hbase.getMiniHBaseCluster().getRegions(table.name).get(0);

        requestSplit(region, Bytes.toBytes(key));

        Eventually.isTrue("the split", () -> table.startKeys().equals(List.of("", key)));
      }
    }
    assertFalse(counters.moved().keySet().stream().anyMatch(name -> name.startsWith("refused")));
  }

  /** The call that the normalizer makes, which has no request of a client behind it. */
  @Test
  void split_byTheNormalizer_isChecked() throws Exception {
    try (DeclaredTable table = oneGroup()) {
      hbase
          .getMiniHBaseCluster()
          .getMaster()
          .splitRegion(table.regions().get(0), null, HConstants.NO_NONCE, HConstants.NO_NONCE);

      Eventually.isTrue(
          "the refusal", () -> counters.moved().getOrDefault("refused_split_cuts_group", 0L) >= 1);
      assertEquals(1, table.regions().size());
    }
  }

  /** A region of one group, under a policy that does not know groups. */
  private DeclaredTable oneGroup() throws Exception {
    DeclaredTable table = DeclaredTable.grouped(hbase).withPolicy(HBASES).create();
    String[] rows = new String[2_000];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = String.format("kim|%04d", i);
    }
    table.putTogether(rows);
    table.flush();
    return table;
  }

  /** As {@code SplitRequest} does in the server. */
  private void requestSplit(HRegion region, byte[] key) {
    RegionInfo parent = region.getRegionInfo();
    RegionInfo lower =
        RegionInfoBuilder.newBuilder(parent.getTable())
            .setStartKey(parent.getStartKey())
            .setEndKey(key)
            .build();
    RegionInfo upper =
        RegionInfoBuilder.newBuilder(parent.getTable())
            .setStartKey(key)
            .setEndKey(parent.getEndKey())
            .build();
    int server = hbase.getMiniHBaseCluster().getServerWith(parent.getRegionName());
    boolean accepted =
        hbase
            .getMiniHBaseCluster()
            .getRegionServer(server)
            .reportRegionStateTransition(
                new RegionStateTransitionContext(
                    TransitionCode.READY_TO_SPLIT,
                    HConstants.NO_SEQNUM,
                    -1,
                    -1,
                    parent,
                    lower,
                    upper));
    assertTrue(accepted);
  }
}
