package io.rowguard.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Faults that are healed after some seconds, which do not pass here. */
class LastingFaultsTest extends WatchedCluster {
  private static final String[] WHOLE = {
    "datanode-1 running", "datanode-2 running", "datanode-3 running", "master-1 running (active)",
    "master-2 running", "region-server-1 running", "region-server-2 running", "zookeeper running"
  };

  private final List<Integer> rests = new ArrayList<>();

  @BeforeEach
  void showAll() throws IOException {
    cluster.shows(WHOLE);
  }

  private Map<Fault, Harm> harms(Rest rest) {
    return new LastingFaults(cluster.script(), watch, 7, events, rest).harms();
  }

  private Harm harm(Fault fault) {
    return harms(rests::add).get(fault);
  }

  @Test
  void harms_always_areThoseThatNeedSomething() {
    for (Fault fault : Fault.values()) {
      assertEquals(
          fault.need() != Fault.Need.NOTHING, harms(rests::add).containsKey(fault), fault::name);
    }
  }

  @Test
  void cut_ofARegionServer_isHealedAndExplainsItsEnd() throws Exception {
    String done = harm(Fault.CUT_REGION_SERVER).strike();

    String name = done.substring(0, done.indexOf(' '));
    assertEquals(name + " is cut off, " + rests.get(0) + " s", done);
    assertEquals(List.of("cut " + name, "heal " + name), cluster.commands());
    assertTrue(rests.get(0) >= 5 && rests.get(0) <= 60, done);

    cluster.shows(name + " dead");
    watch.heal();
    assertEquals(Set.of(), watch.violations());
  }

  @Test
  void part_ofServers_isFromAnyOther() throws Exception {
    Harm part = harm(Fault.PART_SERVERS);

    for (int i = 0; i < 50; i++) {
      part.strike();
    }

    List<String> cuts = cluster.commands().stream().filter(c -> c.startsWith("cut ")).toList();
    assertEquals(50, cuts.size());
    for (int i = 0; i < cuts.size(); i++) {
      String[] words = cuts.get(i).split(" ", -1);
      assertEquals(3, words.length, cuts.get(i));
      assertTrue(words[1].startsWith("region-server-"), cuts.get(i));
      assertTrue(!words[1].equals(words[2]), cuts.get(i));
      assertEquals("heal " + words[1], cluster.commands().get(2 * i + 1));
    }
    Set<String> peers = new TreeSet<>();
    cuts.forEach(c -> peers.add(c.split(" ", -1)[2]));
    assertEquals(WHOLE.length, peers.size(), peers::toString);
  }

  @Test
  void fill_ofADisk_isOfTheLastDataNode() throws Exception {
    harm(Fault.FULL_DISK).strike();

    assertEquals(List.of("fill datanode-3", "heal datanode-3"), cluster.commands());
  }

  @Test
  void fill_withADataNodeDown_isNotDone() throws Exception {
    cluster.shows("datanode-1 running", "datanode-2 dead", "datanode-3 running");

    assertNull(harm(Fault.FULL_DISK).strike());
    assertEquals(List.of(), cluster.commands());
  }

  @Test
  void flap_always_isOneCommand() throws Exception {
    String done = harm(Fault.FLAP).strike();

    assertEquals(
        List.of("flap " + done.replace(",", "").replace(" s", "")), cluster.commands(), done);
    assertEquals(List.of(), rests);
  }

  @Test
  void slow_thatIsInterrupted_isHealed() throws Exception {
    Harm slow =
        harms(
                seconds -> {
                  throw new InterruptedException();
                })
            .get(Fault.SLOW_REGION_SERVER);

    assertThrows(InterruptedException.class, slow::strike);

    assertEquals(2, cluster.commands().size());
    assertTrue(cluster.commands().get(1).startsWith("heal region-server-"));
  }

  @Test
  void cut_thatDoesNotSucceed_throws() throws Exception {
    cluster.fails();

    assertThrows(IOException.class, harm(Fault.CUT_REGION_SERVER)::strike);
  }
}
