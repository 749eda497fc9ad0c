package io.rowguard.tools.digest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowText;
import io.rowguard.mapreduce.digest.CellsDigest;
import io.rowguard.mapreduce.digest.RangeDigests;
import io.rowguard.tools.cli.CommandFailure;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Differences of random tables, held against their rows one by one. */
class DigestDifferenceTest {
  private static final DigestScope ALL = new DigestScope("", "", false, true);
  private static final int ROUNDS = 300;

  @TempDir private Path directory;

  private final Random random = new Random(20261126);

  private NavigableMap<byte[], Integer> rows() {
    NavigableMap<byte[], Integer> rows = new TreeMap<>(Arrays::compareUnsigned);
    int count = random.nextInt(400);
    for (int i = 0; i < count; i++) {
      byte[] key = new byte[1 + random.nextInt(4)];
      random.nextBytes(key);
      rows.put(key, 0);
    }
    return rows;
  }

  /** Takes some rows away, adds some, and changes some. */
  private NavigableMap<byte[], Integer> changed(NavigableMap<byte[], Integer> rows) {
    NavigableMap<byte[], Integer> changed = new TreeMap<>(rows);
    List<byte[]> keys = List.copyOf(rows.keySet());
    for (int i = random.nextInt(4); i > 0; i--) {
      byte[] key = keys.isEmpty() ? new byte[] {7} : keys.get(random.nextInt(keys.size()));
      switch (random.nextInt(3)) {
        case 0 -> changed.remove(key);
        case 1 -> changed.put(key, 1);
        default -> changed.put(Arrays.copyOf(key, key.length + 1), 0);
      }
    }
    return changed;
  }

  private static RangeDigests digests(Map<byte[], Integer> rows, int most) {
    RangeDigests digests = new RangeDigests(most);
    rows.forEach(
        (key, value) ->
            digests.add(
                key,
                0,
                CellsDigest.of(
                    1,
                    1,
                    String.format(
                        Locale.ROOT, "%016x%016x", Arrays.hashCode(key) * 31L, value + 1L))));
    return digests;
  }

  @Test
  void between_randomTables_namesRangesThatHoldAllDifferentRowsAndAtLeastOneEach() {
    int differences = 0;
    for (int round = 0; round < ROUNDS; round++) {
      NavigableMap<byte[], Integer> here = rows();
      NavigableMap<byte[], Integer> there = changed(here);
      NavigableMap<byte[], Integer> all = new TreeMap<>(here);
      all.putAll(there);

      List<DigestDifference> found =
          DigestDifference.between(
              digests(here, 1 + random.nextInt(600)), digests(there, 1 + random.nextInt(600)));

      int[] inRange = new int[found.size()];
      for (byte[] key : all.keySet()) {
        boolean differs = !Objects.equals(here.get(key), there.get(key));
        for (int i = 0; i < found.size(); i++) {
          DigestDifference range = found.get(i);
          boolean isIn =
              (range.from() == null
                      || Arrays.compareUnsigned(key, RowText.toBytesBinary(range.from())) >= 0)
                  && (range.to() == null
                      || Arrays.compareUnsigned(key, RowText.toBytesBinary(range.to())) < 0);
          if (isIn && differs) {
            inRange[i]++;
          }
        }
        differences += differs ? 1 : 0;
      }
      assertEquals(
          all.keySet().stream()
              .filter(key -> !Objects.equals(here.get(key), there.get(key)))
              .count(),
          Arrays.stream(inRange).sum());
      assertTrue(Arrays.stream(inRange).allMatch(count -> count > 0));
    }
    assertTrue(differences > ROUNDS / 2, "The tables differ too seldom.");
  }

  @Test
  void file_writtenAndRead_isTheSame() throws Exception {
    for (int round = 0; round < 20; round++) {
      NavigableMap<byte[], Integer> rows = rows();
      DigestScope scope = new DigestScope("a\\x00b", "", random.nextBoolean(), true);
      Path file = directory.resolve("digest");
      new DigestFile("orders", scope, digests(rows, 50)).write(file);

      DigestFile read = DigestFile.read(file);

      assertEquals("orders", read.table());
      assertEquals(scope, read.scope());
      assertEquals(digests(rows, 50).total(), read.digests().total());
      assertEquals(List.of(), DigestDifference.between(digests(rows, 50), read.digests()));
    }
  }

  @Test
  void file_ofSomethingElse_isRefused() throws Exception {
    Path file = directory.resolve("digest");
    new DigestFile("orders", ALL, digests(rows(), 50)).write(file);
    String good = Files.readString(file);
    for (String bad :
        List.of(
            "",
            "row\n",
            good.replace("level ", "levels "),
            good.replace("versions newest", "versions some"),
            good + "key\t1\t1\n",
            good + "key\t1\t1\t12\n")) {
      Files.writeString(file, bad, StandardCharsets.US_ASCII);
      CommandFailure failure = assertThrows(CommandFailure.class, () -> DigestFile.read(file), bad);
      assertTrue(failure.getMessage().contains("no file of rowguard digest"), failure::getMessage);
    }
  }
}
