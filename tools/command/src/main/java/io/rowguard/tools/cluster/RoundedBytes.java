package io.rowguard.tools.cluster;

/**
 * A size of which a server says whole mebibytes only: rounded down, but 1 for anything below that
 * ({@code HRegionServer.roundSize}).
 *
 * @param least how many bytes it is at least
 * @param most how many bytes it is at most
 */
public record RoundedBytes(long least, long most) {
  private static final long MEBIBYTE = 1 << 20;

  /** A size that is said in mebibytes. */
  public static RoundedBytes ofMebibytes(long mebibytes) {
    if (mebibytes == 0) {
      return new RoundedBytes(0, 0);
    }
    return new RoundedBytes(
        mebibytes == 1 ? 1 : mebibytes * MEBIBYTE, (mebibytes + 1) * MEBIBYTE - 1);
  }

  /** This size and another one. */
  RoundedBytes and(RoundedBytes other) {
    return new RoundedBytes(least + other.least, most + other.most);
  }
}
