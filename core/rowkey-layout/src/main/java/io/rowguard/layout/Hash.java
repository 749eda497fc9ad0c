package io.rowguard.layout;

import java.util.Arrays;
import java.util.Locale;

/**
 * The hashes that a derived segment can be computed with.
 *
 * <p>Their values are part of the stored data: a change of one bit would orphan every row written
 * before. Golden vectors in the tests pin them, to HBase's own {@code MurmurHash3} (seed 0) and
 * {@code MD5Hash}, to {@link java.util.zip.CRC32}, to the JDK's digests and {@code hashCode}s, and
 * to the salt byte of Apache Phoenix.
 */
public enum Hash {
  /** MD5, 16 bytes; as a number its first four bytes, big-endian. */
  MD5(16, Remainder.UNSIGNED),
  /** MurmurHash3_x86_32 with seed 0, 4 bytes. The one to choose when nothing else decides. */
  MURMUR3(4, Remainder.UNSIGNED),
  /** CRC-32 as in zip, 4 bytes. */
  CRC32(4, Remainder.UNSIGNED),
  /**
   * {@link Arrays#hashCode(byte[])}, 4 bytes: the hash of the salt byte of Apache Phoenix and
   * OpenTSDB. It spreads regular ids badly, since neighbouring keys have neighbouring hashes; use
   * it to describe tables that already have it.
   */
  JAVA31(4, Remainder.ABS),
  /**
   * {@link String#hashCode()} of the bytes as UTF-8 text, 4 bytes. It spreads as badly as {@link
   * #JAVA31}, and describes tables of programs that take the hash of a {@code String}. Of bytes
   * that are no text, which no layout feeds it, it is any number.
   */
  STRING31(4, Remainder.ABS),
  /** SHA-1, 20 bytes; as a number its first four bytes, big-endian. */
  SHA1(20, Remainder.UNSIGNED),
  /** SHA-256, 32 bytes; as a number its first four bytes, big-endian. */
  SHA256(32, Remainder.UNSIGNED);

  private final int digestLength;
  private final Remainder remainder;

  Hash(int digestLength, Remainder remainder) {
    this.digestLength = digestLength;
    this.remainder = remainder;
  }

  /** The name in a layout's text. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** How many bytes a digest has: 4 to 32. */
  public int digestLength() {
    return digestLength;
  }

  /** The remainder that is taken of the hash where a layout names none. */
  public Remainder remainder() {
    return remainder;
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

  /** The bucket of a range by its usual remainder: 0 (inclusive) to {@code buckets} (exclusive). */
  public int bucket(byte[] bytes, int offset, int length, int buckets) {
    Hasher hasher = new Hasher();
    hasher.hash(this, bytes, offset, length);
    return remainder.of(hasher.number(), buckets);
  }

  /** Whether {@link #number} computes this hash, which then needs no {@link Hasher}. */
  boolean isPlain() {
    return this == MURMUR3 || this == JAVA31 || this == STRING31;
  }

  /** The number of a range by a {@linkplain #isPlain plain} hash. Allocates nothing. */
  int number(byte[] bytes, int offset, int length) {
    if (this == MURMUR3) {
      return murmur3(bytes, offset, length);
    }
    return this == JAVA31
        ? java31(bytes, offset, length)
        : Utf8.stringHash(bytes, offset, offset + length);
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
