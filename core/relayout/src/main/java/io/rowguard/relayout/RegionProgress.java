package io.rowguard.relayout;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * The progress of one region while rows move: how many old rows it has given away since it opened,
 * and how many it has left. Immutable.
 *
 * <p>Too few are left where a delete was carried out twice, as after an answer that was lost; too
 * many where a TTL has ended some. {@link RelayoutRequest.Kind#COUNT} is exact, as far as it goes.
 */
public final class RegionProgress {
  private final long openedMillis;
  private final long gone;
  private final long left;
  private final boolean isCounted;
  private final long lately;
  private final long latelyMillis;

  /**
   * The progress of a region.
   *
   * @param openedMillis when the region opened, by the clock of its server
   * @param gone how many old rows have gone since then
   * @param left how many of those that it has counted are still there, 0 or more
   * @param isCounted whether it has counted all
   * @param lately how many have gone in the last {@code latelyMillis}
   * @param latelyMillis the length of a time that ends now, a minute at most; 0 where none has gone
   */
  public RegionProgress(
      long openedMillis, long gone, long left, boolean isCounted, long lately, long latelyMillis) {
    this.openedMillis = openedMillis;
    this.gone = gone;
    this.left = left;
    this.isCounted = isCounted;
    this.lately = lately;
    this.latelyMillis = latelyMillis;
  }

  /** When the region opened, in milliseconds, by the clock of its server. */
  public long openedMillis() {
    return openedMillis;
  }

  /** How many old rows have gone since the region opened. */
  public long gone() {
    return gone;
  }

  /** How many old rows are left of those that the region has counted. */
  public long left() {
    return left;
  }

  /** Whether the region has counted all of its old rows since it opened. */
  public boolean isCounted() {
    return isCounted;
  }

  /** How many old rows have gone in the last {@link #latelyMillis}. */
  public long lately() {
    return lately;
  }

  /** A time that ends now, a minute at most; 0 where no row has gone in the last minute. */
  public long latelyMillis() {
    return latelyMillis;
  }

  /** The item of a response with which it travels. */
  public RelayoutResponse.Item toItem() {
    ByteBuffer bytes = ByteBuffer.allocate(5 * Long.BYTES + 1);
    bytes.putLong(openedMillis).putLong(gone).putLong(left);
    bytes.put((byte) (isCounted ? 1 : 0)).putLong(lately).putLong(latelyMillis);
    return RelayoutResponse.Item.of(RelayoutResponse.Outcome.DONE, bytes.array());
  }

  /** The progress in a response to PROGRESS; null where the region has refused to tell. */
  public static RegionProgress of(RelayoutResponse response) {
    if (response.items().isEmpty()
        || response.items().get(0).outcome() != RelayoutResponse.Outcome.DONE) {
      return null;
    }
    ByteBuffer bytes = ByteBuffer.wrap(response.items().get(0).bytes());
    try {
      return new RegionProgress(
          bytes.getLong(),
          bytes.getLong(),
          bytes.getLong(),
          bytes.get() != 0,
          bytes.getLong(),
          bytes.getLong());
    } catch (BufferUnderflowException e) {
      return null; // of another version: as good as none
    }
  }

  @Override
  public String toString() {
    return "gone=" + gone + " left=" + left + (isCounted ? "" : " or more") + " lately=" + lately;
  }
}
