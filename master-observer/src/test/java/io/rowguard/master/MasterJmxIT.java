package io.rowguard.master;

import static io.rowguard.master.RefusedOperations.assertRefused;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.testing.Eventually;
import io.rowguard.testing.MiniCluster;
import java.lang.management.ManagementFactory;
import javax.management.AttributeNotFoundException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The counters where an operator's tools find them; HBase writes them with a capital there. */
@ExtendWith(MiniCluster.class)
class MasterJmxIT {
  private static final String BEAN =
      "Hadoop:service=HBase,name=Master,"
          + "sub=Coprocessor.Master.CP_io.rowguard.master.LayoutMasterObserver";

  private final HBaseTestingUtility hbase;

  MasterJmxIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @Test
  void jmx_afterARefusal_showsIt() throws Exception {
    try (DeclaredTable table = DeclaredTable.of(hbase, "rowguard.layout", "{")) {
      assertRefused(table::create, "rule=wrong_configuration");
    }

    long counted = RuleCounters.count("refused_wrong_configuration");
    assertTrue(counted > 0, "counted=" + counted);
    // HBase publishes new registries every ten seconds, and does not look at old ones each time.
    Eventually.isTrue("all that was counted", () -> refusals() == counted);
    Eventually.isTrue(
        "the other counter", () -> value("Failed_checks") == RuleCounters.count("failed_checks"));
  }

  private static long refusals() throws JMException {
    return value("Refused_wrong_configuration");
  }

  /**
   * The value of an attribute, -1 while there is none: HBase takes all of its beans away for half a
   * second whenever regions have come or gone ({@code JmxCacheBuster}).
   */
  private static long value(String attribute) throws JMException {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      return ((Number) server.getAttribute(new ObjectName(BEAN), attribute)).longValue();
    } catch (InstanceNotFoundException | AttributeNotFoundException e) {
      return -1;
    }
  }
}
