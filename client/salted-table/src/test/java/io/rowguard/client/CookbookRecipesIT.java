package io.rowguard.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.testing.MiniCluster;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The programs of {@code docs/cookbook.md}: its Java blocks are compiled as they stand there, as
 * methods of one class, and do what the page says on tables of its layouts.
 */
@ExtendWith(MiniCluster.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CookbookRecipesIT {
  private static final Path PAGE = Path.of("../../docs/cookbook.md");
  private static final byte[] F = Bytes.toBytes("f");
  private static final Map<String, String> CONSTANTS =
      Map.of(
          "F",
          "f",
          "RECEIPTS",
          "r",
          "BALANCE",
          "b",
          "SUM",
          "s",
          "STATUS",
          "t",
          "PRICE",
          "p",
          "TASK",
          "k",
          "ADDED",
          "a",
          "TAKEN",
          "n");
  private static final String HEAD =
      """
      import static org.apache.hadoop.hbase.CompareOperator.EQUAL;
      import static org.apache.hadoop.hbase.util.Bytes.toBytes;
      import static org.apache.hadoop.hbase.util.Bytes.toLong;
      import io.rowguard.client.RowGroup;
      import io.rowguard.client.SaltedTable;
      import java.io.IOException;
      import org.apache.hadoop.hbase.client.Delete;
      import org.apache.hadoop.hbase.client.Get;
      import org.apache.hadoop.hbase.client.Put;
      import org.apache.hadoop.hbase.client.Result;
      import org.apache.hadoop.hbase.client.ResultScanner;
      import org.apache.hadoop.hbase.client.Scan;
      import org.apache.hadoop.hbase.client.Table;
      public class Recipes {
      """;

  private final HBaseTestingUtility hbase;
  private final String page = Files.readString(PAGE);
  private URLClassLoader loader;
  private Class<?> recipes;

  CookbookRecipesIT(HBaseTestingUtility hbase) throws IOException {
    this.hbase = hbase;
  }

  @BeforeAll
  void compile(@TempDir Path directory) throws Exception {
    String methods = found("(?ms)^```java\\n(.*?)^```$").collect(Collectors.joining("\n"));
    String constants =
        CONSTANTS.entrySet().stream()
            .map(each -> constant(each.getKey(), each.getValue()))
            .collect(Collectors.joining());
    Path source = directory.resolve("Recipes.java");
    Files.writeString(
        source, HEAD + constants + methods.replaceAll("(?m)^static ", "public static ") + "}\n");
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter complaints = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options =
          List.of("-d", directory.toString(), "-cp", classPath(), "-proc:none", "--release", "17");
      assertTrue(
          compiler
              .getTask(complaints, files, null, options, null, files.getJavaFileObjects(source))
              .call(),
          complaints::toString);
    }
    loader = new URLClassLoader(new URL[] {directory.toUri().toURL()}, getClass().getClassLoader());
    recipes = loader.loadClass("Recipes");
  }

  @AfterAll
  void close() throws IOException {
    loader.close();
  }

  private static String constant(String name, String value) {
    return "static final byte[] %s = toBytes(\"%s\");%n".formatted(name, value);
  }

  /** Surefire may hide the tests' own behind a jar that names it. */
  private static String classPath() {
    return System.getProperty("surefire.test.class.path", "")
        + File.pathSeparator
        + System.getProperty("java.class.path");
  }

  private Stream<String> found(String pattern) {
    return Pattern.compile(pattern)
        .matcher(page)
        .results()
        .map((MatchResult each) -> each.group(1));
  }

  /** A table of the layout that the page gives for a group. */
  private SaltedTable create(String group) throws IOException {
    String layout =
        found("(?m)^ {4}(\\{\\S+\\|\\S+) +group " + group + "$")
            .reduce((first, last) -> last)
            .orElseThrow();
    return create(
        group,
        layout,
        table ->
            table
                .setValue("rowguard.group", group)
                .setCoprocessor(MultiRowMutationEndpoint.class.getName()));
  }

  /** A table of a layout of the page whose writers choose the bucket. */
  private SaltedTable createChosen(String segment) throws IOException {
    String layout =
        found("(?m)^ {4}(\\{salt:\\S+=any of .*\\{" + segment + ":.*)$").findFirst().orElseThrow();
    return create(segment, layout, table -> table);
  }

  private interface Setting {
    TableDescriptorBuilder set(TableDescriptorBuilder table) throws IOException;
  }

  private SaltedTable create(String recipe, String layout, Setting setting) throws IOException {
    TableName name = TableName.valueOf("recipe-" + recipe);
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("r"))
            .setValue("rowguard.layout", layout);
    hbase.getAdmin().createTable(setting.set(table).build());
    return SaltedTable.open(hbase.getConnection(), name);
  }

  private Object run(String method, Object... arguments) throws Exception {
    for (Method each : recipes.getMethods()) {
      if (each.getName().equals(method)) {
        return each.invoke(null, arguments);
      }
    }
    throw new AssertionError("The page has no such method. method=" + method);
  }

  private static void put(SaltedTable table, String row, String column, byte[] value)
      throws IOException {
    table.put(new Put(Bytes.toBytes(row)).addColumn(F, Bytes.toBytes(column), value));
  }

  private static byte[] value(SaltedTable table, String row, String column) throws IOException {
    return table.get(new Get(Bytes.toBytes(row))).getValue(F, Bytes.toBytes(column));
  }

  private static byte[] number(long number) {
    return Bytes.toBytes(number);
  }

  @Test
  void bank_transfers_moveWhatIsThere() throws Exception {
    try (SaltedTable bank = create("customer")) {
      put(bank, "00004711|0001", "b", number(500));
      put(bank, "00004711|0002", "b", number(20));
      assertEquals(true, run("transfer", bank, "00004711", "0001", "0002", 100L));
      assertEquals(false, run("transfer", bank, "00004711", "0001", "0002", 401L));
      assertEquals(true, run("transfer", bank, "00004711", "0002", "0001", 50L));
      assertArrayEquals(number(450), value(bank, "00004711|0001", "b"));
      assertArrayEquals(number(70), value(bank, "00004711|0002", "b"));
    }
  }

  @Test
  void order_linesThatAreAdded_areInTheSum() throws Exception {
    try (SaltedTable orders = create("order")) {
      String order = "202511200042";
      put(orders, order + "|0000", "t", Bytes.toBytes("open"));
      put(orders, order + "|0000", "s", number(0));
      assertEquals(true, run("addLine", orders, order, 1, 30L));
      assertEquals(true, run("addLine", orders, order, 2, 12L));
      assertEquals(false, run("addLine", orders, order, 2, 12L), "the line is there");
      put(orders, order + "|0000", "t", Bytes.toBytes("closed"));
      assertEquals(false, run("addLine", orders, order, 3, 1L));
      assertArrayEquals(number(42), value(orders, order + "|0000", "s"));
      assertArrayEquals(number(12), value(orders, order + "|0002", "p"));
      assertNull(value(orders, order + "|0003", "p"));
    }
  }

  @Test
  void events_ofOneDay_areReadFromAllSalts() throws Exception {
    try (SaltedTable events = createChosen("event");
        Table stored = hbase.getConnection().getTable(events.getName())) {
      for (int i = 0; i < 250; i++) {
        put(events, "0042" + "20251120" + String.format("%010d", i), "q", number(i));
      }
      put(events, "0042" + "20251121" + "0000000000", "q", number(0));
      // A writer of the articles, that knows of no SaltedTable.
      String own = "17" + "0042" + "20251120" + "9999999999";
      stored.put(new Put(Bytes.toBytes(own)).addColumn(F, F, F));
      assertEquals(251, run("countOfDay", events, "0042", "20251120"));
      assertEquals(1, run("countOfDay", events, "0042", "20251121"));
      assertEquals(252, Tables.rows(stored, new Scan()).size());
    }
  }

  @Test
  void hotRow_reactions_lieInAllBuckets() throws Exception {
    try (SaltedTable matches = createChosen("match");
        Table stored = hbase.getConnection().getTable(matches.getName())) {
      for (int i = 0; i < 80; i++) {
        run("react", matches, "final0", "user" + i, "goal");
      }
      run("react", matches, "final0", "user7", "foul");
      assertEquals(80, run("reactions", matches, "final0"));
      assertArrayEquals(Bytes.toBytes("foul"), value(matches, "final0", "user7"));
      assertEquals(8, Tables.rows(stored, new Scan()).size());
    }
  }

  @Test
  void queue_tasks_areTakenInTheirOrderAndOnce() throws Exception {
    try (SaltedTable queues = create("tenant")) {
      put(queues, "acme|0000000000", "a", number(0));
      put(queues, "acme|0000000000", "n", number(0));
      assertNull(run("take", queues, "acme"));
      assertEquals(true, run("add", queues, "acme", Bytes.toBytes("first")));
      assertEquals(true, run("add", queues, "acme", Bytes.toBytes("second")));
      assertArrayEquals(Bytes.toBytes("first"), (byte[]) run("take", queues, "acme"));
      assertArrayEquals(Bytes.toBytes("second"), (byte[]) run("take", queues, "acme"));
      assertNull(run("take", queues, "acme"));
      assertNull(value(queues, "acme|0000000001", "k"));
    }
  }
}
