package io.rowguard.tools.relayout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.tools.relayout.Pace.Why;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The controller beside servers that are simulated: reads become slower the closer the movers come
 * to a capacity, as in a queue, and vary by themselves. The pace that it should find follows from
 * that without the controller.
 */
class PaceControllerTest {
  private static final double SLOWDOWN = 0.2;

  /** Reads become slower by this share at half of the capacity. */
  private static final double WEIGHT = 0.5;

  private static final double SPREAD = 0.4;
  private static final double UNLIMITED = 1e9;

  /** Servers, their clients' reads, and a mover that does what it is told. */
  private static final class World {
    final Random random;
    final PaceController controller;
    double capacity;

    /** How fast rows could move by themselves. */
    double fastest = UNLIMITED;

    double restMillis = 1;
    boolean isSilent;
    boolean isBusy;
    long now = 1_000;
    double moved;
    long busyAnswers;

    /** Since they were cleared: time, rows, and what reads were slowed by, weighed by time. */
    double seconds;

    double rows;
    double movingSeconds;
    double excess;
    double least = Double.MAX_VALUE;
    double largest;

    World(long seed, double capacity, double most) {
      random = new Random(seed);
      this.capacity = capacity;
      controller = new PaceController(SLOWDOWN, most, PaceTimes.usual(), () -> now);
    }

    /** By how much reads are slower at a rate. */
    double excess(double rate) {
      double load = Math.min(rate, 0.98 * capacity);
      return WEIGHT * load / (capacity - load);
    }

    /** The rate at which they are slower by the target. */
    double ideal() {
      return SLOWDOWN * capacity / (WEIGHT + SLOWDOWN);
    }

    void clear() {
      seconds = rows = movingSeconds = excess = 0;
      least = Double.MAX_VALUE;
      largest = 0;
    }

    void live(double forSeconds) {
      long until = now + (long) (forSeconds * 1e9);
      while (now < until) {
        controller.tick((long) moved, busyAnswers, true);
        double allowed = controller.pace().rowsPerSecond();
        double rate = controller.isResting() ? 0 : Math.min(fastest, allowed);
        double took =
            restMillis * (1 + excess(rate)) * Math.exp(SPREAD * random.nextGaussian()) * 1e6;
        double nanos = Math.max(took, (double) controller.gapNanos());
        now += (long) nanos;
        if (isSilent) {
          controller.unanswered();
        } else {
          controller.read((long) took);
        }
        note(rate, allowed, nanos / 1e9);
      }
    }

    private void note(double rate, double allowed, double passed) {
      moved += rate * passed;
      rows += rate * passed;
      seconds += passed;
      busyAnswers += isBusy && rate > 0 ? 1 : 0;
      if (rate > 0) {
        movingSeconds += passed;
        excess += excess(rate) * passed;
      }
      least = Math.min(least, allowed);
      largest = Math.max(largest, allowed);
    }

    double meanExcess() {
      return excess / movingSeconds;
    }

    double rowsPerSecond() {
      return rows / seconds;
    }
  }

  static Stream<Arguments> worlds() {
    return Stream.of(1_500.0, 20_000.0, 300_000.0)
        .flatMap(capacity -> Stream.of(1L, 2L, 3L).map(seed -> Arguments.of(seed, capacity)));
  }

  @ParameterizedTest(name = "seed={0} capacity={1}")
  @MethodSource("worlds")
  void pace_besideServersThatBecomeSlower_endsAtTheTarget(long seed, double capacity) {
    World world = new World(seed, capacity, 0);
    world.live(90);
    world.clear();
    world.live(600);

    assertTrue(world.meanExcess() <= 1.1 * SLOWDOWN, "excess=" + world.meanExcess());
    assertTrue(
        world.rowsPerSecond() >= 0.6 * world.ideal(),
        "rate=" + world.rowsPerSecond() + " ideal=" + world.ideal());
    assertTrue(world.controller.pace().isSlowed(), world.controller.pace().toString());
  }

  @ParameterizedTest(name = "seed={0} capacity={1}")
  @MethodSource("worlds")
  void pace_whenServersGetSlowAndFastAgain_follows(long seed, double capacity) {
    World world = new World(seed, capacity, 0);
    world.live(120);
    world.capacity = Math.max(capacity / 20, 3 * PaceController.FLOOR);
    world.live(30);
    world.clear();
    world.live(60);
    assertTrue(world.meanExcess() <= 3 * SLOWDOWN, "excess=" + world.meanExcess());

    world.capacity = capacity;
    world.live(90);
    world.clear();
    world.live(60);
    assertTrue(
        world.rowsPerSecond() >= 0.4 * world.ideal(),
        "rate=" + world.rowsPerSecond() + " ideal=" + world.ideal());
  }

  /** Reads become slower by others: at rest just as well, so that is no reason. */
  @Test
  void pace_whenClientsMakeReadsSlower_staysWhereItIs() {
    World world = new World(11, 20_000, 0);
    world.live(200);
    world.restMillis = 5;
    world.live(150);
    world.clear();
    world.live(300);
    assertTrue(world.rowsPerSecond() >= 0.6 * world.ideal(), "rate=" + world.rowsPerSecond());
    assertTrue(world.meanExcess() <= 1.1 * SLOWDOWN, "excess=" + world.meanExcess());
  }

