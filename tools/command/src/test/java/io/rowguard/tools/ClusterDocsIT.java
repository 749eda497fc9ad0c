package io.rowguard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.config.Guards;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The blocks of docs/tools.md that are marked {@code console cluster}: each is executed on a live
 * cluster and prints what the page says, but for names of servers, versions, and what is counted.
 * {@code -Drowguard.transcripts=write} writes the page anew, with the names of the test's servers.
 */
@ExtendWith(MiniCluster.class)
class ClusterDocsIT {
  private static final boolean WRITE = "write".equals(System.getProperty("rowguard.transcripts"));
  private static final Path PAGE = Path.of("../../docs/tools.md");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```console cluster\\n(.*?)^```$");
  private static final RowkeyLayout LAYOUT =
      RowkeyLayout.parse("{salt:digits(2)=murmur3(user)%16}-{user:word}|{time:millis descending}");
  private static final List<String> USERS = List.of("alice", "bob", "carol", "dave", "kim", "zoe");
  private static final TableName ORDERS = TableName.valueOf("orders");

  @TempDir private Path directory;

  private final HBaseTestingUtility hbase;

  ClusterDocsIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  /** As the page says: in a dry run, cut inside of a user, with rows that do not fit. */
  private void createOrders() throws IOException {
    hbase
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(ORDERS)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .setValue("rowguard.layout", LAYOUT.toString())
                .setValue("rowguard.group", "user")
                .setValue("rowguard.mode", "warn")
                .setCoprocessor(Guards.OBSERVER)
                .setRegionSplitPolicyClassName(Guards.POLICY)
                .build(),
            new byte[][] {bytes("04"), bytes("08"), bytes("14-kim|\u007f\u00ff\u00fe")});
    try (Table table = hbase.getConnection().getTable(ORDERS)) {
      writeAll(table, 0);
      put(table, bytes("alice|20251120"));
      put(table, bytes("99-zoe|\u0001\u0001\u0001\u0001\u0001\u0001\u0001\u0001"));
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static void writeAll(Table table, long time) throws IOException {
    for (String user : USERS) {
      put(table, LAYOUT.encode(Map.of("user", user, "time", 1_763_596_800_000L + time)));
    }
  }

  private static void put(Table table, byte[] row) throws IOException {
    table.put(new Put(row).addColumn(bytes("f"), bytes("q"), bytes("v")));
  }

  @Test
  void everyBlock_onACluster_printsWhatThePageSays() throws Exception {
    createOrders();
    ClusterSession.awaitObservers(hbase);
    ClusterSession session = new ClusterSession(hbase, directory);
    Shell shell = new Shell(directory, session.arguments());
    String page = Files.readString(PAGE);
    StringBuilder actualPage = new StringBuilder();
    Matcher block = BLOCK.matcher(page);
    int blocks = 0;
    while (block.find()) {
      blocks++;
      String actual = rerun(block.group(1), shell);
      block.appendReplacement(
          actualPage, Matcher.quoteReplacement("```console cluster\n" + actual + "```"));
    }
    block.appendTail(actualPage);
    assertTrue(blocks >= 2, page);
    if (WRITE) {
      Files.writeString(PAGE, actualPage.toString());
    }
  }

  /** Runs a block and compares; answers what it printed. */
  private String rerun(String expected, Shell shell) throws Exception {
    if (expected.startsWith("$ rowguard heatmap")) {
      return rerunWhileWriting(expected, shell);
    }
    String actual = Transcript.rerun(expected, shell);
    assertSame(expected, actual, Masked::of);
    return actual;
  }

  private static void assertSame(String expected, String actual, UnaryOperator<String> masked) {
    if (!WRITE && !masked.apply(expected).equals(masked.apply(actual))) {
      assertEquals(expected, actual);
    }
  }

  /** Again where the writer did not come to write in that time. */
  private String rerunWhileWriting(String expected, Shell shell) throws Exception {
    try (BackgroundWriter writer =
        BackgroundWriter.start(
            hbase.getConnection().getTable(ORDERS), ClusterDocsIT::writeMostOfOne)) {
      String actual = Transcript.rerunUntil(expected, shell, Masked::ofNumbers, WRITE);
      assertTrue(writer.isWriting());
      assertSame(expected, actual, Masked::ofNumbers);
      return actual;
    }
  }

  private static void writeMostOfOne(Table table, long time) throws IOException {
    writeAll(table, time);
    for (int i = 0; i < 50; i++) {
      put(table, LAYOUT.encode(Map.of("user", "kim", "time", 1_763_596_900_000L + time + i)));
    }
  }
}
