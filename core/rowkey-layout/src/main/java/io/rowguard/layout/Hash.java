package io.rowguard.layout;

import java.util.Arrays;
import java.util.Locale;

/**
 * The hashes that a derived segment can be computed with.
 *
 * <p>Their values are part of the stored data: a change of one bit would orphan every row written
 * before. Golden vectors in the tests pin them, to HBase's own {@code MurmurHash3} (seed 0) and
 * {@code MD5Hash}, to {@link java.util.zip.CRC32}, and to the salt byte of Apache Phoenix.
 */
public enum Hash {
  /** MD5, 16 bytes; as a number its first four bytes, big-endian. */
  MD5(16),
  /** MurmurHash3_x86_32 with seed 0, 4 bytes. The one to choose when nothing else decides. */
  MURMUR3(4),
  /** CRC-32 as in zip, 4 bytes. */
  CRC32(4),
  /**
   * {@link Arrays#hashCode(byte[])}, 4 bytes: the hash of the salt byte of Apache Phoenix and
   * OpenTSDB. It spreads regular ids badly, since neighbouring keys have neighbouring hashes; use
   * it to describe tables that already have it.
   */
  JAVA31(4);

  private final int digestLength;

  Hash(int digestLength) {
    this.digestLength = digestLength;
  }

  /** The name in a layout's text. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** How many bytes a digest has: 16 or 4. */
  public int digestLength() {
    return digestLength;
  }

  /** The digest of a range; 4-byte hashes big-endian. */
  public byte[] digest(byte[] bytes, int offset, int length) {
    Hasher hasher = new Hasher();
    hasher.hash(this, bytes, offset, length);
    byte[] digest = new byte[digestLength];
    for (int i = 0; i < digestLength; i++) {
      digest[i] = hasher.digestByte(i);
    }
    return digest;
  }

  /** The bucket of a range: 0 (inclusive) to {@code buckets} (exclusive). */
  public int bucket(byte[] bytes, int offset, int length, int buckets) {
    Hasher hasher = new Hasher();
    hasher.hash(this, bytes, offset, length);
    return reduce(hasher.number(), buckets);
  }

  /** Whether {@link #number} computes this hash, which then needs no {@link Hasher}. */
  boolean isPlain() {
    return this == MURMUR3 || this == JAVA31;
  }

  /** The number of a range by a {@linkplain #isPlain plain} hash. Allocates nothing. */
  int number(byte[] bytes, int offset, int length) {
    return this == MURMUR3 ? murmur3(bytes, offset, length) : java31(bytes, offset, length);
  }

  /** The modulo of a 32-bit hash. */
  int reduce(int hash, int buckets) {
    if (this == JAVA31) {
      return Math.abs(hash % buckets);
    }
    boolean powerOfTwo = (buckets & (buckets - 1)) == 0;
    return powerOfTwo ? hash & (buckets - 1) : Integer.remainderUnsigned(hash, buckets);
  }

  /** MurmurHash3_x86_32 with seed 0, after Austin Appleby's public-domain algorithm. */
  private static int murmur3(byte[] bytes, int offset, int length) {
    int hash = 0;
    int tail = offset + (length & ~3);
    for (int i = offset; i < tail; i += 4) {
      int block =
          (bytes[i] & 0xff)
              | (bytes[i + 1] & 0xff) << 8
              | (bytes[i + 2] & 0xff) << 16
              | bytes[i + 3] << 24;
      hash = Integer.rotateLeft(hash ^ scramble(block), 13) * 5 + 0xe6546b64;
    }
    int rest = 0;
    for (int i = offset + length - 1; i >= tail; i--) {
      rest = rest << 8 | (bytes[i] & 0xff);
    }
    hash ^= scramble(rest) ^ length;
    hash = (hash ^ hash >>> 16) * 0x85ebca6b;
    hash = (hash ^ hash >>> 13) * 0xc2b2ae35;
    return hash ^ hash >>> 16;
  }

  private static int scramble(int block) {
    return Integer.rotateLeft(block * 0xcc9e2d51, 15) * 0x1b873593;
  }

  /** {@link Arrays#hashCode(byte[])} of a range. */
  private static int java31(byte[] bytes, int offset, int length) {
    int hash = 1;
    for (int i = offset; i < offset + length; i++) {
      hash = 31 * hash + bytes[i];
    }
    return hash;
  }
}
