package io.rowguard.observer.relayout;

import io.rowguard.observer.request.CurrentRequest;
import io.rowguard.observer.request.RegionFeature;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse;
import io.rowguard.relayout.RelayoutResponse.Item;
import io.rowguard.relayout.RelayoutResponse.Outcome;
import java.io.IOException;
import java.util.Collections;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Get;

/**
 * Answers requests about a change of the table's layout, in the place of the Gets that they travel
 * as. Thread-safe.
 */
public final class RelayoutEndpoint implements RegionFeature {
  private final RelayoutAccess access;
  private final PullSource source;
  private final PullOnDemand onDemand;
  private final int timeoutMillis;

  public RelayoutEndpoint(
      RelayoutAccess access, PullSource source, PullOnDemand onDemand, int timeoutMillis) {
    this.access = access;
    this.source = source;
    this.onDemand = onDemand;
    this.timeoutMillis = timeoutMillis;
  }

  /** The response to a request that travels as a Get; null for any other Get. */
  @Override
  public Cell answer(Get get) throws IOException {
    RelayoutRequest request = RelayoutRequest.of(get);
    if (request == null) {
      return null;
    }
    access.require(request.kind());
    return response(request).toCell(get.getRow());
  }

  private RelayoutResponse response(RelayoutRequest request) throws IOException {
    switch (request.kind()) {
      case TOUCH:
        return touched(request);
      case PAUSE:
      case RESUME:
        return onDemand.pause(request);
      case STATE:
      case PROGRESS:
        RelayoutResponse response = source.answer(request);
        return onDemand.isPaused() ? response.withPaused() : response;
      default:
        return source.answer(request);
    }
  }

  private RelayoutResponse touched(RelayoutRequest request) throws IOException {
    if (CurrentRequest.isForwarded()) {
      // It would wait on a handler of those that answer the others, which must never wait.
      return RelayoutResponse.of(
          0,
          0,
          false,
          0,
          Collections.nCopies(
              request.rows().size(),
              Item.of(Outcome.FAILED, "Rows are not to be touched with a priority.")));
    }
    return onDemand.answer(request, CurrentRequest.millisLeft(timeoutMillis));
  }

  /**
   * Refuses a request to a region whose layout is not guarded. An empty Get would be taken for a
   * server without Rowguard.
   */
  public static void refuse(Get get) throws IOException {
    if (RelayoutRequest.of(get) != null) {
      throw new DoNotRetryIOException(
          "The region has no layout that is guarded, so nothing is answered about a change of it.");
    }
  }
}
