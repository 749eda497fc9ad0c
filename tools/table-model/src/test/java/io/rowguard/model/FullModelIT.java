package io.rowguard.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.RowText;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.split.LayoutRegionSplitPolicy;
import io.rowguard.testing.MiniCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.ConstantSizeRegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.IncreasingToUpperBoundRegionSplitPolicy;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The model against the real thing: the same rows into the model and into a table of a mini-cluster
 * with HBase's own flusher, compactions and split policies, and Rowguard's.
 *
 * <p>The tolerance: <b>the same number of regions, and of each boundary the share of all rows below
 * it within {@value #TOLERANCE}</b>, that is 2 %. What is left of an error is the sketches' (0.4 %
 * of a file per merge), the file's overhead, which is estimated, and HBase's block boundaries. Both
 * lists of boundaries are left in {@code target/full-model-*.txt}.
 */
@ExtendWith(MiniCluster.class)
class FullModelIT {
  private static final String HBASE = "org.apache.hadoop.hbase.regionserver.";
  private static final double TOLERANCE = 0.02;
  private static final int ROWS = 6_000;
  private static final int VALUE = 500;
  // Lengths, family, qualifier, timestamp, type.
  private static final int BESIDE_THE_ROW = VALUE + 22;
  private static final long FLUSH_SIZE = 100_000;
  private static final long MAX_FILE_SIZE = 600_000;
  private static final String ORDERS = "{user:word}|{time:millis}";
  private static final int USERS = 300;
  private static final long CLOCK = 1_763_424_000_000L;

  @TempDir private Path directory;
  private final HBaseTestingUtility hbase;

  FullModelIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  /** A table: what its keys are, and when and where it splits. */
  enum Case {
    CONSTANT_HASHED("{hash:hex(8)=md5(id)}{id:uint64}", null, 4_096) {
      @Override
      TableDescriptorBuilder table(TableDescriptorBuilder table) {
        return table.setRegionSplitPolicyClassName(ConstantSizeRegionSplitPolicy.class.getName());
      }
    },
    CONSTANT_SEQUENTIAL("{id:uint64}", null, 16_384) {
      @Override
      TableDescriptorBuilder table(TableDescriptorBuilder table) {
        return CONSTANT_HASHED.table(table);
      }
    },
    INCREASING_HASHED("{hash:hex(8)=md5(id)}{id:uint64}", null, 4_096) {
      @Override
      TableDescriptorBuilder table(TableDescriptorBuilder table) {
        return table.setRegionSplitPolicyClassName(
            IncreasingToUpperBoundRegionSplitPolicy.class.getName());
      }
    },
    ROWGUARD_GROUPS(ORDERS, "user", 4_096) {
      @Override
      TableDescriptorBuilder table(TableDescriptorBuilder table) {
        return table
            .setRegionSplitPolicyClassName(LayoutRegionSplitPolicy.class.getName())
            .setValue("rowguard.layout", ORDERS)
            .setValue("rowguard.group", "user")
            .setValue("rowguard.split.when", ConstantSizeRegionSplitPolicy.class.getName());
      }
    },
    KEY_PREFIX_GROUPS("{user:digits(3)}|{time:millis}", "user", 4_096) {
      @Override
      TableDescriptorBuilder table(TableDescriptorBuilder table) {
        return table
            .setRegionSplitPolicyClassName(HBASE + "KeyPrefixRegionSplitPolicy")
            .setValue("KeyPrefixRegionSplitPolicy.prefix_length", "3");
      }
    },
    DELIMITED_GROUPS(ORDERS, "user", 4_096) {
      @Override
      TableDescriptorBuilder table(TableDescriptorBuilder table) {
        return table
            .setRegionSplitPolicyClassName(HBASE + "DelimitedKeyPrefixRegionSplitPolicy")
            .setValue("DelimitedKeyPrefixRegionSplitPolicy.delimiter", "|");
      }
    };

    private final String layout;
    private final String group;
    private final int blockSize;

    Case(String layout, String group, int blockSize) {
      this.layout = layout;
      this.group = group;
      this.blockSize = blockSize;
    }

    abstract TableDescriptorBuilder table(TableDescriptorBuilder table);

    RowkeyLayout layout() {
      return RowkeyLayout.parse(layout);
    }

    /** Ids that count up, or orders of users that write as often as Zipf's law has it. */
    List<byte[]> rows() {
      SplittableRandom random = new SplittableRandom(1);
      List<byte[]> rows = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        rows.add(
            layout()
                .encode(
                    group == null
                        ? Map.of("id", (long) i)
                        : Map.of("user", user(random), "time", CLOCK + i)));
      }
      return rows;
    }

