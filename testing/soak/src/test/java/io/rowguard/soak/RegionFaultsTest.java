package io.rowguard.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.soak.SoakTable.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One region is harmed, whichever HBase lets be. */
class RegionFaultsTest {
  private static final int SEEDS = 10;

  @TempDir private Path directory;
  private final List<SoakTable> tables = new ArrayList<>();
  private final Map<TableName, TableDescriptor> descriptors = new HashMap<>();
  private final Set<String> asked = new TreeSet<>();
  private Set<String> allowed = Set.of();
  private List<String> startKeys = List.of("", "a", "b", "c");
  private Events events;

  @BeforeEach
  void start() throws IOException {
    events = new Events(directory);
    for (Kind kind : Kind.values()) {
      SoakTable table = new SoakTable(kind, directory);
      tables.add(table);
      TableDescriptorBuilder descriptor = TableDescriptorBuilder.newBuilder(table.name());
      if (kind == Kind.GROUPED) {
        descriptor.setValue("rowguard.split.load", "1");
      }
      descriptors.put(table.name(), descriptor.build());
    }
  }

  @AfterEach
  void close() {
    events.close();
  }

  /** A master that refuses all but some regions, named by their table and start key. */
  @SuppressWarnings("unused") // called by name
  private final class Master {
    List<RegionInfo> getRegions(TableName table) {
      List<RegionInfo> regions = new ArrayList<>();
      for (int i = startKeys.size(); i > 0; i--) {
        regions.add(
            RegionInfoBuilder.newBuilder(table)
                .setStartKey(Bytes.toBytes(startKeys.get(i - 1)))
                .setEndKey(Bytes.toBytes(i == startKeys.size() ? "" : startKeys.get(i)))
                .setRegionId(i)
                .build());
      }
      return regions;
    }

    TableDescriptor getDescriptor(TableName table) {
      return descriptors.get(table);
    }

    void modifyTable(TableDescriptor descriptor) {
      descriptors.put(descriptor.getTableName(), descriptor);
    }

    /** Refuses as HBase 2 does. */
    Future<Void> splitRegionAsync(byte[] name) throws IOException {
      if (!isAllowed(new String[] {named(name)})) {
        throw new DoNotRetryIOException("NOT splittable");
      }
      return CompletableFuture.completedFuture(null);
    }

    /** Refuses as HBase 3 does. */
    Future<Void> mergeRegionsAsync(byte[][] pair, boolean forcible) {
      return isAllowed(Stream.of(pair).map(this::named).toArray(String[]::new))
          ? CompletableFuture.completedFuture(null)
          : CompletableFuture.failedFuture(new DoNotRetryIOException("NOT mergeable"));
    }

    void flush(TableName table) throws IOException {
      if (!isAllowed(new String[] {table.toString()})) {
        throw new IOException("a region is on its way");
      }
    }

    void majorCompact(TableName table) {}

    private boolean isAllowed(String[] names) {
      String name = String.join("+", names);
      asked.add(name);
      return allowed.contains(name);
    }

    /** The table and start key of a region, by either of its names. */
    private String named(byte[] name) {
      return tables.stream()
          .flatMap(table -> getRegions(table.name()).stream())
          .filter(
              region ->
                  Bytes.equals(region.getRegionName(), name)
                      || Bytes.equals(region.getEncodedNameAsBytes(), name))
          .map(region -> region.getTable() + ":" + Bytes.toString(region.getStartKey()))
          .findFirst()
          .orElseThrow();
    }
  }

  private String strike(Fault fault, long seed) throws Exception {
    Admin admin = Fake.of(Admin.class, new Master());
    return new RegionFaults(admin, tables, seed, events).harms().get(fault).strike();
  }

  @ParameterizedTest
  @CsvSource({
    "SPLIT, soak_bare:b, 'soak_bare,b,'",
    "MERGE, soak_grouped:a+soak_grouped:b, 'soak_grouped,a,'"
  })
  void strike_findsTheOneThatCanBe(Fault fault, String only, String region) throws Exception {
    allowed = Set.of(only);

    for (int seed = 0; seed < SEEDS; seed++) {
      String done = strike(fault, seed);
      assertTrue(done.startsWith(region), done);
    }
  }

  @Test
  void splitsAndMerges_areOfNoTableWhoseLayoutChanges() throws Exception {
    assertNull(strike(Fault.SPLIT, 7));
    assertEquals(8, asked.size(), asked::toString);
    assertNull(strike(Fault.MERGE, 7));
    assertEquals(14, asked.size(), asked::toString);

    assertTrue(asked.stream().noneMatch(name -> name.contains("soak_salted")), asked::toString);
  }

  /** Nothing would be left to merge in the end, and no two regions to move apart. */
  @Test
  void merge_leavesTwoRegions() throws Exception {
    startKeys = List.of("", "a");

    assertNull(strike(Fault.MERGE, 7));
    assertEquals(Set.of(), asked);
  }

  @Test
  void merge_ofATableThatIsSplitByLoad_isForcedAnewEachTime() throws Exception {
    strike(Fault.MERGE, 7);
    String first = forced("soak_grouped");
    strike(Fault.MERGE, 8);

    assertTrue(first.startsWith("the soak merges"), first);
    assertNotEquals(first, forced("soak_grouped"));
    assertNull(forced("soak_bare"));
  }

  private String forced(String table) {
    return descriptors.get(TableName.valueOf(table)).getValue("rowguard.force");
  }

  @Test
  void compact_ofATableOnItsWay_takesAnother() throws Exception {
    allowed = Set.of("soak_salted");

    for (int seed = 0; seed < SEEDS; seed++) {
      assertEquals("soak_salted", strike(Fault.COMPACT, seed));
    }
  }
}
