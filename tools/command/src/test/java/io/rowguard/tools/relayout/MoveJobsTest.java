package io.rowguard.tools.relayout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.rowguard.tools.cli.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.junit.jupiter.api.Test;

class MoveJobsTest {
  private final AtomicInteger attempts = new AtomicInteger();

  private void assertFailsAfter(int expected, IOException failure) {
    StringWriter text = new StringWriter();
    PrintWriter writer = new PrintWriter(text);
    Terminal terminal = new Terminal(InputStream.nullInputStream(), writer, writer, "plain");
    MoveJobs jobs =
        new MoveJobs(
            () -> {
              attempts.incrementAndGet();
              throw failure;
            },
            generation -> {
              throw new AssertionError("There is no job to watch.");
            },
            Duration.ZERO,
            new StepLines(terminal));
    assertSame(failure, assertThrows(IOException.class, jobs::run));
    assertEquals(expected, attempts.get(), text.toString());
  }

  @Test
  void run_ofJobsThatFail_triesAgainUntilThePatienceIsOver() {
    assertFailsAfter(2, new ConnectException("refused"));
  }

  @Test
  void run_withoutPermission_failsAtOnce() {
    assertFailsAfter(1, new AccessDeniedException("no"));
  }
}