    /** User 0 writes twice as often as user 1, three times as often as user 2, and so on. */
    private static String user(SplittableRandom random) {
      double all = IntStream.rangeClosed(1, USERS).mapToDouble(rank -> 1.0 / rank).sum();
      double left = random.nextDouble() * all - 1;
      int user = 0;
      while (left >= 0 && user < USERS - 1) {
        user++;
        left -= 1.0 / (user + 1);
      }
      return String.format(Locale.ROOT, "%03d", user);
    }
  }

  @ParameterizedTest
  @EnumSource(Case.class)
  void write_sameRows_sameRegionsAsTheRealTable(Case design) throws Exception {
    List<byte[]> rows = design.rows();
    List<byte[]> modelled = modelled(design, rows);
    List<byte[]> real = real(design, rows);
    String both = "\nmodel " + shown(modelled, rows) + "\nreal  " + shown(real, rows);
    Files.writeString(Path.of("target", "full-model-" + design + ".txt"), both);
    assertEquals(real.size(), modelled.size(), both);
    assertTrue(real.size() >= 3, "enough splits to compare" + both);
    for (int i = 0; i < real.size(); i++) {
      double difference = share(real.get(i), rows) - share(modelled.get(i), rows);
      assertTrue(Math.abs(difference) <= TOLERANCE, "boundary " + i + both);
    }
  }

  private List<byte[]> modelled(Case design, List<byte[]> rows) throws Exception {
    Path site = directory.resolve("hbase-site.xml");
    Files.writeString(
        site,
        "<configuration><property><name>hbase.hregion.max.filesize.jitter</name>"
            + "<value>0</value></property><property>"
            + "<name>hbase.regionserver.region.split.policy</name><value>"
            + design
                .table(TableDescriptorBuilder.newBuilder(TableName.valueOf("t")))
                .build()
                .getRegionSplitPolicyClassName()
            + "</value></property><property><name>rowguard.split.when</name><value>"
            + ConstantSizeRegionSplitPolicy.class.getName()
            + "</value></property></configuration>");
    TableSettings settings =
        TableSettings.of(
            HBaseSite.read(site),
            new TableSettings.Wishes(
                null,
                null,
                design == Case.KEY_PREFIX_GROUPS ? 3 : null,
                design == Case.DELIMITED_GROUPS ? "|" : null,
                MAX_FILE_SIZE,
                FLUSH_SIZE,
                design.blockSize,
                1,
                BESIDE_THE_ROW));
    SimulatedTable table =
        new SimulatedTable(
            settings, LayoutBoundaries.of(design.layout(), design.group), List.of(), 1);
    for (int i = 0; i < rows.size(); i++) {
      table.write(i, rows.get(i), (region, server) -> {});
    }
    return table.regions().stream().skip(1).map(SimulatedRegionState::start).toList();
  }

  private List<byte[]> real(Case design, List<byte[]> rows) throws Exception {
    TableName name = TableName.valueOf(design.name().toLowerCase(Locale.ROOT));
    TableDescriptorBuilder builder =
        TableDescriptorBuilder.newBuilder(name)
            .setMaxFileSize(MAX_FILE_SIZE)
            .setMemStoreFlushSize(FLUSH_SIZE)
            .setValue("hbase.hregion.max.filesize.jitter", "0")
            .setValue("hbase.table.sanity.checks", "false") // such small regions are not sane
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(RealTable.FAMILY)
                    .setBlocksize(design.blockSize)
                    .build());
    byte[] value = new byte[VALUE];
    Random random = new Random(1);
    // The cluster has no balancer: daughters stay where their parent was, as in a model of one
    // server.
    try (RealTable table = new RealTable(hbase, design.table(builder).build())) {
      for (byte[] row : rows) {
        random.nextBytes(value);
        table.put(row, value);
      }
      return table.boundaries();
    }
  }

  /** The share of all rows that are below a boundary. */
  private static double share(byte[] boundary, List<byte[]> rows) {
    long below = rows.stream().filter(row -> Arrays.compareUnsigned(row, boundary) < 0).count();
    return (double) below / rows.size();
  }

  private static String shown(List<byte[]> boundaries, List<byte[]> rows) {
    List<String> texts = new ArrayList<>();
    for (byte[] boundary : boundaries) {
      texts.add(
          String.format(
              Locale.ROOT, "%s (%.3f)", RowText.toStringBinary(boundary), share(boundary, rows)));
    }
    return boundaries.size() + 1 + " regions: " + texts;
  }
}
