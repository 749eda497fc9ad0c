package io.rowguard.tools;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.client.SaltedTable;
import io.rowguard.config.Guards;
import io.rowguard.layout.RowkeyLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The blocks of docs/relayout.md, then of docs/internals/relayout.md, that are marked {@code
 * console cluster}: executed one after the other on a table of 8 buckets and one without a salt,
 * each prints what the page says, but for numbers that depend on the machine. {@code
 * -Drowguard.transcripts=write} writes the pages anew. The Chinese page shows the same.
 */
class RelayoutDocsIT {
  private static final boolean WRITE = "write".equals(System.getProperty("rowguard.transcripts"));
  private static final Path PAGE = Path.of("../../docs/relayout.md");
  private static final Path INTERNALS = Path.of("../../docs/internals/relayout.md");
  private static final Path CHINESE = Path.of("../../docs/relayout.zh-CN.md");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```console cluster\\n(.*?)^```$");
  private static final RowkeyLayout LAYOUT =
      RowkeyLayout.parse("{salt:digits(2)=murmur3(user)%8}-{user:word}|{item:digits(4)}");

  private static final Pattern HEATMAP = Pattern.compile("^\\$ rowguard heatmap (\\w+)");
  private static final byte[] F = Bytes.toBytes("f");
  private static final int IDS = 4_000;

  @TempDir private Path directory;

  private static void createOrders(HBaseTestingUtility hbase) throws IOException {
    TableName orders = TableName.valueOf("orders");
    hbase
        .getAdmin()
        .createTable(
            guarded(orders)
                .setValue("rowguard.layout", LAYOUT.toString())
                .setValue("rowguard.group", "user")
                .build(),
            new byte[][] {Bytes.toBytes("02"), Bytes.toBytes("04"), Bytes.toBytes("06")});
    try (Table table = hbase.getConnection().getTable(orders)) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < 3000; i++) {
        String bare = String.format("u%d|%04d", i % 1000, i);
        puts.add(new Put(LAYOUT.complete(bare.getBytes(UTF_8))).addColumn(F, F, F));
      }
      table.put(puts);
    }
  }

  @Test
  void everyBlock_inItsOrder_printsWhatThePageSays() throws Exception {
    HBaseTestingUtility hbase = ObservedCluster.running();
    createOrders(hbase);
    createIds(hbase);
    Shell shell = new Shell(directory, new ClusterSession(hbase, directory).arguments());
    assertTrue(rerunAll(PAGE, shell) >= 5);
    assertEquals(3, rerunAll(INTERNALS, shell));
  }

  /** Runs the blocks of a page; answers how many there are. */
  private static int rerunAll(Path page, Shell shell) throws IOException {
    StringBuilder actualPage = new StringBuilder();
    Matcher block = BLOCK.matcher(Files.readString(page));
    int blocks = 0;
    while (block.find()) {
      blocks++;
      String actual = rerun(block.group(1), shell);
      block.appendReplacement(
          actualPage, Matcher.quoteReplacement("```console cluster\n" + actual + "```"));
    }
    block.appendTail(actualPage);
    if (WRITE) {
      Files.writeString(page, actualPage.toString());
    }
    return blocks;
  }

  /** Runs a block and compares; answers what it printed. */
  private static String rerun(String expected, Shell shell) throws IOException {
    Matcher heatmap = HEATMAP.matcher(expected);
    if (!heatmap.find()) {
      return compared(expected, Transcript.rerun(expected, shell), RelayoutDocsIT::masked);
    }
    TableName name = TableName.valueOf(heatmap.group(1));
    Connection connection = ObservedCluster.running().getConnection();
    try (BackgroundWriter writer =
        BackgroundWriter.start(SaltedTable.open(connection, name), RelayoutDocsIT::writeNewest)) {
      String actual = Transcript.rerunUntil(expected, shell, Masked::ofNumbers, WRITE);
      assertTrue(writer.isWriting());
      return compared(expected, actual, Masked::ofNumbers);
    }
  }

  private static String compared(String expected, String actual, UnaryOperator<String> masked) {
    if (!WRITE && !masked.apply(expected).equals(masked.apply(actual))) {
      assertEquals(expected, actual);
    }
    return actual;
  }

  /** Ids in their order, as applications number what comes. */
  private static void writeNewest(Table table, long number) throws IOException {
    for (long id = IDS + 100 * number; id < IDS + 100 * (number + 1); id++) {
      table.put(new Put(id(id)).addColumn(F, F, F));
    }
  }

  private static byte[] id(long number) {
    return Bytes.toBytes(String.format("%010d", number));
  }

  /** Without a salt, four regions, each with rows. */
  private static void createIds(HBaseTestingUtility hbase) throws IOException {
    TableName table = TableName.valueOf("events");
    hbase
        .getAdmin()
        .createTable(
            guarded(table).setValue("rowguard.layout", "{id:digits(10)}").build(),
            new byte[][] {id(IDS / 4), id(IDS / 2), id(IDS * 3 / 4)});
    try (Table ids = hbase.getConnection().getTable(table)) {
      ids.put(LongStream.range(0, IDS).mapToObj(i -> new Put(id(i)).addColumn(F, F, F)).toList());
    }
  }

  private static TableDescriptorBuilder guarded(TableName table) throws IOException {
    return TableDescriptorBuilder.newBuilder(table)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
        .setValue("rowguard.mode", "reject")
        .setCoprocessor(Guards.OBSERVER)
        .setRegionSplitPolicyClassName(Guards.POLICY);
  }

  @Test
  void chinesePage_showsTheSameBlocks() throws IOException {
    assertEquals(blocks(PAGE), blocks(CHINESE));
  }

  private static List<String> blocks(Path page) throws IOException {
    return BLOCK.matcher(Files.readString(page)).results().map(found -> found.group(1)).toList();
  }

  /** Without what the machine is: how fast it is, how busy, and how much room it has. */
  private static String masked(String text) {
    return Masked.of(text)
        .replaceAll("(?m)^! rowguard: It is (not )?slowed.*\\R", "")
        .replaceAll("[\\d,.]+ [kMGTP]?B(ytes)?\\b", "SIZE")
        .replaceAll("\\b[\\d,]+ bytes", "SIZE")
        .replaceAll("in \\d+ s, [\\d,]+ a second", "in N s, N a second")
        .replaceAll("opened \\d+ (s|min) ago", "opened N s ago")
        .replaceAll("Gave \\d+ of them", "Gave N of them");
  }
}
