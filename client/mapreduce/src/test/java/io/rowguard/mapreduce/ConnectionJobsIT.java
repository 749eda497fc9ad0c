package io.rowguard.mapreduce;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rowguard.client.SaltedAsyncConnection;
import io.rowguard.client.SaltedConnection;
import io.rowguard.config.RawConnections;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.mapreduce.CopyTable;
import org.apache.hadoop.hbase.mapreduce.Export;
import org.apache.hadoop.hbase.mapreduce.Import;
import org.apache.hadoop.hbase.mapreduce.ImportTsv;
import org.apache.hadoop.hbase.mapreduce.RowCounter;
import org.apache.hadoop.hbase.tool.BulkLoadHFilesTool;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * HBase's own programs, unchanged, over a salted table and a plain one, with the property that
 * names {@link SaltedConnection}: they see the same.
 */
@ExtendWith(MiniCluster.class)
@Tag("long")
class ConnectionJobsIT {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final String LAYOUT =
      "{salt:digits(2)=murmur3(user)%16}-{user:word}|{item:digits(4)}";
  private static final TableName SALTED = TableName.valueOf("jobs_salted");
  private static final TableName PLAIN = TableName.valueOf("jobs_plain");
  private static final TableName BACK = TableName.valueOf("jobs_back");
  private static final TableName CHOSEN = TableName.valueOf("jobs_chosen");

  private final HBaseTestingUtility hbase;
  private final List<String> keys = new ArrayList<>();
  private Configuration conf;
  private Connection connection;

  ConnectionJobsIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @BeforeEach
  void create() throws IOException {
    conf = new Configuration(hbase.getConfiguration());
    conf.set(RawConnections.CONNECTION, SaltedConnection.class.getName());
    conf.set(RawConnections.ASYNC_CONNECTION, SaltedAsyncConnection.class.getName());
    conf.set("mapreduce.framework.name", "local");
    conf.setInt("mapreduce.task.io.sort.mb", 10);
    conf.set("hbase.fs.tmp.dir", hbase.getDataTestDir("jobs").toString());
    connection = ConnectionFactory.createConnection(conf);
    create(SALTED, LAYOUT, "03-", "05-u10", "08-", "12-u10|0005");
    create(PLAIN, null, "u10", "u20");
    create(BACK, null);
    for (int i = 0; i < 400; i++) {
      keys.add(String.format("u%02d|%04d", i / 10, i % 10));
    }
  }

