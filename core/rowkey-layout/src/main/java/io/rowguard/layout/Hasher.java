package io.rowguard.layout;

import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.zip.CRC32;

/**
 * The working memory of one hash computation, kept so that the next one allocates nothing. Not
 * thread-safe; {@link HasherPool} hands it from thread to thread.
 */
final class Hasher {
  private static final int FIRST_SCRATCH = 256;

  private final MessageDigest md5;
  private final CRC32 crc32 = new CRC32();
  private final byte[] md5Bytes = new byte[16];
  private byte[] scratch = new byte[FIRST_SCRATCH];
  private int scratchLength;
  private long high;
  private long low;

  Hasher() {
    try {
      md5 = MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform must have MD5, this one has not", e);
    }
  }

  /** Hashes a range; the result is in {@link #digestByte} and {@link #number}. */
  void hash(Hash hash, byte[] bytes, int offset, int length) {
    if (hash.isPlain()) {
      high = (long) hash.number(bytes, offset, length) << 32;
    } else if (hash == Hash.MD5) {
      md5(bytes, offset, length);
    } else {
      crc32.reset();
      crc32.update(bytes, offset, length);
      high = crc32.getValue() << 32;
    }
  }

  /** Forgets what was gathered. */
  void startGathering() {
    scratchLength = 0;
  }

  /** Puts a range after what was gathered before. */
  void gather(byte[] bytes, int from, int to) {
    int length = to - from;
    if (scratch.length - scratchLength < length) {
      byte[] larger = new byte[Math.max(2 * scratch.length, scratchLength + length)];
      System.arraycopy(scratch, 0, larger, 0, scratchLength);
      scratch = larger;
    }
    System.arraycopy(bytes, from, scratch, scratchLength, length);
    scratchLength += length;
  }

  /** Hashes what was gathered. */
  void hashGathered(Hash hash) {
    hash(hash, scratch, 0, scratchLength);
  }

  /** Byte {@code index} of the last digest. */
  byte digestByte(int index) {
    return (byte) (index < 8 ? high >>> (56 - 8 * index) : low >>> (120 - 8 * index));
  }

  /** The last digest as a 32-bit number: its first four bytes, big-endian. */
  int number() {
    return (int) (high >>> 32);
  }

  private void md5(byte[] bytes, int offset, int length) {
    md5.update(bytes, offset, length);
    try {
      md5.digest(md5Bytes, 0, md5Bytes.length);
    } catch (DigestException e) {
      throw new IllegalStateException("MD5 must have 16 bytes, this platform's has not", e);
    }
    high = bigEndian(0);
    low = bigEndian(8);
  }

  private long bigEndian(int from) {
    long number = 0;
    for (int i = from; i < from + 8; i++) {
      number = number << 8 | (md5Bytes[i] & 0xff);
    }
    return number;
  }
}
