package io.rowguard.layout;

/**
 * The keys at which a region may be cut, as far as choosing one needs to know them. Implementations
 * are immutable and thread-safe.
 *
 * <p>Keys are ordered as unsigned bytes, a prefix before what it begins.
 */
public interface LegalBoundaries {
  /** The largest legal boundary at or below a key, or null when there is none. */
  byte[] floor(byte[] key);

  /** The smallest legal boundary above a key (never equal to it), or null when there is none. */
  byte[] ceiling(byte[] key);
}
