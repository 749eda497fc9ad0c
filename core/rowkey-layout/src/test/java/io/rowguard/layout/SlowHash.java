package io.rowguard.layout;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;

/**
 * The four hashes of a layout, taken from where they are public: the JDK's {@link MessageDigest},
 * {@link CRC32} and {@link Arrays#hashCode(byte[])}, and MurmurHash3_x86_32 written down from its
 * published description (seed 0).
 */
final class SlowHash {
  static final List<String> NAMES = List.of("md5", "murmur3", "crc32", "java31");

  private SlowHash() {}

  /** Sixteen bytes for md5, four big-endian bytes for the others. */
  static byte[] digest(String hash, byte[] input) {
    switch (hash) {
      case "md5":
        return md5(input);
      case "murmur3":
        return ByteBuffer.allocate(4).putInt(murmur3(input)).array();
      case "crc32":
        CRC32 crc = new CRC32();
        crc.update(input);
        return ByteBuffer.allocate(4).putInt((int) crc.getValue()).array();
      case "java31":
        return ByteBuffer.allocate(4).putInt(Arrays.hashCode(input)).array();
      default:
        throw new IllegalArgumentException(hash);
    }
  }

  /** The hash modulo {@code buckets}, as the layout's {@code % b} has it. */
  static int bucket(String hash, byte[] input, int buckets) {
    int number = ByteBuffer.wrap(digest(hash, input)).getInt();
    if (hash.equals("java31")) {
      return Math.abs(number % buckets);
    }
    return (int) ((number & 0xFFFFFFFFL) % buckets);
  }

  private static byte[] md5(byte[] input) {
    try {
      return MessageDigest.getInstance("MD5").digest(input);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has MD5", e);
    }
  }

  private static int murmur3(byte[] input) {
    ByteBuffer data = ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN);
    int h = 0;
    while (data.remaining() >= 4) {
      h ^= scramble(data.getInt());
      h = Integer.rotateLeft(h, 13) * 5 + 0xe6546b64;
    }
    int tail = 0;
    for (int shift = 0; data.hasRemaining(); shift += 8) {
      tail |= (data.get() & 0xFF) << shift;
    }
    h ^= scramble(tail);
    h ^= input.length;
    h = (h ^ (h >>> 16)) * 0x85ebca6b;
    h = (h ^ (h >>> 13)) * 0xc2b2ae35;
    return h ^ (h >>> 16);
  }

  private static int scramble(int k) {
    return Integer.rotateLeft(k * 0xcc9e2d51, 15) * 0x1b873593;
  }
}
