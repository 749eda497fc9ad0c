package io.rowguard.observer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.junit.jupiter.api.function.Executable;

/** A client's answer when a write is refused. */
final class Refusals {
  private Refusals() {}

  /** Fails unless a write is refused that has a row {@link Writes#BAD} in it. */
  static void assertRefused(GuardedTable guarded, Executable write) {
    assertEquals(of(guarded, Writes.BAD), messageOf(write));
  }

  /**
   * The message about a row in a table with {@link GuardedTable#LAYOUT}.
   *
   * @param row {@code bob|}, then three digits and an x
   */
  static String of(GuardedTable guarded, String row) {
    return String.format(
        "Rowkey does not fit the layout: segment item is not four digits. table=%s row=\"%s\""
            + " segment=item offset=7 expected=\"4 digits\" found=\"%s\"."
            + " Layout: {user:word}|{item:digits(4)}",
        guarded.name(), row, row.substring(4));
  }

  /** The message that a write is refused with; fails when it is not, or in a way to retry. */
  static String messageOf(Executable write) {
    return messageOf(assertThrows(Throwable.class, write));
  }

  /** The message in what a client got; the server's stack trace behind it is left out. */
  static String messageOf(Object result) {
    if (result instanceof RetriesExhaustedWithDetailsException several) {
      String first = messageOf(several.getCause(0));
      for (Throwable cause : several.getCauses()) {
        assertEquals(first, messageOf(cause));
      }
      return first;
    }
    DoNotRetryIOException refusal = assertInstanceOf(DoNotRetryIOException.class, reasonOf(result));
    String firstLine = refusal.getMessage().lines().findFirst().orElseThrow();
    return firstLine.replaceFirst("^(" + refusal.getClass().getName() + ": )+", "");
  }

  /**
   * The failure of an action: an AsyncTable wraps what fails in a batch, tried once; so does a
   * Table of HBase 3.0.
   */
  static Object reasonOf(Object result) {
    if (result instanceof RetriesExhaustedWithDetailsException several) {
      return several.getCause(0);
    }
    return result instanceof RetriesExhaustedException wrapped ? wrapped.getCause() : result;
  }

  /** The end of a write: its result, or its failure. */
  static Object endOf(CompletableFuture<?> write) {
    try {
      return write.orTimeout(1, TimeUnit.MINUTES).join();
    } catch (CompletionException e) {
      return e.getCause();
    }
  }

  /** The indexes of the actions of a batch that were refused. */
  static Set<Integer> placesOf(Object[] results) {
    Set<Integer> places = new TreeSet<>();
    for (int i = 0; i < results.length; i++) {
      assertNotNull(results[i], "The client has no answer for action " + i);
      if (results[i] instanceof Throwable) {
        messageOf(results[i]);
        places.add(i);
      }
    }
    return places;
  }
}
