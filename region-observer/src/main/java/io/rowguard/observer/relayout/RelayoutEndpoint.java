package io.rowguard.observer.relayout;

import io.rowguard.observer.request.CurrentRequest;
import io.rowguard.observer.request.RegionFeature;
import io.rowguard.relayout.Answer;
import io.rowguard.relayout.Answer.Item;
import io.rowguard.relayout.Answer.Outcome;
import io.rowguard.relayout.Question;
import java.io.IOException;
import java.util.Collections;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Get;

/**
 * Answers questions about a change of the table's layout, in the place of the Gets that they travel
 * as. Thread-safe.
 */
public final class RelayoutEndpoint implements RegionFeature {
  private final RelayoutAccess askers;
  private final PullSource oldSide;
  private final PullOnDemand touchSide;
  private final int timeoutMillis;

  public RelayoutEndpoint(
      RelayoutAccess askers, PullSource oldSide, PullOnDemand touchSide, int timeoutMillis) {
    this.askers = askers;
    this.oldSide = oldSide;
    this.touchSide = touchSide;
    this.timeoutMillis = timeoutMillis;
  }

  /** The answer to a question that travels as a Get; null for any other Get. */
  @Override
  public Cell answer(Get get) throws IOException {
    Question question = Question.of(get);
    if (question == null) {
      return null;
    }
    askers.require(question.kind());
    Answer answer =
        question.kind() == Question.Kind.TOUCH ? touched(question) : oldSide.answer(question);
    return answer.toCell(get.getRow());
  }

  private Answer touched(Question question) throws IOException {
    if (CurrentRequest.isForwarded()) {
      // It would wait on a handler of those that answer the others, which must never wait.
      return Answer.of(
          0,
          0,
          false,
          0,
          Collections.nCopies(
              question.rows().size(),
              Item.of(Outcome.FAILED, "Rows are not to be touched with a priority.")));
    }
    return touchSide.answer(question, CurrentRequest.millisLeft(timeoutMillis));
  }

  /**
   * Refuses a question to a region whose layout is not guarded. An empty Get would be taken for a
   * server without Rowguard.
   */
  public static void refuse(Get get) throws IOException {
    if (Question.of(get) != null) {
      throw new DoNotRetryIOException(
          "The region has no layout that is guarded, so nothing is answered about a change of it.");
    }
  }
}
