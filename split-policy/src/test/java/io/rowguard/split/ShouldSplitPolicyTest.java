package io.rowguard.split;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.regionserver.BusyRegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.ConstantSizeRegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.RegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.SteppingSplitPolicy;
import org.junit.jupiter.api.Test;

/** The policy that decides when to split. */
class ShouldSplitPolicyTest {

  @Test
  void create_nothingConfigured_isHBasesDefault() throws Exception {
    assertEquals(SteppingSplitPolicy.class, created(null, null));
  }

  @Test
  void create_nothingOnTheTable_isThatOfTheCluster() throws Exception {
    assertEquals(
        ConstantSizeRegionSplitPolicy.class,
        created(null, ConstantSizeRegionSplitPolicy.class.getName()));
  }

  @Test
  void create_theClusterHasOurs_isHBasesDefault() throws Exception {
    assertEquals(SteppingSplitPolicy.class, created(null, LayoutRegionSplitPolicy.class.getName()));
  }

  @Test
  void create_oneOnTheTable_isThat() throws Exception {
    assertEquals(
        BusyRegionSplitPolicy.class,
        created(
            BusyRegionSplitPolicy.class.getName(), ConstantSizeRegionSplitPolicy.class.getName()));
  }

  @Test
  void create_anyPolicy_getsTheConfiguration() throws Exception {
    Configuration conf = new Configuration(false);

    assertSame(conf, ShouldSplitPolicy.create(null, conf).getConf());
  }

  @Test
  void create_ourselvesOnTheTable_throws() {
    IllegalArgumentException mistake =
        assertThrows(
            IllegalArgumentException.class,
            () -> created(LayoutRegionSplitPolicy.class.getName(), null));

    assertEquals("it decides where, not when; name another policy", mistake.getMessage());
  }

  @Test
  void create_noSuchClassOrNoPolicy_throws() {
    assertThrows(ClassNotFoundException.class, () -> created("org.example.None", null));
    assertThrows(ClassNotFoundException.class, () -> created("", null));
    assertThrows(ClassCastException.class, () -> created("java.lang.String", null));
    assertThrows(RuntimeException.class, () -> created(RegionSplitPolicy.class.getName(), null));
  }

  private static Class<?> created(String onTheTable, String ofTheCluster) throws Exception {
    Configuration conf = new Configuration(false);
    if (ofTheCluster != null) {
      conf.set(HConstants.HBASE_REGION_SPLIT_POLICY_KEY, ofTheCluster);
    }
    return ShouldSplitPolicy.create(onTheTable, conf).getClass();
  }
}
