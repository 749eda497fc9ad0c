package io.rowguard.observer.metrics;

import static io.rowguard.observer.fixture.Writes.BAD;
import static io.rowguard.observer.fixture.Writes.GOOD;
import static io.rowguard.observer.fixture.Writes.put;

import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.Servers;
import io.rowguard.testing.Eventually;
import io.rowguard.testing.MiniCluster;
import java.lang.management.ManagementFactory;
import java.util.List;
import javax.management.AttributeNotFoundException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The counters where an operator's tools find them: in JMX, beside HBase's own. */
@ExtendWith(MiniCluster.class)
class JmxIT {
  private static final String BEAN =
      "Hadoop:service=HBase,name=RegionServer,"
          + "sub=Coprocessor.Region.CP_io.rowguard.observer.LayoutRegionObserver";

  private final HBaseTestingUtility hbase;

  JmxIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @Test
  void jmx_afterWrites_showsTheCountersOfTheTable() throws Exception {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      guarded.batch(List.of(put(GOOD), put("carol|0002"), put(BAD), put("bob")));
      String prefix = "Namespace_default_table_" + guarded.name() + "_metric_";

      // HBase publishes new registries every ten seconds.
      Eventually.isTrue(
          "counters of " + guarded.name(),
          () ->
              attribute(prefix + "conforming") == 2
                  && attribute(prefix + "rejected_not_digits") == 1
                  && attribute(prefix + "rejected_literal_missing") == 1
                  && attribute(prefix + "rejected_wrong_salt") == 0);
    }
  }

  /**
   * HBase publishes a registry by its name and keeps publishing the same object ({@code
   * GlobalMetricRegistriesAdapter}), and drops a registry with the last region that uses it. So one
   * that goes and comes back within ten seconds is frozen for ever.
   */
  @Test
  void jmx_afterTheOnlyGuardedRegionWasReopened_goesOn() throws Exception {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      guarded.table().put(put(GOOD));
      String name = "Namespace_default_table_" + guarded.name() + "_metric_conforming";
      Eventually.isTrue("counters of " + guarded.name(), () -> attribute(name) >= 1);

      guarded.alter("rowguard.delete", "enforce");
      guarded.table().put(List.of(put(GOOD), put("b|0002"), put("c|0003")));

      Eventually.isTrue("three more of " + guarded.name(), () -> attribute(name) >= 3);
    }
  }

  @Test
  void jmx_afterMovesAndTheClosingOfTheTable_goesOn() throws Exception {
    Servers servers = new Servers(hbase);
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      RegionInfo region = hbase.getAdmin().getRegions(guarded.name()).get(0);
      ServerName first = servers.of(region);
      String name = "Namespace_default_table_" + guarded.name() + "_metric_conforming";
      for (ServerName to : List.of(servers.otherThan(first), first)) {
        guarded.table().put(put(GOOD));
        servers.move(region, to);
      }
      guarded.table().put(put(GOOD));
      hbase.getAdmin().disableTable(guarded.name());

      Eventually.isTrue("counters of " + guarded.name(), () -> attribute(name) == 3);
    }
  }

  /**
   * The value of an attribute, -1 while there is none: HBase takes all of its beans away for half a
   * second whenever regions have come or gone ({@code JmxCacheBuster}).
   */
  private static long attribute(String name) throws JMException {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      return ((Number) server.getAttribute(new ObjectName(BEAN), name)).longValue();
    } catch (InstanceNotFoundException | AttributeNotFoundException e) {
      return -1;
    }
  }
}
