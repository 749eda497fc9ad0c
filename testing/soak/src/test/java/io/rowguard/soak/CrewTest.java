package io.rowguard.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A soak fails when one of its workers stops, however it stops. */
class CrewTest {
  private static final int TEN_HOURS = 36_000;

  @TempDir private Path directory;
  private Events events;
  private Crew crew;

  @BeforeEach
  void start() throws IOException {
    events = new Events(directory);
    crew = new Crew(events);
  }

  @AfterEach
  void close() {
    events.close();
  }

  private static void awaitCount(Worker worker) throws InterruptedException {
    while (worker.count() == 0) {
      Thread.sleep(1);
    }
  }

  @Test
  void allWell_hasNoViolation() throws Exception {
    Worker client = crew.start("client", TEN_HOURS, () -> Thread.sleep(1));
    Worker nemesis = crew.start("nemesis", TEN_HOURS, () -> Thread.sleep(1));
    awaitCount(client);
    awaitCount(nemesis);

    crew.watch(0);
    crew.end(nemesis, TEN_HOURS);
    crew.endAll(TEN_HOURS);

    assertEquals(List.of(), crew.violations());
  }

  @Test
  void nemesisThatThrows_endsTheWatchEarlyAndIsAViolation() throws Exception {
    crew.start("client", TEN_HOURS, () -> Thread.sleep(1));
    Worker nemesis =
        crew.start(
            "nemesis",
            TEN_HOURS,
            () -> {
              throw new IOException("gone");
            });
    assertTrue(nemesis.join(Long.MAX_VALUE));

    crew.watch(TEN_HOURS);
    crew.end(nemesis, TEN_HOURS);

    assertEquals(
        List.of("nemesis failed after 0 operations: java.io.IOException: gone"), crew.violations());
  }

  @Test
  void clientThatIsStuck_isAViolation() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    crew.start(
        "client",
        TEN_HOURS,
        () -> {
          begun.countDown();
          never.await();
        });
    begun.await();

    crew.endAll(0);

    assertEquals(List.of("client does not end"), crew.violations());
    never.countDown();
  }
}
