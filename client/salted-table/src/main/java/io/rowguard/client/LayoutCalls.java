package io.rowguard.client;

import java.io.IOException;
import java.util.Arrays;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Reads and writes one row under the layouts of the moment, and again under those that came
 * meanwhile. As thread-safe as the calls that it makes.
 *
 * <p>While the layout changes a row is read where it goes to, where it comes from, and where it
 * goes to once more: between the first read and the second it may have gone. It is written where it
 * is at home.
 *
 * <p>A write is sent again only when the server says that it belongs elsewhere, or was planned with
 * other layouts; nothing of it was carried out then. After any other failure it is not.
 */
final class LayoutCalls {
  /** One call to the table of salted rows. */
  interface Call<T> {
    T to(SaltedActions actions) throws IOException;
  }

  private final KnownLayouts layouts;
  private final LongSupplier timeoutMillis;

  /**
   * @param timeoutMillis how long one of these may wait for regions that have not reopened
   */
  LayoutCalls(KnownLayouts layouts, LongSupplier timeoutMillis) {
    this.layouts = layouts;
    this.timeoutMillis = timeoutMillis;
  }

  /**
   * Reads a row.
   *
   * @param showsNothing whether an answer is that of a row that is not there
   */
  <T> T read(byte[] bareKey, Call<T> call, Predicate<T> showsNothing) throws IOException {
    TableLayouts plan = layouts.now();
    Replanning replanning = null;
    while (true) {
      try {
        T answer = call.to(plan.onCurrent());
        if (plan.isChanging() && showsNothing.test(answer) && hasTwoRows(plan, bareKey)) {
          answer = call.to(plan.onLeaving());
          return showsNothing.test(answer) ? call.to(plan.onCurrent()) : answer;
        }
        return answer;
      } catch (IOException e) {
        replanning = replanning(plan, e, replanning);
        plan = replanning.next(plan, e);
      }
    }
  }

  /** Whether the rows of a key differ between the layouts. */
  static boolean hasTwoRows(TableLayouts plan, byte[] bareKey) throws IOException {
    return !Arrays.equals(plan.onCurrent().row(bareKey), plan.onLeaving().row(bareKey));
  }

  /** Writes a row. */
  <T> T write(Call<T> call) throws IOException {
    TableLayouts plan = layouts.now();
    Replanning replanning = null;
    while (true) {
      IOException refusal;
      try {
        return call.to(plan.home());
      } catch (IOException e) {
        replanning = replanning(plan, e, replanning);
        refusal = e;
      }
      if (plan.isChanging() && LayoutFailures.isOtherPlaceIn(refusal)) {
        try {
          return call.to(plan.away());
        } catch (IOException e) {
          replanning = replanning(plan, e, replanning);
          refusal = e;
        }
      }
      plan = replanning.next(plan, refusal);
    }
  }

  /**
   * @throws IOException the failure, when it has nothing to do with layouts
   */
  private Replanning replanning(TableLayouts plan, IOException failure, Replanning earlier)
      throws IOException {
    if (!plan.isStamped() || !LayoutFailures.isIn(failure)) {
      throw failure;
    }
    return earlier == null ? new Replanning(layouts, timeoutMillis.getAsLong()) : earlier;
  }
}