  private void create(TableName name, String layout, String... splits) throws IOException {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F));
    if (layout != null) {
      table.setValue("rowguard.layout", layout);
    }
    byte[][] regions = new byte[splits.length][];
    for (int i = 0; i < splits.length; i++) {
      regions[i] = Bytes.toBytes(splits[i]);
    }
    hbase.getAdmin().createTable(table.build(), regions);
  }

  @AfterEach
  void drop() throws IOException {
    connection.close();
    for (TableName name : List.of(SALTED, PLAIN, BACK)) {
      hbase.deleteTable(name);
    }
  }

  private void fill(TableName name) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (String key : keys) {
      puts.add(new Put(Bytes.toBytes(key)).addColumn(F, Q, 7, Bytes.toBytes("v" + key)));
    }
    try (Table table = connection.getTable(name)) {
      table.put(puts);
    }
  }

  private static List<String> cells(Connection connection, TableName name) throws IOException {
    List<String> cells = new ArrayList<>();
    try (Table table = connection.getTable(name);
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        cells.add(
            Bytes.toString(result.getRow())
                + "@"
                + result.rawCells()[0].getTimestamp()
                + "="
                + Bytes.toString(result.getValue(F, Q)));
      }
    }
    return cells;
  }

  private void assertHasAll(TableName name) throws IOException {
    List<String> expected = new ArrayList<>();
    keys.forEach(key -> expected.add(key + "@7=v" + key));
    assertEquals(expected, cells(connection, name));
    RowkeyLayout layout = RowkeyLayout.parse(LAYOUT);
    expected.clear();
    for (String key : keys) {
      String row = name.equals(SALTED) ? Bytes.toString(layout.complete(Bytes.toBytes(key))) : key;
      expected.add(row + "@7=v" + key);
    }
    expected.sort(null);
    assertEquals(expected, cells(hbase.getConnection(), name));
  }

  private int run(Tool tool, String... arguments) throws Exception {
    return ToolRunner.run(new Configuration(conf), tool, arguments);
  }

  /** The way to salt a table by copying it, and back. */
  @Test
  void copyTable_plainToSaltedAndBack_copiesEveryRow() throws Exception {
    fill(PLAIN);
    assertEquals(0, run(new CopyTable(), "--new.name=" + SALTED, PLAIN.toString()));
    assertHasAll(SALTED);
    assertEquals(0, run(new CopyTable(), "--new.name=" + BACK, SALTED.toString()));
    assertHasAll(BACK);
  }

  @Test
  void rowCounter_saltedTable_countsEachRowOfARangeOnce() throws Exception {
    fill(SALTED);
    assertEquals(0, run(new RowCounter(), SALTED.toString(), "--expectedCount=400"));
    assertEquals(1, run(new RowCounter(), SALTED.toString(), "--expectedCount=399"));
    String range = "--range=u05,u12|0003";
    assertEquals(0, run(new RowCounter(), SALTED.toString(), range, "--expectedCount=73"));
  }

  /** The way from a salt that writers choose to one that is derived. */
  @Test
  void copyTable_writersChooseTheSalt_copiesEachKeyOnce() throws Exception {
    create(CHOSEN, "{salt:digits(1)=any of 8}-{user:word}|{item:digits(4)}", "2-", "4-", "6-u10");
    try {
      fill(CHOSEN);
      keys.add(keys.remove(0));
      fill(CHOSEN); // the same cells, each in another bucket
      keys.add(0, keys.remove(399));
      assertEquals(800, cells(hbase.getConnection(), CHOSEN).size());
      assertEquals(0, run(new RowCounter(), CHOSEN.toString(), "--expectedCount=400"));
      assertEquals(0, run(new CopyTable(), "--new.name=" + SALTED, CHOSEN.toString()));
      assertHasAll(SALTED);
    } finally {
      hbase.deleteTable(CHOSEN);
    }
  }

  @Test
  void exportAndImport_saltedToPlainAndBack_carryEveryRow(@TempDir Path directory)
      throws Exception {
    fill(SALTED);
    String files = directory.resolve("export").toUri().toString();
    assertEquals(0, run(new Export(), SALTED.toString(), files));
    assertEquals(0, run(new Import(), BACK.toString(), files));
    assertHasAll(BACK);
    hbase.truncateTable(SALTED);
    assertEquals(0, run(new Import(), SALTED.toString(), files));
    assertHasAll(SALTED);
  }

  private String lines(Path directory) throws IOException {
    List<String> lines = new ArrayList<>();
    keys.forEach(key -> lines.add(key + "\tv" + key));
    lines.add("no bare key\tv");
    Path file = Files.createDirectories(directory.resolve("lines")).resolve("lines.tsv");
    Files.write(file, lines);
    return file.getParent().toUri().toString();
  }

  /** Without the line that is none. */
  @Test
  void importTsv_byWriting_writesEveryLine(@TempDir Path directory) throws Exception {
    String lines = lines(directory);
    Files.write(
        directory.resolve("lines/lines.tsv"),
        Files.readAllLines(directory.resolve("lines/lines.tsv")).subList(0, keys.size()));
    assertEquals(
        0,
        run(
            new ImportTsv(),
            "-Dimporttsv.columns=HBASE_ROW_KEY,f:q",
            "-Dimporttsv.timestamp=7",
            SALTED.toString(),
            lines));
    assertHasAll(SALTED);
  }

  @Test
  void importTsv_byHFiles_loadsEveryLineUnderItsSaltedRow(@TempDir Path directory)
      throws Exception {
    String lines = lines(directory);
    String files = directory.resolve("files").toUri().toString();
    Configuration raw = RawConnections.of(conf);
    List<String> own = new ArrayList<>();
    RawConnections.KEYS.forEach(key -> own.add("-D" + key + "=" + raw.get(key)));
    assertEquals(0, run(new ImportTsv(), bulk(own, "true", lines, files)));
    assertEquals(
        0, run(new BulkLoadHFilesTool(conf), own.get(0), own.get(1), files, SALTED.toString()));
    assertHasAll(SALTED);

    files = directory.resolve("none").toUri().toString();
    assertEquals(1, run(new ImportTsv(), bulk(own, "false", lines, files)), "a bad line");
    files = directory.resolve("without").toUri().toString();
    assertEquals(1, run(new ImportTsv(), bulk(List.of(), "true", lines, files)), "bare keys");
    files = directory.resolve("half").toUri().toString();
    List<String> half = own.subList(0, 1);
    assertEquals(1, run(new ImportTsv(), bulk(half, "true", lines, files)), "one of the two");
  }

  private static String[] bulk(List<String> own, String skip, String lines, String files) {
    List<String> arguments = new ArrayList<>(own);
    arguments.addAll(
        List.of(
            "-Dimporttsv.mapper.class=" + SaltedTsvMapper.class.getName(),
            "-Dimporttsv.columns=HBASE_ROW_KEY,f:q",
            "-Dimporttsv.timestamp=7",
            "-Dimporttsv.skip.bad.lines=" + skip,
            "-Dimporttsv.bulk.output=" + files,
            SALTED.toString(),
            lines));
    return arguments.toArray(new String[0]);
  }
}
