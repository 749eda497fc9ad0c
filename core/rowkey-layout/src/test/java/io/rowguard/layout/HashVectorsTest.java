package io.rowguard.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32;
import org.apache.hadoop.hbase.util.ByteArrayHashKey;
import org.apache.hadoop.hbase.util.MD5Hash;
import org.apache.hadoop.hbase.util.MurmurHash3;
import org.junit.jupiter.api.Test;

/**
 * Pins the four hashes: the golden file holds what HBase, the JDK and Phoenix's formula give, and
 * what the core gives is what the file holds.
 */
class HashVectorsTest {
  private static List<String[]> vectors() throws IOException {
    return VectorFiles.read(VectorFiles.HASHES).stream()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split("\t", -1))
        .toList();
  }

  @Test
  void goldenFile_everyLine_isWhatHBaseAndTheJdkGive() throws IOException {
    for (String[] vector : vectors()) {
      byte[] input = SlowBytes.hex(vector[1]);
      int buckets = Integer.parseInt(vector[3]);
      String message = String.join(" ", vector);
      assertEquals(digest(vector[0], input), vector[2], message);
      assertEquals(bucket(vector[0], input, buckets), Integer.parseInt(vector[4]), message);
    }
  }

  private static String digest(String hash, byte[] input) {
    return hash.equals("md5")
        ? MD5Hash.getMD5AsHex(input)
        : String.format(Locale.ROOT, "%08x", number(hash, input));
  }

  private static int number(String hash, byte[] input) {
    switch (hash) {
      case "murmur3":
        return MurmurHash3.getInstance().hash(new ByteArrayHashKey(input, 0, input.length), 0);
      case "crc32":
        CRC32 crc = new CRC32();
        crc.update(ByteBuffer.wrap(input));
        return (int) crc.getValue();
      case "java31":
        return Arrays.hashCode(input);
      default:
        return Integer.parseUnsignedInt(MD5Hash.getMD5AsHex(input).substring(0, 8), 16);
    }
  }

  /** Phoenix's salt byte for java31, unsigned for the others. */
  private static int bucket(String hash, byte[] input, int buckets) {
    int number = number(hash, input);
    return hash.equals("java31")
        ? Math.abs(number % buckets)
        : Integer.remainderUnsigned(number, buckets);
  }

  @Test
  void digestAndBucket_everyLine_isWhatTheGoldenFileHolds() throws IOException {
    for (String[] vector : vectors()) {
      Hash hash = Hash.valueOf(vector[0].toUpperCase(Locale.ROOT));
      byte[] input = SlowBytes.hex(vector[1]);
      byte[] array = SlowBytes.concat(new byte[] {1, 2, 3}, input, new byte[] {4});
      int buckets = Integer.parseInt(vector[3]);
      String message = String.join(" ", vector);
      assertEquals(vector[2], SlowBytes.hex(hash.digest(input, 0, input.length)), message);
      assertEquals(vector[2], SlowBytes.hex(hash.digest(array, 3, input.length)), message);
      int bucket = Integer.parseInt(vector[4]);
      assertEquals(bucket, hash.bucket(input, 0, input.length, buckets), message);
      assertEquals(bucket, hash.bucket(array, 3, input.length, buckets), message);
    }
  }

  @Test
  void goldenFile_slowHashes_sameAndOverManyLengths() throws IOException {
    for (String[] vector : vectors()) {
      byte[] input = SlowBytes.hex(vector[1]);
      String slow = VectorFiles.hashLine(vector[0], input, Integer.parseInt(vector[3]));
      assertEquals(String.join("\t", vector), slow);
    }
    for (String hash : SlowHash.NAMES) {
      long lengths =
          vectors().stream()
              .filter(vector -> vector[0].equals(hash))
              .mapToInt(vector -> vector[1].length())
              .distinct()
              .count();
      assertTrue(lengths >= 20, hash);
    }
    for (String[] vector : vectors()) {
      int bucket = Integer.parseInt(vector[4]);
      boolean fits = bucket >= 0 && bucket < Integer.parseInt(vector[3]);
      assertTrue(fits, () -> String.join(" ", vector));
    }
  }
}
