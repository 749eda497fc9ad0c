package io.rowguard.soak;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests on a cluster that is a script, anew for each of them, whose servers are watched. */
abstract class WatchedCluster {
  @TempDir Path directory;
  FakeCluster cluster;
  Events events;
  ServerWatch watch;

  /** The time of the watch. */
  long second;

  @BeforeEach
  void startWatch() throws IOException {
    cluster = new FakeCluster(directory);
    events = new Events(directory);
    watch = new ServerWatch(cluster.script(), events, () -> TimeUnit.SECONDS.toNanos(second));
  }

  @AfterEach
  void closeEvents() {
    events.close();
  }
}
