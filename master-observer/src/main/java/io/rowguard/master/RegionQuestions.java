package io.rowguard.master;

import io.rowguard.relayout.Answer;
import io.rowguard.relayout.Question;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;

/**
 * Asks all regions of a table one question, for no longer than {@link #MILLIS}: a client waits for
 * the answer, and so does one of the master's handlers. Thread-safe.
 */
final class RegionQuestions {
  /** All that it may take, whatever the number of regions. */
  static final int MILLIS = 20_000;

  private static final byte[] FIRST_ROW = {0};

  private final Connection connection;
  private final int millis;

  /**
   * @param connection with the master's rights
   */
  RegionQuestions(Connection connection) {
    this(connection, MILLIS);
  }

  /**
   * @param millis all that it may take
   */
  RegionQuestions(Connection connection, int millis) {
    this.connection = connection;
    this.millis = millis;
  }

  /** The answer of one region. Immutable. */
  static final class Said {
    private final RegionInfo region;
    private final Answer answer;
    private final String failure;

    private Said(RegionInfo region, Answer answer, String failure) {
      this.region = region;
      this.answer = answer;
      this.failure = failure;
    }

    static Said answer(RegionInfo region, Answer answer) {
      return new Said(region, answer, null);
    }

    static Said failure(RegionInfo region, String failure) {
      return new Said(region, null, failure);
    }

    RegionInfo region() {
      return region;
    }

    /** Null where there is none. */
    Answer answer() {
      return answer;
    }

    /** Why there is no answer; null where there is one. */
    String failure() {
      return failure;
    }
  }

  /**
   * The answers of all regions, in the order of the regions.
   *
   * @param regions of one table, at least one; the answers are theirs only as long as none is split
   *     or merged meanwhile
   */
  List<Said> ask(List<RegionInfo> regions, Question question) {
    List<Callable<Said>> calls = new ArrayList<>();
    for (RegionInfo region : regions) {
      calls.add(() -> ask(region, question));
    }
    return TimedCalls.all(
        calls,
        millis,
        "rowguard-ask-" + regions.get(0).getTable(),
        (i, failure) -> Said.failure(regions.get(i), failure));
  }

  private Said ask(RegionInfo region, Question question) throws IOException {
    long began = System.nanoTime();
    byte[] row = region.getStartKey().length == 0 ? FIRST_ROW : region.getStartKey();
    try (Table table =
        connection
            .getTableBuilder(region.getTable(), null)
            .setOperationTimeout(millis)
            .setReadRpcTimeout(millis)
            .build()) {
      Answer answer = Answer.of(table.get(question.toGet(row)));
      while (isUnfinished(answer)) {
        if (System.nanoTime() - began > TimeUnit.MILLISECONDS.toNanos(millis) / 2) {
          return Said.failure(region, "needs longer to count than the master waits");
        }
        byte[] from = answer.next();
        answer = Answer.of(table.get(Question.count(question.generation(), from).toGet(from)));
      }
      return Said.answer(region, answer);
    }
  }

  /**
   * Whether a region has found nothing in the way so far, but has not looked at all of its rows.
   */
  private static boolean isUnfinished(Answer answer) {
    return answer.next() != null && answer.oldRows() == 0 && answer.items().size() == 1;
  }
}