  @ParameterizedTest(name = "seed={0} capacity={1}")
  @MethodSource("worlds")
  void pace_withALimit_staysBetweenThatAndTheFloor(long seed, double capacity) {
    World world = new World(seed, capacity, 700);
    world.live(300);
    assertTrue(world.largest <= 700, "largest=" + world.largest);
    assertTrue(world.least >= PaceController.FLOOR, "least=" + world.least);

    world.capacity = 50; // beside which even the floor is far too much
    world.clear();
    world.live(300);
    assertEquals(PaceController.FLOOR, world.controller.pace().rowsPerSecond());
    assertTrue(world.rowsPerSecond() > 0.5 * PaceController.FLOOR, "it goes on");
    assertEquals(Why.READS, world.controller.pace().why());

    World slow = new World(seed, capacity, 20);
    slow.live(100);
    assertEquals(20, slow.largest);
    assertEquals(20, slow.least);
  }

  /** The mover is at its end long before reads become slower: nothing is slowed. */
  @ParameterizedTest(name = "seed={0} capacity={1}")
  @MethodSource("worlds")
  void pace_thatIsMoreThanIsUsed_isNotSlowed(long seed, double capacity) {
    World world = new World(seed, 100 * capacity, 0);
    world.fastest = capacity;
    world.live(120);
    world.clear();
    world.live(120);
    assertTrue(
        world.rowsPerSecond() >= 0.8 * capacity, "rests are short; rate=" + world.rowsPerSecond());
  }

  @Test
  void pace_afterBusyAnswers_fallsAndSaysSo() {
    World world = new World(5, 20_000, 0);
    world.live(120);
    double before = world.controller.pace().rowsPerSecond();
    world.isBusy = true;
    world.live(40);
    assertEquals(Why.BUSY, world.controller.pace().why());
    assertTrue(world.controller.pace().rowsPerSecond() < before / 4);
    world.isBusy = false;
    world.live(90);
    assertTrue(world.controller.pace().rowsPerSecond() > before / 2);
  }

  @Test
  void pace_withoutAnyAnswer_staysWhereItBegan() {
    World world = new World(6, 20_000, 0);
    world.isSilent = true;
    world.live(120);
    assertEquals(Why.UNKNOWN, world.controller.pace().why());
    assertEquals(1_000, world.controller.pace().rowsPerSecond());
    assertTrue(world.moved > 10_000, "it goes on: " + world.moved);

    world.isSilent = false;
    world.live(60);
    assertTrue(world.controller.pace().rowsPerSecond() > 2_000);
    assertEquals(SLOWDOWN, world.excess(world.ideal()), 1e-9);
  }

  /** The controllers see the same reads, but for one in each rest and in each time of moving. */
  @Test
  void read_thatIsVerySlow_decidesNothingAlone() {
    assertEquals(paceWithASlowReadEach(0), paceWithASlowReadEach(20));
  }

  private static Pace paceWithASlowReadEach(int reads) {
    long[] now = {0};
    PaceController controller = new PaceController(SLOWDOWN, 0, PaceTimes.usual(), () -> now[0]);
    double moved = 0;
    for (int i = 1; i <= 2_000; i++) {
      controller.tick((long) moved, 0, true);
      now[0] += controller.gapNanos();
      double seconds = controller.gapNanos() / 1e9;
      moved += controller.isResting() ? 0 : controller.pace().rowsPerSecond() * seconds;
      boolean isSlow = reads > 0 && i % reads == 0;
      controller.read(TimeUnit.MILLISECONDS.toNanos(isSlow ? 50 : 1));
    }
    return controller.pace();
  }

  @Test
  void tick_atTheBeginning_restsUntilItHasLearned() {
    long[] now = {0};
    PaceController controller = new PaceController(SLOWDOWN, 0, PaceTimes.usual(), () -> now[0]);
    for (int i = 0; i < 100; i++) {
      controller.tick(0, 0, true);
      assertTrue(controller.isResting());
      controller.read(1_000_000);
    }
    controller.tick(0, 0, true);
    assertFalse(controller.isResting());
    assertFalse(controller.pace().isSlowed());
    assertEquals("", controller.pace().text());
  }

  /** Batches still under way slow the reads: they are none of a rest. */
  @Test
  void read_whileSomethingIsUnderWay_doesNotCountAsRest() {
    long[] now = {0};
    PaceController controller = new PaceController(SLOWDOWN, 0, PaceTimes.usual(), () -> now[0]);
    for (int i = 0; i < 150; i++) {
      controller.tick(0, 0, i >= 70);
      assertTrue(controller.isResting());
      controller.read(1_000_000);
    }
  }

  @Test
  void text_ofEachReason_saysThePace() {
    assertEquals(
        "slowed to 3,000 rows a second: probe reads take 2.1 ms, 1.4 ms while no row moves",
        new Pace(3_000, Why.READS, 2.12, 1.38).text());
    assertEquals(
        "slowed to 100 rows a second: servers have said that they are busy",
        new Pace(100, Why.BUSY, 1, 1).text());
    assertEquals(
        "slowed to 1,000 rows a second: no probe read is answered",
        new Pace(1_000, Why.UNKNOWN, 0, 0).text());
  }
}
