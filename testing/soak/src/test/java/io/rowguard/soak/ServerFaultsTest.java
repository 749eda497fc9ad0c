package io.rowguard.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Servers that die, stand still or are restarted, for seconds that do not pass here. */
class ServerFaultsTest extends WatchedCluster {
  private static final String[] WHOLE = {
    "datanode-1 running",
    "datanode-2 running",
    "datanode-3 running",
    "master-1 running",
    "master-2 running (active)",
    "region-server-1 running",
    "region-server-2 running"
  };

  private final List<Integer> rests = new ArrayList<>();

  @BeforeEach
  void showAll() throws IOException {
    cluster.shows(WHOLE);
  }

  private Harm harm(Fault fault) {
    return new ServerFaults(cluster.script(), watch, 7, events, rests::add).harms().get(fault);
  }

  /** A backup takes its place, and it ends when it goes on. */
  @Test
  void pause_ofAMaster_isOfTheActiveOne_andExplainsItsEnd() throws Exception {
    String done = harm(Fault.PAUSE_MASTER).strike();

    int seconds = Integer.parseInt(done.replaceAll("\\D*2, (\\d+) s", "$1"));
    assertEquals("master-2, " + seconds + " s", done);
    assertEquals(List.of("pause master-2 " + seconds), cluster.commands());
    assertTrue(seconds >= 5 && seconds <= 60, done);

    cluster.shows("master-1 running (active)", "master-2 dead");
    watch.heal();
    assertEquals("add master-2", cluster.commands().get(1));
    assertEquals(Set.of(), watch.violations());
  }

  @Test
  void pause_withoutAnActiveMaster_isNotDone() throws Exception {
    cluster.shows("master-1 running", "master-2 dead");

    assertNull(harm(Fault.PAUSE_MASTER).strike());
    assertEquals(List.of(), cluster.commands());
  }

  @Test
  void pause_ofADataNode_isShorterThanThatOfARegionServer() throws Exception {
    Harm dataNode = harm(Fault.PAUSE_DATANODE);
    Harm regionServer = harm(Fault.PAUSE_REGION_SERVER);

    int longest = 0;
    for (int i = 0; i < 50; i++) {
      assertTrue(seconds(dataNode) <= 30);
      longest = Math.max(longest, seconds(regionServer));
    }

    assertTrue(longest > 30 && longest <= 60, () -> "" + rests);
  }

  private static int seconds(Harm pause) throws Exception {
    return Integer.parseInt(pause.strike().replaceAll(".*, (\\d+) s", "$1"));
  }

  @Test
  void kill_ofAMaster_leavesItDownForAWhile() throws Exception {
    String name = harm(Fault.KILL_MASTER).strike();

    assertEquals(List.of("kill " + name), cluster.commands());
    assertTrue(rests.get(0) >= 1 && rests.get(0) <= 20, rests::toString);
  }

  @Test
  void kill_ofTheLastRegionServer_isNotDone() throws Exception {
    cluster.shows("master-1 running (active)", "region-server-1 running");

    assertNull(harm(Fault.KILL_REGION_SERVER).strike());
    assertEquals(List.of(), cluster.commands());
  }
}
