package io.rowguard.client;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;

/**
 * Sends lists of actions on salted rows as HBase's own {@link Table} does in the release that runs,
 * and finds out which of them have failed. As thread-safe as the table.
 *
 * <p>HBase 2 says so in what it throws. HBase 3 throws the failure of one of them, and says of the
 * others only in the answers of a batch.
 */
abstract class ListSender {
  final Table table;

  private ListSender(Table table) {
    this.table = table;
  }

  /** The one for the HBase that runs. */
  static ListSender of(Table table) {
    return SaltedTableOfHBase3.isThere() ? new OfHBase3(table) : new OfHBase2(table);
  }

  /**
   * Sends puts.
   *
   * @param answers filled, where something fails and the failure does not say what
   */
  abstract void put(List<Put> salted, Object[] answers) throws IOException;

  /** As {@link #put}. On HBase 2 those that succeed are taken out of the list. */
  abstract void delete(List<Delete> salted, Object[] answers) throws IOException;

  /** As {@link #put}, but the answers are filled always. */
  abstract void check(List<CheckAndMutate> salted, Object[] answers) throws IOException;

  /**
   * The exception of HBase's own table when some actions of a list have failed; null if none has.
   */
  abstract IOException listFailure(BatchResults results);

  /**
   * The exception of HBase's own table when some actions of a batch have failed; null if none has.
   */
  abstract IOException batchFailure(BatchResults results);

  /** Takes out of a list of deletes those that are done, where HBase's own table does so. */
  abstract void keepFailed(BatchResults results, List<Delete> deletes);

  /** As {@code Table.batch}, where an interruption may not be thrown as what it is. */
  final void batch(List<? extends Row> salted, Object[] answers) throws IOException {
    try {
      table.batch(salted, answers);
    } catch (InterruptedException e) {
      throw interrupted(e);
    } catch (IOException e) {
      throw interruptionOr(e, answers);
    }
  }

  /**
   * An interruption among answers, else the failure itself: HBase 3 goes on after one with the
   * other actions of a batch, and has it as the answer of that which it waited for.
   */
  static IOException interruptionOr(IOException failure, Object... answers) {
    for (Object answer : answers) {
      // One that a server has sent has another cause.
      if (answer instanceof InterruptedIOException
          && ((IOException) answer).getCause() instanceof InterruptedException) {
        return (IOException) answer;
      }
    }
    return failure;
  }

  static InterruptedIOException interrupted(InterruptedException e) {
    return (InterruptedIOException) new InterruptedIOException(e.getMessage()).initCause(e);
  }

  private static final class OfHBase2 extends ListSender {
    OfHBase2(Table table) {
      super(table);
    }

    @Override
    void put(List<Put> salted, Object[] answers) throws IOException {
      table.put(salted);
    }

    @Override
    void delete(List<Delete> salted, Object[] answers) throws IOException {
      table.delete(salted);
    }

    @Override
    void check(List<CheckAndMutate> salted, Object[] answers) throws IOException {
      batch(salted, answers);
    }

    @Override
    IOException listFailure(BatchResults results) {
      return results.failuresWithDetails();
    }

    @Override
    IOException batchFailure(BatchResults results) {
      return results.failuresWithDetails();
    }

    @Override
    void keepFailed(BatchResults results, List<Delete> deletes) {
      results.keepFailed(deletes);
    }
  }

  private static final class OfHBase3 extends ListSender {
    OfHBase3(Table table) {
      super(table);
    }

    @Override
    void put(List<Put> salted, Object[] answers) throws IOException {
      send(salted, answers);
    }

    @Override
    void delete(List<Delete> salted, Object[] answers) throws IOException {
      send(salted, answers);
    }

    @Override
    void check(List<CheckAndMutate> salted, Object[] answers) throws IOException {
      send(salted, answers);
    }

    private void send(List<? extends Row> salted, Object[] answers) throws IOException {
      if (salted.isEmpty()) {
        return;
      }
      try {
        batch(salted, answers);
      } catch (RetriesExhaustedException e) {
        throw failureOf(answers, e);
      }
    }

    /** One that has to do with layouts, rather than another. */
    private static IOException failureOf(Object[] answers, IOException failure) {
      IOException first = null;
      for (Object answer : answers) {
        if (answer instanceof IOException) {
          IOException one = (IOException) answer;
          if (LayoutRetry.isRefusal(one)) {
            return one;
          }
          first = first == null ? one : first;
        }
      }
      return first == null ? failure : first;
    }

    @Override
    IOException listFailure(BatchResults results) {
      return results.firstFailure();
    }

    @Override
    IOException batchFailure(BatchResults results) {
      return results.failures();
    }

    @Override
    void keepFailed(BatchResults results, List<Delete> deletes) {
      // HBase 3 leaves the list as it is.
    }
  }
}
