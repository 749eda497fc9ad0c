package io.rowguard.twins;

import java.util.Collection;
import java.util.List;
import org.apache.flink.connector.hbase.sink.HBaseMutationConverter;
import org.apache.flink.connector.hbase.sink.HBaseSinkFunction;
import org.apache.flink.connector.hbase.source.HBaseRowDataLookupFunction;
import org.apache.flink.connector.hbase.util.HBaseTableSchema;
import org.apache.flink.connector.hbase2.source.HBaseRowDataAsyncLookupFunction;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Work for Flink's connector that knows nothing of Rowguard: its sink writes some rows of a table
 * and deletes others, and its lookups read rows, one by one.
 *
 * <p>Arguments: {@code sink}, {@code lookup} or {@code async-lookup}, and the table as {@code
 * TwinTable fill} leaves it. The lookups are called as Flink calls them, without its planner.
 */
public final class FlinkTwin {
  /** The last is none. */
  private static final List<String> KEYS =
      List.of("user00|0000", "user03|0007", "user04|0019", "user09|0000");

  private FlinkTwin() {}

  /** The program. */
  public static void main(String[] arguments) throws Exception {
    String table = arguments[1];
    switch (arguments[0]) {
      case "sink":
        sink(table);
        break;
      case "lookup":
        lookup(table);
        break;
      case "async-lookup":
        lookupAsync(table);
        break;
      default:
        throw new IllegalArgumentException("There is no " + arguments[0]);
    }
  }

  private static void sink(String table) throws Exception {
    StreamExecutionEnvironment flink = StreamExecutionEnvironment.createLocalEnvironment(2);
    flink
        .fromSequence(0, 999)
        .addSink(
            new HBaseSinkFunction<>(
                table, HBaseConfiguration.create(), new ToMutation(), 1 << 20, 70, 500));
    flink.execute("twin");
    System.out.println("ended");
  }

  private static void lookup(String table) throws Exception {
    HBaseRowDataLookupFunction rows =
        new HBaseRowDataLookupFunction(HBaseConfiguration.create(), table, columns(), "null", 1);
    rows.open(new FunctionContext(null));
    for (String key : KEYS) {
      print(key, rows.lookup(row(key)));
    }
    rows.close();
  }

  private static void lookupAsync(String table) throws Exception {
    HBaseRowDataAsyncLookupFunction rows =
        new HBaseRowDataAsyncLookupFunction(
            HBaseConfiguration.create(), table, columns(), "null", 1);
    rows.open(new FunctionContext(null));
    for (String key : KEYS) {
      print(key, rows.asyncLookup(row(key)).get());
    }
    rows.close();
  }

  private static HBaseTableSchema columns() {
    HBaseTableSchema columns = new HBaseTableSchema();
    columns.setRowKey("key", String.class);
    columns.addColumn("f", "name", String.class);
    columns.addColumn("f", "price", String.class);
    return columns;
  }

  private static RowData row(String key) {
    return GenericRowData.of(StringData.fromString(key));
  }

  private static void print(String key, Collection<RowData> rows) {
    System.out.println(key + ": " + rows);
  }

  /** Each fifth is a delete. */
  private static final class ToMutation implements HBaseMutationConverter<Long> {
    private static final long serialVersionUID = 1L;

    @Override
    public void open() {
      // There is nothing to open.
    }

    @Override
    public Mutation convertToMutation(Long number) {
      byte[] row = Bytes.toBytes(String.format("user%02d|%04d", number / 20, number % 20));
      return number % 5 == 0
          ? new Delete(row)
          : new Put(row)
              .addColumn(Bytes.toBytes("f"), Bytes.toBytes("name"), Bytes.toBytes("no " + number));
    }
  }
}
