package io.rowguard.layout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.zip.CRC32;
import org.apache.hadoop.hbase.util.ByteArrayHashKey;
import org.apache.hadoop.hbase.util.MD5Hash;
import org.apache.hadoop.hbase.util.MurmurHash3;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Pins the hashes and their remainders: the golden file holds what HBase, the JDK and the usual
 * formulas give, and what the core gives is what the file holds.
 */
class HashVectorsTest {
  private static List<String[]> vectors() throws IOException {
    return VectorFiles.read(VectorFiles.HASHES).stream()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split("\t", -1))
        .toList();
  }

  @Test
  void goldenFile_everyLine_isWhatHBaseAndTheJdkGive() throws Exception {
    for (String[] vector : vectors()) {
      String[] words = vector[0].split(" ", -1);
      byte[] input = SlowBytes.hex(vector[1]);
      int buckets = Integer.parseInt(vector[3]);
      String message = String.join(" ", vector);
      assertEquals(digest(words[0], input), vector[2], message);
      int number = Integer.parseUnsignedInt(vector[2].substring(0, 8), 16);
      String way = SlowHash.way(words[0], words.length == 1 ? null : words[1]);
      assertEquals(bucket(way, number, buckets), Integer.parseInt(vector[4]), message);
    }
  }

  private static String digest(String hash, byte[] input) throws Exception {
    switch (hash) {
      case "md5":
        return MD5Hash.getMD5AsHex(input);
      case "sha1":
        return SlowBytes.hex(MessageDigest.getInstance("SHA-1").digest(input));
      case "sha256":
        return SlowBytes.hex(MessageDigest.getInstance("SHA-256").digest(input));
      default:
        return String.format(Locale.ROOT, "%08x", number(hash, input));
    }
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
        return new String(input, UTF_8).hashCode();
    }
  }

  /** As programs write it. */
  private static int bucket(String way, int hash, int buckets) {
    switch (way) {
      case "masked":
        return (hash & 0x7fffffff) % buckets;
      case "abs":
        return Math.abs(hash % buckets);
      case "floor":
        return Math.floorMod(hash, buckets);
      default:
        return Integer.remainderUnsigned(hash, buckets);
    }
  }

  /** {@code Math.abs(h) % b} too, but for the one hash that has no absolute value in Java. */
  @Test
  void remainder_ofAnyNumber_isThatOfTheFormulaAndOfTheDefinition() {
    Random random = new Random(31);
    int[] edges = {Integer.MIN_VALUE, Integer.MIN_VALUE + 1, -1, 0, 1, Integer.MAX_VALUE};
    for (int i = 0; i < 100_000; i++) {
      int hash = i < 600 ? edges[i % edges.length] : random.nextInt();
      int buckets = i % 2 == 0 ? 2 + random.nextInt(65535) : 1 << (1 + random.nextInt(16));
      String message = "hash=" + hash + " buckets=" + buckets;
      for (Remainder remainder : Remainder.values()) {
        int bucket = remainder.of(hash, buckets);
        assertEquals(bucket(remainder.text(), hash, buckets), bucket, message);
        assertEquals(SlowHash.bucket(hash, remainder.text(), buckets), bucket, message);
      }
      boolean isLeast = hash == Integer.MIN_VALUE;
      int absolute = Math.abs(hash) % buckets;
      assertEquals(Remainder.ABS.of(hash, buckets), isLeast ? -absolute : absolute, message);
    }
  }

  @Test
  void goldenFile_leastHashes_arePartOfIt() throws IOException {
    List<String> hashes = List.of("string31", "java31", "murmur3");
    for (int i = 0; i < hashes.size(); i++) {
      byte[] text = VectorFiles.LEAST_HASHES.get(i).getBytes(UTF_8);
      assertEquals(Integer.MIN_VALUE, number(hashes.get(i), text), hashes.get(i));
      String line = hashes.get(i) + " masked\t" + SlowBytes.hex(text) + "\t80000000\t";
      assertTrue(
          VectorFiles.read(VectorFiles.HASHES).stream().anyMatch(each -> each.startsWith(line)),
          line);
    }
  }

  @Test
  void digestAndBucket_everyLine_isWhatTheGoldenFileHolds() throws IOException {
    for (String[] vector : vectors()) {
      String[] words = vector[0].split(" ", -1);
      Hash hash = Hash.valueOf(words[0].toUpperCase(Locale.ROOT));
      byte[] input = SlowBytes.hex(vector[1]);
      byte[] array = SlowBytes.concat(new byte[] {1, 2, 3}, input, new byte[] {4});
      int buckets = Integer.parseInt(vector[3]);
      String message = String.join(" ", vector);
      assertEquals(vector[2], SlowBytes.hex(hash.digest(input, 0, input.length)), message);
      assertEquals(vector[2], SlowBytes.hex(hash.digest(array, 3, input.length)), message);
      int bucket = Integer.parseInt(vector[4]);
      if (words.length == 1) {
        assertEquals(bucket, hash.bucket(input, 0, input.length, buckets), message);
        assertEquals(bucket, hash.bucket(array, 3, input.length, buckets), message);
      }
      assertEquals(bucket, bucketByLayout(vector[0], input, buckets), message);
    }
  }

  /** The bucket that a layout writes in front of the input. */
  private static long bucketByLayout(String hashAndWay, byte[] input, int buckets) {
    String type = hashAndWay.startsWith("string31") ? "text" : "bytes";
    String derivation = hashAndWay.replaceFirst("( |$)", "(id)$1") + "%" + buckets;
    RowkeyLayout layout = RowkeyLayout.parse("{s:uint32=" + derivation + "}{id:" + type + "}");
    byte[] row = SlowBytes.concat(new byte[4], input);
    layout.writeDerived(row, 0, row.length);
    return ByteBuffer.wrap(row).getInt();
  }

  /** Inputs that are gathered, with the second one beyond the memory that there is at first. */
  @ParameterizedTest
  @CsvSource({"200, 200", "10, 600"})
  void complete_longInputsApart_isTheHashOfBoth(int first, int second) throws Exception {
    String a = "a".repeat(first);
    String c = "c".repeat(second);
    RowkeyLayout layout = RowkeyLayout.parse("{s:hex(32)=md5(a,c)}-{a:word}|{b:word}|{c:word}");
    byte[] row = layout.complete((a + "|b|" + c).getBytes(UTF_8));
    assertEquals(digest("md5", (a + c).getBytes(UTF_8)), new String(row, 0, 32, UTF_8));
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

  @ParameterizedTest
  @CsvSource({"digits(3), 000, 0", "digits(3), 070, 70", "digits(3) reversed, 070, 70"})
  void complete_digitsAsDecimal_hashesTheNumber(String type, String digits, String number) {
    RowkeyLayout layout = RowkeyLayout.parse("{s:hex(32)=md5(id as decimal)}{id:" + type + "}");
    byte[] row = layout.complete(digits.getBytes(UTF_8));
    assertEquals(MD5Hash.getMD5AsHex(number.getBytes(UTF_8)) + digits, new String(row, UTF_8));
  }

  @Test
  void hashInputs_anyDerivation_sayHowMuchOfEachGoesIn() {
    RowkeyLayout layout = RowkeyLayout.parse("{s:hex(2)=md5(first 4 of id,n)}{id:word}/{n:uint8}");
    List<HashInput> inputs = layout.segment("s").derivation().hashInputs();
    assertEquals(List.of(4, 0), inputs.stream().map(HashInput::first).toList());
  }
}
