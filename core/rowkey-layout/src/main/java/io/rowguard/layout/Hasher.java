package io.rowguard.layout;

import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * The working memory of one hash computation, kept so that the next one allocates nothing. Not
 * thread-safe; {@link HasherPool} hands it from thread to thread.
 */
final class Hasher {
  private static final int FIRST_SCRATCH = 256;
  private static final int LONGEST_DIGEST = 32;

  private final CRC32 crc32 = new CRC32();
  private final byte[] digestBytes = new byte[LONGEST_DIGEST];
  // Each made when it is first needed: a layout has one of them, if any.
  private MessageDigest md5;
  private MessageDigest sha1;
  private MessageDigest sha256;
  private byte[] scratch = new byte[FIRST_SCRATCH];
  private int scratchLength;
  private long high;
  private long low;

  /** Hashes a range; the result is in {@link #digestByte} and {@link #number}. */
  void hash(Hash hash, byte[] bytes, int offset, int length) {
    if (hash.isPlain()) {
      high = (long) hash.number(bytes, offset, length) << 32;
    } else if (hash == Hash.CRC32) {
      crc32.reset();
      crc32.update(bytes, offset, length);
      high = crc32.getValue() << 32;
    } else {
      digest(messageDigest(hash), bytes, offset, length);
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

  /** Puts a byte after what was gathered before. */
  void gather(byte b) {
    if (scratchLength == scratch.length) {
      scratch = Arrays.copyOf(scratch, 2 * scratch.length);
    }
    scratch[scratchLength++] = b;
  }

  /** Puts a number in decimal after what was gathered before. */
  void gatherDecimal(long number, boolean unsigned) {
    boolean isNegative = number < 0 && !unsigned;
    if (isNegative) {
      gather((byte) '-');
    }
    int first = scratchLength;
    long rest = number;
    do {
      // Of a negative number each digit is negative: there is no absolute value of the least.
      long digit = isNegative ? -(rest % 10) : Long.remainderUnsigned(rest, 10);
      gather((byte) ('0' + digit));
      rest = isNegative ? rest / 10 : Long.divideUnsigned(rest, 10);
    } while (rest != 0);
    for (int i = first, j = scratchLength - 1; i < j; i++, j--) {
      byte b = scratch[i];
      scratch[i] = scratch[j];
      scratch[j] = b;
    }
  }

  /** How many bytes were gathered. */
  int gathered() {
    return scratchLength;
  }

  /** Forgets what was gathered beyond so many bytes. */
  void truncate(int length) {
    scratchLength = Math.min(scratchLength, length);
  }

  /** Hashes what was gathered. */
  void hashGathered(Hash hash) {
    hash(hash, scratch, 0, scratchLength);
  }

  /** Byte {@code index} of the last digest. */
  byte digestByte(int index) {
    if (index < 8) {
      return (byte) (high >>> (56 - 8 * index));
    }
    return index < 16 ? (byte) (low >>> (120 - 8 * index)) : digestBytes[index];
  }

  /** The last digest as a 32-bit number: its first four bytes, big-endian. */
  int number() {
    return (int) (high >>> 32);
  }

  private MessageDigest messageDigest(Hash hash) {
    if (hash == Hash.MD5) {
      md5 = md5 == null ? newDigest("MD5") : md5;
      return md5;
    }
    if (hash == Hash.SHA1) {
      sha1 = sha1 == null ? newDigest("SHA-1") : sha1;
      return sha1;
    }
    sha256 = sha256 == null ? newDigest("SHA-256") : sha256;
    return sha256;
  }

  private static MessageDigest newDigest(String algorithm) {
    try {
      return MessageDigest.getInstance(algorithm);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(
          "Every Java platform must have " + algorithm + ", this one has not", e);
    }
  }

  private void digest(MessageDigest digest, byte[] bytes, int offset, int length) {
    digest.update(bytes, offset, length);
    try {
      digest.digest(digestBytes, 0, digestBytes.length);
    } catch (DigestException e) {
      throw new IllegalStateException("A digest is longer than it must be on this platform", e);
    }
    high = bigEndian(0);
    low = bigEndian(8);
  }

  private long bigEndian(int from) {
    long number = 0;
    for (int i = from; i < from + 8; i++) {
      number = number << 8 | (digestBytes[i] & 0xff);
    }
    return number;
  }
}
