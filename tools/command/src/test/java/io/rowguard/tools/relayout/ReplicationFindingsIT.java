package io.rowguard.tools.relayout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.tools.ObservedCluster;
import io.rowguard.tools.relayout.StepRequest.PlanRequest;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.replication.ReplicationPeerConfig;
import org.apache.hadoop.hbase.replication.ReplicationPeerConfigBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A plan's findings about the clusters that a table replicates to. */
class ReplicationFindingsIT {
  private static final String BOTH = MovingTable.EIGHT + " ; " + MovingTable.SIXTEEN;

  private HBaseTestingUtility hbase;

  @BeforeEach
  void setUp() {
    hbase = ObservedCluster.running();
  }

  private TableDescriptor replicated(MovingTable table) throws Exception {
    TableDescriptor plain = hbase.getAdmin().getDescriptor(table.name());
    TableDescriptor replicated =
        TableDescriptorBuilder.newBuilder(plain)
            .modifyColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(plain.getColumnFamilies()[0])
                    .setScope(1)
                    .build())
            .build();
    hbase.getAdmin().modifyTable(replicated);
    return replicated;
  }

  private static ReplicationPeerConfigBuilder peer(String clusterKey) {
    return ReplicationPeerConfig.newBuilder().setClusterKey(clusterKey);
  }

  private PlanFindings look(MovingTable table, ReplicationPeerConfig peer) throws Exception {
    PlanFindings findings = new PlanFindings();
    Configuration conf = new Configuration(hbase.getConfiguration());
    conf.setInt("zookeeper.recovery.retry", 1); // as the command has it
    AlteredTable altered =
        new AlteredTable(
            hbase.getConnection(), conf, table.name(), Duration.ofMinutes(1), StepListener.none());
    ClusterMetrics metrics = hbase.getAdmin().getClusterMetrics();
    new ReplicationFindings(
            altered,
            hbase.getAdmin().getDescriptor(table.name()),
            List.of(MovingTable.EIGHT, MovingTable.SIXTEEN),
            findings)
        .look("7", peer, metrics);
    return findings;
  }

  /** The one validator says what a replicated table needs. */
  @Test
  void plan_ofAReplicatedTable_wantsBothLayoutsNamed() throws Exception {
    MovingTable table = MovingTable.create(hbase, "repl_plan", MovingTable.EIGHT, "reject");
    replicated(table);
    RelayoutSteps steps =
        RelayoutSteps.of(
            hbase.getConnection(), hbase.getConfiguration(), table.name(), StepListener.none());

    List<RelayoutObstacle> obstacles = steps.plan(PlanRequest.of(MovingTable.SIXTEEN)).obstacles();
    assertEquals("not_for_this_table", obstacles.get(0).code());
    assertTrue(
        obstacles.get(0).what().contains(MovingTable.SIXTEEN + " ; " + MovingTable.EIGHT)
            || obstacles.get(0).what().contains(BOTH),
        obstacles.get(0).what());

    table.alter("rowguard.replication.layouts", BOTH);
    assertEquals(List.of(), steps.plan(PlanRequest.of(MovingTable.SIXTEEN)).obstacles());
  }

  @Test
  void peer_whoseTableNamesNotBoth_isInTheWay() throws Exception {
    MovingTable table = MovingTable.create(hbase, "repl_peer", MovingTable.EIGHT, "reject");
    ReplicationPeerConfig here = peer(hbase.getClusterKey()).build();

    RelayoutObstacle obstacle = look(table, here).obstacles().get(0);
    assertEquals("peer_layouts", obstacle.code());
    assertTrue(obstacle.wayOut().contains("'" + BOTH + "'"), obstacle.wayOut());
    table.alter("rowguard.replication.layouts", MovingTable.EIGHT.toString());
    assertEquals("peer_layouts", look(table, here).obstacles().get(0).code());

    table.alter("rowguard.replication.layouts", BOTH);
    PlanFindings findings = look(table, here);
    assertEquals(List.of(), findings.obstacles());
    assertEquals(List.of(), findings.notes());
  }

  @Test
  void peer_thatIsSerial_orHasItsOwnEndpoint_orCannotBeRead_isNamed() throws Exception {
    MovingTable table = MovingTable.create(hbase, "repl_odd", MovingTable.EIGHT, "reject");
    table.alter("rowguard.replication.layouts", BOTH);

    PlanFindings serial = look(table, peer(hbase.getClusterKey()).setSerial(true).build());
    assertEquals(List.of(), serial.obstacles());
    assertTrue(serial.notes().get(0).startsWith("Peer 7 is serial"), serial.notes()::toString);

    PlanFindings other =
        look(table, peer("x:1:/h").setReplicationEndpointImpl("org.example.Indexer").build());
    assertEquals("peer_endpoint", other.obstacles().get(0).code());
    assertTrue(other.obstacles().get(0).what().contains("org.example.Indexer"));

    PlanFindings gone = look(table, peer("localhost:1:/nothing").build());
    assertEquals(List.of(), gone.obstacles());
    assertTrue(gone.notes().get(0).contains("cannot be read from here"), gone.notes()::toString);
  }
}
