package io.rowguard.split;

import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.LegalBoundaries;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.testing.Eventually;
import io.rowguard.testing.OpenRegions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileCells;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.ConstantSizeRegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table that splits only when asked, and what its store files really hold: the oracle for the
 * policy, which reads every cell where the policy reads indexes.
 */
final class FilledTable implements AutoCloseable {
  static final String LAYOUT = "{group:word}|{id:digits(8)}";
  static final LegalBoundaries BOUNDARIES =
      LayoutBoundaries.of(RowkeyLayout.parse(LAYOUT), "group");
  static final byte[] F = Bytes.toBytes("f");
  static final byte[] Q = Bytes.toBytes("q");
  private static final int SMALL_BLOCK = 2048;
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final HBaseTestingUtility hbase;
  final TableName name;

  private FilledTable(HBaseTestingUtility hbase, TableName name) {
    this.hbase = hbase;
    this.name = name;
  }

  /** An empty table with the layout, changed by the caller, with one region. */
  static FilledTable create(
      HBaseTestingUtility hbase,
      UnaryOperator<TableDescriptorBuilder> table,
      UnaryOperator<ColumnFamilyDescriptorBuilder> family,
      byte[]... splitKeys)
      throws IOException {
    TableName name = TableName.valueOf("filled" + COUNT.incrementAndGet());
    TableDescriptorBuilder builder =
        TableDescriptorBuilder.newBuilder(name)
            .setValue("rowguard.layout", LAYOUT)
            .setValue("rowguard.group", "group")
            .setValue("rowguard.split.when", ConstantSizeRegionSplitPolicy.class.getName())
            .setRegionSplitPolicyClassName(LayoutRegionSplitPolicy.class.getName())
            .setCompactionEnabled(false)
            .setColumnFamily(
                family
                    .apply(ColumnFamilyDescriptorBuilder.newBuilder(F).setBlocksize(SMALL_BLOCK))
                    .build());
    hbase.getAdmin().createTable(table.apply(builder).build(), splitKeys);
    OpenRegions.await(hbase, name);
    return new FilledTable(hbase, name);
  }

  static FilledTable create(HBaseTestingUtility hbase) throws IOException {
    return create(hbase, UnaryOperator.identity(), UnaryOperator.identity());
  }

  /** Rows of a few groups of very different size, with values of different size. */
  List<Put> puts(int count, long seed) {
    Random random = new Random(seed);
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int group = (int) (40 * Math.pow(random.nextDouble(), 2));
      String row = String.format("g%02d|%08d", group, random.nextInt(100_000_000));
      byte[] value = new byte[random.nextInt(100) == 0 ? 3000 : 20 + random.nextInt(200)];
      random.nextBytes(value);
      puts.add(new Put(row.getBytes(StandardCharsets.UTF_8)).addColumn(F, Q, value));
    }
    return puts;
  }

  FilledTable fill(int count, long seed) throws IOException {
    return put(puts(count, seed)).flush();
  }

  FilledTable put(List<Put> puts) throws IOException {
    try (Table table = hbase.getConnection().getTable(name)) {
      table.put(puts);
    }
    return this;
  }

  FilledTable put(String... rows) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (String row : rows) {
      puts.add(new Put(Bytes.toBytesBinary(row)).addColumn(F, Q, new byte[100]));
    }
    return put(puts);
  }

  FilledTable flush() throws IOException {
    hbase.flush(name);
    return this;
  }

  /** The regions, in the order of their start keys. */
  List<HRegion> regions() {
    List<HRegion> regions = new ArrayList<>(hbase.getMiniHBaseCluster().getRegions(name));
    regions.sort(
        (a, b) ->
            Bytes.compareTo(a.getRegionInfo().getStartKey(), b.getRegionInfo().getStartKey()));
    return regions;
  }

  /** Changes the descriptor; the regions are open again after it. */
  FilledTable alter(UnaryOperator<TableDescriptorBuilder> change) throws IOException {
    Admin admin = hbase.getAdmin();
    TableDescriptorBuilder now = TableDescriptorBuilder.newBuilder(admin.getDescriptor(name));
    admin.modifyTable(change.apply(now).build());
    OpenRegions.await(hbase, name);
    return this;
  }

  /** The only region. */
  HRegion region() {
    Eventually.isTrue("one region", () -> regions().size() == 1);
    return regions().get(0);
  }

  /** The policy's answer when HBase asks for a split regardless of size, or null. */
  static byte[] splitPoint(HRegion region) {
    return region.checkSplit(true).orElse(null);
  }

  /** The bytes of all cells in all store files of a region, by row. */
  static NavigableMap<byte[], Long> bytesByRow(HRegion region) {
    TreeMap<byte[], Long> bytes = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    for (HStore store : region.getStores()) {
      for (HStoreFile file : store.getStorefiles()) {
        try (HFileScanner scanner =
            file.getReader()
                .getHFileReader()
                .getScanner(region.getReadOnlyConfiguration(), false, true)) {
          for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
            Cell cell = HFileCells.current(scanner);
            long size = PrivateCellUtil.estimatedSerializedSizeOf(cell);
            bytes.merge(CellUtil.cloneRow(cell), size, Long::sum);
          }
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
    return bytes;
  }

  /** The share of the smaller side when cut at a point. */
  static double smallerShare(NavigableMap<byte[], Long> bytesByRow, byte[] point) {
    double below = sum(bytesByRow.headMap(point).values());
    double total = sum(bytesByRow.values());
    return Math.min(below, total - below) / total;
  }

  /** The best such share of all legal boundaries inside the region; 0 when there is none. */
  static double bestShare(
      NavigableMap<byte[], Long> bytesByRow, HRegion region, LegalBoundaries boundaries) {
    Set<byte[]> candidates = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (byte[] row : bytesByRow.keySet()) {
      for (byte[] candidate : new byte[][] {boundaries.floor(row), boundaries.ceiling(row)}) {
        if (candidate != null
            && region.getRegionInfo().containsRow(candidate)
            && !Bytes.equals(candidate, region.getRegionInfo().getStartKey())) {
          candidates.add(candidate);
        }
      }
    }
    double best = 0;
    for (byte[] candidate : candidates) {
      best = Math.max(best, smallerShare(bytesByRow, candidate));
    }
    return best;
  }

  private static long sum(Iterable<Long> numbers) {
    long sum = 0;
    for (long number : numbers) {
      sum += number;
    }
    return sum;
  }

  /** Whether some group has rows on both sides of a point. */
  static boolean cutsGroup(NavigableMap<byte[], Long> bytesByRow, byte[] point) {
    Map.Entry<byte[], Long> lower = bytesByRow.lowerEntry(point);
    Map.Entry<byte[], Long> upper = bytesByRow.ceilingEntry(point);
    return lower != null && upper != null && group(lower.getKey()).equals(group(upper.getKey()));
  }

  private static String group(byte[] row) {
    String text = Bytes.toStringBinary(row);
    int end = text.indexOf('|');
    return end < 0 ? text + " (no group)" : text.substring(0, end);
  }

  @Override
  public void close() throws IOException {
    hbase.deleteTable(name);
  }
}
