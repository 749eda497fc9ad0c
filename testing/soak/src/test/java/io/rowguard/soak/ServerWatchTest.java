package io.rowguard.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Servers that are down come back, and those that no fault took down are told apart. */
class ServerWatchTest extends WatchedCluster {

  @Test
  void servers_asStatusShowsThem_areRead() throws Exception {
    cluster.shows("master-1 running (active)", "master-2 running", "region-server-1 paused");

    var servers = cluster.script().servers();

    assertEquals(Set.of("master-1", "master-2", "region-server-1"), servers.keySet());
    assertTrue(servers.get("master-1").isActive());
    assertEquals(
        "ServerStatus[name=region-server-1, state=paused, pid=4711, isActive=false]",
        servers.get("region-server-1").toString());
  }

  @Test
  void servers_ofNoCluster_throws() throws Exception {
    cluster.shows();

    assertThrows(IOException.class, () -> cluster.script().servers());
  }

  @Test
  void heal_afterAFault_startsTheServer() throws Exception {
    cluster.shows("master-1 running (active)", "region-server-1 dead", "region-server-2 paused");
    watch.expectHarm("region-server-1");
    watch.expectHarm("region-server-2");

    watch.heal();

    assertEquals(List.of("add region-server-1", "resume region-server-2"), cluster.commands());
    assertEquals(Set.of(), watch.violations());
  }

  @Test
  void heal_ofOneThatIsCutOff_healsIt() throws Exception {
    cluster.shows("master-1 running (active)", "region-server-1 cut");
    watch.expectHarm("region-server-1");

    watch.heal();

    assertEquals(List.of("heal region-server-1"), cluster.commands());
    assertEquals(Set.of(), watch.violations());
  }

  @Test
  void heal_withoutAFault_isAViolation() throws Exception {
    cluster.shows("master-1 running (active)", "region-server-1 dead", "region-server-2 dead");
    watch.expectHarm("region-server-2");

    watch.heal();

    assertEquals(List.of("add region-server-1", "add region-server-2"), cluster.commands());
    assertEquals(Set.of("region-server-1 is dead, and no fault took it down"), watch.violations());
  }

  /** A zombie may hang for minutes before its process ends. */
  @Test
  void heal_longAfterAFault_isAViolationUnlessItIsAZombie() throws Exception {
    cluster.shows("region-server-1 dead", "region-server-2 dead");
    watch.expectHarm("region-server-1");
    watch.expectZombie("region-server-2");
    watch.expectHarm("region-server-2");

    second = 120;
    watch.heal();
    assertEquals(Set.of(), watch.violations());
    second = 121;
    watch.heal();
    assertEquals(Set.of("region-server-1 is dead, and no fault took it down"), watch.violations());
    second = 301;
    watch.heal();
    assertEquals(2, watch.violations().size());
  }

  @Test
  void heal_thatDoesNotSucceed_throws() throws Exception {
    cluster.shows("region-server-1 dead");
    cluster.fails();

    assertThrows(IOException.class, watch::heal);
  }
}
