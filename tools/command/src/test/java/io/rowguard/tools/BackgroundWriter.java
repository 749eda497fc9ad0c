package io.rowguard.tools;

import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.client.Table;

/** Writes into a table, round after round, until it is closed; fails then if it could not. */
final class BackgroundWriter implements AutoCloseable {
  /** One round of writes. */
  interface Round {
    void write(Table table, long number) throws IOException;
  }

  private final AtomicReference<IOException> failure = new AtomicReference<>();
  private final Thread thread;
  private volatile boolean isOver;

  private BackgroundWriter(Table table, Round round) {
    thread =
        new Thread(
            () -> {
              try (Table closed = table) {
                for (long number = 1; !isOver; number++) {
                  round.write(closed, number);
                }
              } catch (IOException e) {
                failure.set(e);
              }
            },
            "background-writer");
  }

  /**
   * Starts it.
   *
   * @param table is closed in the end
   */
  static BackgroundWriter start(Table table, Round round) {
    BackgroundWriter writer = new BackgroundWriter(table, round);
    writer.thread.start();
    return writer;
  }

  /** Whether nothing has stopped it. */
  boolean isWriting() {
    return thread.isAlive();
  }

  @Override
  public void close() {
    isOver = true;
    boolean isInterrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
    assertNull(failure.get());
  }
}
