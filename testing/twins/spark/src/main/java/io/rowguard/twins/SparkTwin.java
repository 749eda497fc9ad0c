package io.rowguard.twins;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.spark.JavaHBaseContext;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * A program for Spark that knows nothing of Rowguard: reads and writes a table by hbase-spark, as a
 * data frame and as an RDD, and prints the rows that it has seen in the order in which they come.
 *
 * <p>Argument: the table, as {@code TwinTable fill} leaves it.
 */
public final class SparkTwin {
  private static final String COLUMNS = "key STRING :key, name STRING f:name, price STRING f:price";

  private SparkTwin() {}

  /** The program. */
  public static void main(String[] arguments) {
    String table = arguments[0];
    SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .appName("twin")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "2")
            .getOrCreate();
    JavaSparkContext context = new JavaSparkContext(spark.sparkContext());
    JavaHBaseContext hbase = new JavaHBaseContext(context, HBaseConfiguration.create());

    Dataset<Row> items =
        spark
            .read()
            .format("org.apache.hadoop.hbase.spark")
            .option("hbase.columns.mapping", COLUMNS)
            .option("hbase.table", table)
            // Its filter would need its jar on the servers.
            .option("hbase.spark.pushdown.columnfilter", "false")
            .load();
    print("all", items);
    print("range", items.filter("key >= 'user05' AND key < 'user07|0003'"));
    print("one row", items.filter("key = 'user03|0007'"));
    print("by value", items.filter("price = '14'"));
    print("groups", items.groupBy("price").count().orderBy("price"));

    Scan scan =
        new Scan().withStartRow(Bytes.toBytes("user08|")).withStopRow(Bytes.toBytes("user09|0010"));
    List<String> rows =
        hbase
            .hbaseRDD(TableName.valueOf(table), scan)
            .map(row -> Bytes.toString(row._2().getRow()))
            .collect();
    System.out.println("rdd: " + rows);

    items
        .filter("price = '21'")
        .selectExpr("concat('copy-', key) AS key", "name", "price")
        .write()
        .format("org.apache.hadoop.hbase.spark")
        .option("hbase.columns.mapping", COLUMNS)
        .option("hbase.table", table)
        .save();
    List<String> keys =
        IntStream.range(0, 50).mapToObj(i -> "put-" + i).collect(Collectors.toList());
    hbase.bulkPut(
        context.parallelize(keys, 3),
        TableName.valueOf(table),
        key ->
            new Put(Bytes.toBytes(key))
                .addColumn(Bytes.toBytes("f"), Bytes.toBytes("name"), Bytes.toBytes("of " + key)));
    spark.stop();
  }

  private static void print(String what, Dataset<Row> rows) {
    System.out.println(what + ":");
    rows.collectAsList().forEach(row -> System.out.println("  " + row));
  }
}
