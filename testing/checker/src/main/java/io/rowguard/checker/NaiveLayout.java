package io.rowguard.checker;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The layout of a table under test: a user and an item, {@code u0001|000123}, behind a salt of two
 * digits from the user, {@code 07-u0001|000123}, or without one. Read by its own few lines, murmur3
 * too, so that a mistake in the code under test is not made here as well. Immutable.
 */
public final class NaiveLayout {
  private static final Pattern KEY = Pattern.compile("([a-z][a-z0-9]*)\\|[0-9]{6}");
  private static final Pattern SALTED = Pattern.compile("([0-9]{2})-(.*)");

  private final int buckets;

  private NaiveLayout(int buckets) {
    this.buckets = buckets;
  }

  /** Without a salt. */
  public static NaiveLayout unsalted() {
    return new NaiveLayout(0);
  }

  /**
   * With a salt.
   *
   * @param buckets from 1 to 100
   */
  public static NaiveLayout salted(int buckets) {
    if (buckets < 1 || buckets > 100) {
      throw new IllegalArgumentException("Two digits have 1 to 100 buckets. buckets=" + buckets);
    }
    return new NaiveLayout(buckets);
  }

  /** As a table declares it. */
  public String declaration() {
    String key = "{user:word}|{item:digits(6)}";
    return buckets == 0 ? key : "{salt:digits(2)=murmur3(user)%" + buckets + "}-" + key;
  }

  /** The row of a key; the key itself without a salt. */
  public String row(String key) {
    return buckets == 0 ? key : String.format("%02d-%s", bucket(group(key)), key);
  }

  /** The key of a row that has no {@link #complaint}. */
  public String key(String row) {
    return buckets == 0 ? row : row.substring(3);
  }

  /** The user of a key, whose rows belong together. */
  public static String group(String key) {
    Matcher matcher = KEY.matcher(key);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("No key: " + key);
    }
    return matcher.group(1);
  }

  /** Why a stored row is none of this layout; null where it is one. */
  public String complaint(String row) {
    if (buckets == 0) {
      return KEY.matcher(row).matches() ? null : "it is no user and item";
    }
    if (KEY.matcher(row).matches()) {
      return "it is bare";
    }
    Matcher salted = SALTED.matcher(row);
    if (!salted.matches() || !KEY.matcher(salted.group(2)).matches()) {
      return "it is no salt, user and item";
    }
    String expected = row(salted.group(2));
    return expected.equals(row) ? null : "its salt is wrong, it should be " + expected;
  }

  private int bucket(String user) {
    byte[] bytes = user.getBytes(StandardCharsets.US_ASCII);
    return Integer.remainderUnsigned(murmur3(bytes), buckets);
  }

  /** MurmurHash3_x86_32 of Austin Appleby, with seed 0. */
  public static int murmur3(byte[] bytes) {
    int hash = 0;
    for (int from = 0; from < bytes.length; from += 4) {
      int block = 0;
      int size = Math.min(4, bytes.length - from);
      for (int i = 0; i < size; i++) {
        block |= (bytes[from + i] & 0xff) << (8 * i);
      }
      hash ^= Integer.rotateLeft(block * 0xcc9e2d51, 15) * 0x1b873593;
      if (size == 4) {
        hash = Integer.rotateLeft(hash, 13) * 5 + 0xe6546b64;
      }
    }
    hash ^= bytes.length;
    hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
    hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
    return hash ^ (hash >>> 16);
  }
}
