package io.rowguard.benchmarks.salt;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rowguard.layout.RowText;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;

/**
 * Writes golden vectors: what Apache Phoenix makes of values in its primary keys, next to the
 * layout that says the same. For {@code testing/benchmarks/run.sh phoenix-keys}, which fetches
 * Phoenix; a test of rowkey-layout reads what comes out. No server is asked: Phoenix compiles
 * UPSERTs without one, and tells which cells it would send.
 */
public final class PhoenixKeys {
  private static final long DAY = 1_763_596_800_000L;

  private final Connection connection;
  private final PrintStream out;
  private int tables;

  private PhoenixKeys(Connection connection, PrintStream out) {
    this.connection = connection;
    this.out = out;
  }

  /** A layout and the table that it stands for. */
  private record Case(
      String layout, String columns, String key, int buckets, List<Object[]> rows) {}

  private static Case salted(String layout, String columns, String key, Object[]... rows) {
    return new Case("{salt:uint8=java31(*)%16}" + layout, columns, key, 16, List.of(rows));
  }

  private static Case plain(String layout, String columns, String key, Object[]... rows) {
    return new Case(layout, columns, key, 0, List.of(rows));
  }

  private static Object[] row(Object... values) {
    return values;
  }

  private static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    cases.addAll(numbers());
    cases.addAll(texts());
    cases.addAll(nulls());
    return cases;
  }

  private static List<Case> numbers() {
    Object[][] longs = {
      row(0L), row(1L), row(-1L), row(-5L), row(4711L), row(Long.MAX_VALUE), row(Long.MIN_VALUE)
    };
    Object[][] ints = {
      row(0), row(1), row(-1), row(255), row(-256), row(Integer.MAX_VALUE), row(Integer.MIN_VALUE)
    };
    Object[][] small = {
      row((short) -1, (byte) -1), row((short) 258, (byte) 3), row((short) 0, Byte.MIN_VALUE)
    };
    Object[][] unsigned = {row(0L), row(4711L), row(Long.MAX_VALUE)};
    Object[][] dates = {row(new Date(DAY)), row(new Date(0)), row(new Date(-1))};
    return List.of(
        plain("{a:int64}", "a BIGINT NOT NULL", "a", longs),
        salted("{a:int64}", "a BIGINT NOT NULL", "a", longs),
        salted("{a:int64 descending}", "a BIGINT NOT NULL", "a DESC", longs),
        plain("{a:int32}", "a INTEGER NOT NULL", "a", ints),
        salted("{a:int32 descending}", "a INTEGER NOT NULL", "a DESC", ints),
        plain("{a:int16}{b:int8}", "a SMALLINT NOT NULL, b TINYINT NOT NULL", "a, b", small),
        salted(
            "{a:int16 descending}{b:int8 descending}",
            "a SMALLINT NOT NULL, b TINYINT NOT NULL",
            "a DESC, b DESC",
            small),
        salted("{a:uint64}", "a UNSIGNED_LONG NOT NULL", "a", unsigned),
        plain("{a:uint32 descending}", "a UNSIGNED_INT NOT NULL", "a DESC", row(0), row(4711)),
        salted("{a:int64}", "a DATE NOT NULL", "a", dates),
        plain("{a:int64 descending}", "a DATE NOT NULL", "a DESC", dates),
        plain("{a:millis}", "a UNSIGNED_DATE NOT NULL", "a", row(new Date(DAY))));
  }

  private static List<Case> texts() {
    String two = "a VARCHAR NOT NULL, b VARCHAR NOT NULL";
    Object[][] words = {row("x", "y"), row("alice", "bob"), row("\u00e9\u65e5", "\ud83d\ude00z")};
    return List.of(
        plain("{a:text}", "a VARCHAR NOT NULL", "a", row("x"), row("alice")),
        salted("{a:text}\\x00{b:text}", two, "a, b", words),
        salted("{a:text descending}\\xFF{b:text}", two, "a DESC, b", words),
        plain("{a:text}\\x00{b:text descending}\\xFF", two, "a, b DESC", words),
        salted("{a:text descending}\\xFF{b:text descending}\\xFF", two, "a DESC, b DESC", words),
        salted(
            "{a:text}\\x00{b:int64 descending}",
            "a VARCHAR NOT NULL, b BIGINT NOT NULL",
            "a, b DESC",
            row("alice", 5L),
            row("bob", -5L)),
        plain("{a:text(3)}", "a CHAR(3) NOT NULL", "a", row("abc"), row("x  ")),
        salted(
            "{a:text(3) descending}{b:int32}",
            "a CHAR(3) NOT NULL, b INTEGER NOT NULL",
            "a DESC, b",
            row("abc", 1),
            row("x  ", -1)),
        plain(
            "{a:bytes(3)}{b:bytes}",
            "a BINARY(3) NOT NULL, b VARBINARY NOT NULL",
            "a, b",
            row(new byte[] {1, 2, 3}, new byte[] {(byte) 0xff, 0, 1})),
        plain(
            "{a:bytes(3) descending}",
            "a BINARY(3) NOT NULL",
            "a DESC",
            row((Object) new byte[] {1, 2, (byte) 0xfe})));
  }

  private static List<Case> nulls() {
    return List.of(
        salted(
            "{a:text}\\x00{b:text optional}",
            "a VARCHAR NOT NULL, b VARCHAR",
            "a, b",
            row("x", "y"),
            row("x", null),
            row("alice", null)),
        salted(
            "{a:int64}{b:text optional}",
            "a BIGINT NOT NULL, b VARCHAR",
            "a, b",
            row(1L, "x"),
            row(1L, null),
            row(-5L, null)));
  }

  private void write(Case each) throws SQLException, ReflectiveOperationException {
    String name = "T" + tables++;
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE "
              + name
              + " ("
              + each.columns
              + ", q VARCHAR, CONSTRAINT pk PRIMARY KEY ("
              + each.key
              + "))"
              + (each.buckets == 0 ? "" : " SALT_BUCKETS=" + each.buckets));
    }
    for (Object[] values : each.rows) {
      String upsert = "UPSERT INTO " + name + " VALUES (" + "?, ".repeat(values.length) + "'q')";
      try (PreparedStatement statement = connection.prepareStatement(upsert)) {
        for (int i = 0; i < values.length; i++) {
          if (values[i] == null) {
            statement.setNull(i + 1, Types.VARCHAR);
          } else {
            statement.setObject(i + 1, values[i]);
          }
        }
        statement.executeUpdate();
      }
      String table =
          each.columns + ", PRIMARY KEY (" + each.key + ")" + (each.buckets == 0 ? "" : ", salted");
      out.println(String.join("\t", table, each.layout, shown(values), row(uncommitted())));
      connection.rollback();
    }
  }

  /** Values by the names of their columns, a and b, in the form that layouts have them. */
  private static String shown(Object[] values) {
    List<String> shown = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      shown.add((char) ('a' + i) + "=" + shown(values[i]));
    }
    return String.join(" ", shown);
  }

  private static String shown(Object value) {
    if (value == null) {
      return "(null)";
    }
    if (value instanceof Date date) {
      return Long.toString(date.getTime());
    }
    byte[] bytes = value instanceof byte[] some ? some : value.toString().getBytes(UTF_8);
    return RowText.toStringBinary(bytes).replace(" ", "\\x20");
  }

  private static String row(Cell cell) {
    return RowText.toStringBinary(CellUtil.cloneRow(cell)).replace(" ", "\\x20");
  }

  /** A cell of the one UPSERT that waits, by Phoenix's own API; it is not there to compile with. */
  private Cell uncommitted() throws ReflectiveOperationException {
    Iterator<?> tables =
        (Iterator<?>)
            Class.forName("org.apache.phoenix.util.PhoenixRuntime")
                .getMethod("getUncommittedDataIterator", Connection.class)
                .invoke(null, connection);
    Object pair = tables.next();
    List<?> cells = (List<?>) pair.getClass().getMethod("getSecond").invoke(pair);
    return (Cell) cells.get(0);
  }

  /** Prints the vectors. */
  @SuppressWarnings("SystemOut") // it is a command
  public static void main(String[] args) {
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
    System.setOut(System.err);
    int status = 0;
    try (Connection connection = DriverManager.getConnection("jdbc:phoenix:none")) {
      connection.setAutoCommit(false);
      out.printf(
          Locale.ROOT,
          "# What Phoenix %s writes, by testing/benchmarks/run.sh phoenix-keys.%n",
          connection.getMetaData().getDriverVersion());
      out.println("# table\tlayout\tvalues\trow");
      PhoenixKeys keys = new PhoenixKeys(connection, out);
      for (Case each : cases()) {
        keys.write(each);
      }
    } catch (SQLException | ReflectiveOperationException e) {
      e.printStackTrace();
      status = 1;
    }
    System.exit(status);
  }
}
