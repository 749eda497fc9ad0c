package io.rowguard.splitpoint;

import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.LegalBoundaries;
import io.rowguard.layout.PrefixBoundaries;
import io.rowguard.layout.RowkeyLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A region made up from a seed: rows with sizes in several files, each file cut into blocks with an
 * index of one or two levels, and legal boundaries of one of several kinds. Knows the best boundary
 * by trying every one.
 */
final class RandomRegion {
  private static final String WORD = "abcdefgh";
  private static final String SALTED = "{salt:digits(2)=murmur3(group)%16}-{group:word}|{id:text}";

  final LegalBoundaries boundaries;
  final List<ArrayFile> files = new ArrayList<>();
  // All rows of all files, with their bytes.
  final TreeMap<byte[], Long> bytesByRow = new TreeMap<>(Bytes.BYTES_COMPARATOR);
  private final Random random;
  private final int kind;

  RandomRegion(long seed) {
    random = new Random(seed);
    kind = random.nextInt(5);
    boundaries = boundaries();
    int fileCount = 1 + (random.nextInt(4) == 0 ? random.nextInt(20) : random.nextInt(3));
    int groups = 1 + (int) Math.pow(random.nextDouble() * 8, 2);
    for (int i = 0; i < fileCount; i++) {
      addFile(groups, 1 + random.nextInt(random.nextInt(4) == 0 ? 800 : 60));
    }
  }

  private LegalBoundaries boundaries() {
    return switch (kind) {
      case 0 -> LayoutBoundaries.of(RowkeyLayout.parse("{group:word}|{id:digits(6)}"), "group");
      case 1 -> LayoutBoundaries.of(RowkeyLayout.parse(SALTED), "group");
      case 2 -> LayoutBoundaries.of(RowkeyLayout.parse("{id:hex(8)}"), null);
      case 3 -> PrefixBoundaries.ofLength(2);
      default -> PrefixBoundaries.ofDelimiter(new byte[] {'|'});
    };
  }

  private void addFile(int groups, int rows) {
    TreeMap<byte[], Long> file = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (int i = 0; i < rows; i++) {
      long bytes = random.nextInt(50) == 0 ? random.nextInt(200_000) : 20 + random.nextInt(400);
      file.putIfAbsent(row(groups), bytes);
    }
    file.forEach((row, bytes) -> bytesByRow.merge(row, bytes, Long::sum));
    int blockSize = 1 << (9 + random.nextInt(7));
    files.add(new ArrayFile(file, blockSize, random.nextBoolean() ? 1 : 2 + random.nextInt(50)));
  }

  private byte[] row(int groups) {
    if (random.nextInt(200) == 0) {
      byte[] legacy = new byte[1 + random.nextInt(8)];
      random.nextBytes(legacy);
      return legacy;
    }
    // Skewed, so that now and then one group is most of the region.
    int group = (int) (groups * Math.pow(random.nextDouble(), 1 + random.nextInt(4)));
    StringBuilder name = new StringBuilder();
    for (int i = group; i > 0 || name.length() == 0; i /= WORD.length()) {
      name.append(WORD.charAt(i % WORD.length()));
    }
    String id = String.format("%06d", random.nextInt(1_000_000));
    if (kind == 1) {
      RowkeyLayout layout = ((LayoutBoundaries) boundaries).group().layout();
      return layout.encode(Map.of("group", name.toString(), "id", id));
    }
    String text = kind == 2 ? String.format("%08x", random.nextInt()) : name + "|" + id;
    return text.getBytes(StandardCharsets.UTF_8);
  }

  byte[] first() {
    return bytesByRow.firstKey();
  }

  byte[] last() {
    return bytesByRow.lastKey();
  }

  List<WeightTree> weights() {
    List<WeightTree> trees = new ArrayList<>();
    for (ArrayFile file : files) {
      trees.add(new WeightTree(file.root(), file.lastRow(), file.bytes()));
    }
    return trees;
  }

  /** The smaller of the two sides' bytes when the region is cut at a boundary. */
  long smallerSide(byte[] boundary) {
    long below = bytesByRow.headMap(boundary).values().stream().mapToLong(Long::longValue).sum();
    return Math.min(below, total() - below);
  }

  long total() {
    return bytesByRow.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The best smaller side of all legal boundaries that leave rows on both sides; 0 for none. */
  long bestSmallerSide() {
    TreeSet<byte[]> candidates = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (byte[] row : bytesByRow.keySet()) {
      addInside(candidates, boundaries.floor(row));
      addInside(candidates, boundaries.ceiling(row));
    }
    long best = 0;
    long below = 0;
    long total = total();
    Map.Entry<byte[], Long> next = bytesByRow.firstEntry();
    for (byte[] candidate : candidates) {
      while (next != null && Bytes.compareTo(next.getKey(), candidate) < 0) {
        below += next.getValue();
        next = bytesByRow.higherEntry(next.getKey());
      }
      best = Math.max(best, Math.min(below, total - below));
    }
    return best;
  }

  private void addInside(Set<byte[]> candidates, byte[] boundary) {
    if (boundary != null
        && Bytes.compareTo(boundary, first()) > 0
        && Bytes.compareTo(boundary, last()) <= 0) {
      candidates.add(boundary);
    }
  }
}
