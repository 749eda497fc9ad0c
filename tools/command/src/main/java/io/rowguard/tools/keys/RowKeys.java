package io.rowguard.tools.keys;

/**
 * A sequence of keys, each a function of its index alone, so that parts of it can be made in any
 * order and by several threads at once.
 *
 * <p>A key is either a row of the layout or a bare key, which the layout completes.
 *
 * <p>One instance is used by one thread at a time; {@link RowKeyGenerator#open} is called once for
 * each.
 */
public interface RowKeys {
  /** The most bytes that {@link #write} writes. */
  int maxLength();

  /**
   * Whether every key is certain to be a row of the requested layout, so that it need not be
   * checked. Callers that do not check rely on it; false, the default, is always right.
   */
  default boolean areRows() {
    return false;
  }

  /**
   * Writes one key.
   *
   * @param index 0 (inclusive) to the requested count (exclusive)
   * @param target of {@link #maxLength()} bytes at least; the key begins at its first
   * @return the length of the key, 1 or more
   */
  int write(long index, byte[] target);
}
