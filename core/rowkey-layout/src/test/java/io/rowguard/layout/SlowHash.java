package io.rowguard.layout;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;

/**
 * The hashes of a layout, taken from where they are public: the JDK's {@link MessageDigest}, {@link
 * CRC32}, {@link Arrays#hashCode(byte[])} and {@link String#hashCode}, and MurmurHash3_x86_32
 * written down from its published description (seed 0).
 */
final class SlowHash {
  static final List<String> NAMES =
      List.of("md5", "murmur3", "crc32", "java31", "string31", "sha1", "sha256");

  /** The words for the remainders. */
  static final List<String> WAYS = List.of("unsigned", "masked", "abs", "floor");

  private SlowHash() {}

  /** The bytes of a digest, or four big-endian bytes. */
  static byte[] digest(String hash, byte[] input) {
    switch (hash) {
      case "md5":
        return digestOf("MD5", input);
      case "sha1":
        return digestOf("SHA-1", input);
      case "sha256":
        return digestOf("SHA-256", input);
      case "string31":
        return ByteBuffer.allocate(4).putInt(new String(input, UTF_8).hashCode()).array();
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

  /** The remainder that is taken where none is named. */
  static String usualWay(String hash) {
    return hash.endsWith("31") ? "abs" : "unsigned";
  }

  static String way(String hash, String way) {
    return way == null ? usualWay(hash) : way;
  }

  /** The hash modulo {@code buckets}, as the layout's {@code % b} has it; null: the usual way. */
  static int bucket(String hash, String way, byte[] input, int buckets) {
    return bucket(ByteBuffer.wrap(digest(hash, input)).getInt(), way(hash, way), buckets);
  }

  /** The hash divided by a number and rounded down. */
  static int quotient(String hash, String way, byte[] input, long divisor) {
    BigInteger number = straight(ByteBuffer.wrap(digest(hash, input)).getInt(), way(hash, way));
    return number.divide(BigInteger.valueOf(divisor)).intValueExact();
  }

  /** How many quotients hashes have: the largest is that of a hash of 32 ones, 31 ones or -2^31. */
  static int quotients(String way, long divisor) {
    int[] extremes = {-1, Integer.MAX_VALUE, Integer.MIN_VALUE};
    BigInteger largest = BigInteger.ZERO;
    for (int extreme : extremes) {
      largest = largest.max(straight(extreme, way));
    }
    return largest.divide(BigInteger.valueOf(divisor)).intValueExact() + 1;
  }

  /** The remainder of a number by the definitions of school, in which there is no overflow. */
  static int bucket(int number, String way, int buckets) {
    return straight(number, way).mod(BigInteger.valueOf(buckets)).intValue();
  }

  private static BigInteger straight(int number, String way) {
    BigInteger hash = BigInteger.valueOf(number);
    BigInteger all = BigInteger.ONE.shiftLeft(32);
    switch (way) {
      case "unsigned":
        hash = hash.mod(all);
        break;
      case "masked":
        hash = hash.mod(all.shiftRight(1));
        break;
      case "abs":
        hash = hash.abs();
        break;
      default:
        break;
    }
    return hash;
  }

  private static byte[] digestOf(String algorithm, byte[] input) {
    try {
      return MessageDigest.getInstance(algorithm).digest(input);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has " + algorithm, e);
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
