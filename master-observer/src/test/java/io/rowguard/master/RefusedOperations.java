package io.rowguard.master;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.ExecutionException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.snapshot.RestoreSnapshotException;
import org.junit.jupiter.api.function.Executable;

/** The error that a client gets when an operation is refused. */
final class RefusedOperations {
  private RefusedOperations() {}

  /** The message that an operation is refused with; fails when it is not, or in a way to retry. */
  static String messageOf(Executable operation) {
    Throwable error = assertThrows(Throwable.class, operation);
    if (error instanceof ExecutionException) {
      error = error.getCause();
    }
    if (error instanceof RestoreSnapshotException) {
      error = error.getCause(); // which the shell shows instead
    }
    DoNotRetryIOException refusal = assertInstanceOf(DoNotRetryIOException.class, error);
    String firstLine = refusal.getMessage().lines().findFirst().orElseThrow();
    return firstLine.replaceFirst("^([\\w.]+Exception: )+", "");
  }

  /** Fails unless an operation is refused with a message that has all of these. */
  static void assertRefused(Executable operation, String... parts) {
    String message = messageOf(operation);
    for (String part : parts) {
      assertTrue(message.contains(part), () -> "\"" + part + "\" is not in: " + message);
    }
  }
}
