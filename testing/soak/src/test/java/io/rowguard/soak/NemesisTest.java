package io.rowguard.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NemesisTest {
  private static final long SEED = 7;

  @TempDir private Path directory;
  private final List<String> struck = new ArrayList<>();
  private final Map<Fault, Harm> harms = new EnumMap<>(Fault.class);
  private FakeCluster cluster;
  private Events events;

  @BeforeEach
  void start() throws IOException {
    cluster = new FakeCluster(directory);
    cluster.shows("master-1 running (active)");
    events = new Events(directory);
  }

  @AfterEach
  void close() {
    events.close();
  }

  private Nemesis nemesis() {
    return new Nemesis(
        harms, new ServerWatch(cluster.script(), events, System::nanoTime), SEED, events);
  }

  private String strike(Fault fault) {
    struck.add(fault.toString());
    return "done";
  }

  @Test
  void strike_inEachRound_carriesOutEachFaultOnce() throws Exception {
    for (Fault fault : Fault.values()) {
      harms.put(fault, () -> strike(fault));
    }
    Nemesis nemesis = nemesis();
    int size = Fault.values().length;

    for (int i = 0; i < 2 * size; i++) {
      nemesis.strike();
    }

    assertEquals(size, new TreeSet<>(struck.subList(0, size)).size());
    assertEquals(size, new TreeSet<>(struck.subList(size, 2 * size)).size());
    assertEquals(List.of(), nemesis.violations());
  }

  @Test
  void strike_ofAFault_startsServersAgain() throws Exception {
    harms.put(
        Fault.KILL_MASTER,
        () -> {
          cluster.shows("master-1 dead");
          return "master-1";
        });

    nemesis().strike();

    assertEquals(List.of("add master-1"), cluster.commands());
  }

  @Test
  void faultInVain_isAViolationWhenEachHasBeenTried() throws Exception {
    for (Fault fault : Fault.values()) {
      harms.put(fault, () -> fault == Fault.SPLIT ? null : strike(fault));
    }
    Nemesis nemesis = nemesis();

    for (int i = 1; i < Fault.values().length; i++) {
      nemesis.strike();
    }
    assertEquals(List.of(), nemesis.violations());
    nemesis.strike();

    assertTrue(nemesis.counts().contains(" split=0 merge=1 "), nemesis.counts());
    assertEquals(List.of("the nemesis tried split in vain, times=1"), nemesis.violations());
  }

  @Test
  void faultInVain_thatSucceedsInTheNextRound_isNoViolation() throws Exception {
    Iterator<String> answers = Arrays.asList(null, "done").iterator();
    harms.put(Fault.SPLIT, answers::next);
    harms.put(Fault.MOVE, () -> strike(Fault.MOVE));
    Nemesis nemesis = nemesis();

    nemesis.strike();
    nemesis.strike();
    assertEquals(List.of("the nemesis tried split in vain, times=1"), nemesis.violations());
    nemesis.strike();
    nemesis.strike();

    assertEquals("split=1 move=2", nemesis.counts());
    assertEquals(List.of(), nemesis.violations());
  }

  @Test
  void nemesisThatDidNothing_isAViolation() {
    harms.put(Fault.SPLIT, () -> null);

    assertEquals(List.of("the nemesis did nothing"), nemesis().violations());
  }

  @Test
  void faultThatBreaks_endsTheNemesis() {
    harms.put(
        Fault.KILL_MASTER,
        () -> {
          throw new IOException("no such file");
        });

    assertThrows(IOException.class, nemesis()::strike);
  }
}
