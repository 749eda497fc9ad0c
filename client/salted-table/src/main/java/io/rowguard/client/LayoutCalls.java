package io.rowguard.client;

import java.io.IOException;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Row;

/**
 * Reads and writes one row under the layouts of the moment, and again under those that came
 * meanwhile. As thread-safe as the calls that it makes.
 *
 * <p>A write is sent again only when the server says that it belongs elsewhere, or was planned with
 * other layouts; nothing of it was carried out then. After any other failure it is not. It takes
 * another row only when the layouts have changed.
 *
 * <p>Where writers choose the bucket this is for what one row takes; {@link SaltedLists} sends what
 * goes to all.
 */
final class LayoutCalls {
  /** One call to the table of salted rows. */
  interface RowCall<R extends Row, T> {
    T send(R salted) throws IOException;
  }

  private final LayoutCache layouts;
  private final LongSupplier timeoutMillis;

  /**
   * @param timeoutMillis how long one of these may wait for regions that have not reopened
   */
  LayoutCalls(LayoutCache layouts, LongSupplier timeoutMillis) {
    this.layouts = layouts;
    this.timeoutMillis = timeoutMillis;
  }

  /**
   * Reads a row, at each of {@link TableLayouts#rowsToRead} until one shows something.
   *
   * @param showsNothing whether an answer is that of a row that is not there
   */
  <T> T read(Get given, RowCall<Get, T> call, Predicate<T> showsNothing) throws IOException {
    LayoutRetry retry = new LayoutRetry(layouts, timeoutMillis.getAsLong());
    TableLayouts plan = layouts.now();
    while (true) {
      try {
        T answer = null;
        for (byte[] row : plan.rowsToRead(given.getRow())) {
          answer = call.send(plan.actions().on(row, given));
          if (!showsNothing.test(answer)) {
            break;
          }
        }
        return answer;
      } catch (IOException e) {
        plan = next(retry, plan, e);
      }
    }
  }

  /** Writes a row: the primary one, or the other one where the server says so. */
  <R extends Row, T> T write(R given, RowCall<R, T> call) throws IOException {
    LayoutRetry retry = new LayoutRetry(layouts, timeoutMillis.getAsLong());
    TableLayouts plan = layouts.now();
    byte[] row = null;
    while (true) {
      try {
        row = row == null ? plan.rowToWrite(given.getRow()) : row;
        try {
          return call.send(plan.actions().on(row, given));
        } catch (IOException e) {
          byte[] other = LayoutRetry.isOtherRow(e) ? plan.counterpart(row) : null;
          if (other == null) {
            throw e;
          }
          return call.send(plan.actions().on(other, given));
        }
      } catch (IOException e) {
        TableLayouts next = next(retry, plan, e);
        row = next == plan ? row : null;
        plan = next;
      }
    }
  }

  /** The layouts to plan with next, if those are of a kind for which one row is enough. */
  private static TableLayouts next(LayoutRetry retry, TableLayouts plan, IOException e)
      throws IOException {
    TableLayouts next = retry.next(plan, e);
    if (next.hasChoice() && !plan.hasChoice()) {
      e.addSuppressed(
          new IOException(
              "The table has been made anew, and writers choose the bucket of its rows now: call"
                  + " again. "
                  + next));
      throw e;
    }
    return next;
  }
}
