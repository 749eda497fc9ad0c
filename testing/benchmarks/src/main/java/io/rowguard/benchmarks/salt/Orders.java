package io.rowguard.benchmarks.salt;

import io.rowguard.benchmarks.BenchmarkCluster;
import io.rowguard.layout.RowkeyLayout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.common.collect.Lists;

/** Ids of ten digits, the tables that hold them, salted and not, and the puts. */
final class Orders {
  /** The one family of all tables. */
  static final byte[] FAMILY = {'f'};

  /** How many puts are sent at once. */
  static final int BATCH = 100;

  /** The one column. */
  static final byte[] QUALIFIER = {'q'};

  private static final int VALUE_BYTES = 100;
  private static final long SEED = 1;

  private Orders() {}

  /** The layout with so many buckets: 2 to 100. */
  static RowkeyLayout layout(int buckets) {
    return RowkeyLayout.parse("{salt:digits(2)=murmur3(*)%" + buckets + "}-{id:digits(10)}");
  }

  /** A table whose servers salt bare ids, one region a bucket. */
  static TableDescriptor salted(TableName name, int buckets) throws IOException {
    return salted(name, layout(buckets));
  }

  /** A table whose servers salt bare ids. */
  static TableDescriptor salted(TableName name, RowkeyLayout layout) throws IOException {
    return plain(name)
        .setCoprocessor(BenchmarkCluster.observer())
        .setValue("rowguard.layout", layout.toString())
        .setValue("rowguard.mode", "salt")
        .build();
  }

  /** The start keys of all buckets but the first. */
  static byte[][] bucketSplits(int buckets) {
    return IntStream.range(1, buckets)
        .mapToObj(salt -> Bytes.toBytes(String.format(Locale.ROOT, "%02d-", salt)))
        .toArray(byte[][]::new);
  }

  /** A table that declares a layout, and is not guarded. */
  static TableDescriptor described(TableName name, String layout) {
    return plain(name).setValue("rowguard.layout", layout).build();
  }

  /** A table that knows nothing of salts. */
  static TableDescriptor unsalted(TableName name) {
    return plain(name).build();
  }

  /** Divides the ids from 0 on evenly into regions. */
  static byte[][] idSplits(long ids, int regions) {
    return IntStream.range(1, regions)
        .mapToObj(region -> id(ids * region / regions))
        .toArray(byte[][]::new);
  }

  /** The ids from 0 on, in their order. */
  static List<byte[]> sequential(int count) {
    return LongStream.range(0, count).mapToObj(Orders::id).toList();
  }

  /** Ids from anywhere, the same ones each time. */
  static List<byte[]> random(int count) {
    return new Random(SEED).longs(count, 0, 10_000_000_000L).mapToObj(Orders::id).toList();
  }

  /** Puts to rows made of ids, {@link #BATCH} at once, as {@link #divided} makes them. */
  static List<List<Put>> batches(List<byte[]> ids, UnaryOperator<byte[]> row) {
    return batches(ids, row, BATCH);
  }

  /** Puts to rows made of ids, so many at once. */
  static List<List<Put>> batches(List<byte[]> ids, UnaryOperator<byte[]> row, int size) {
    byte[] value = value();
    return divided(rows(ids, row), id -> new Put(id).addColumn(FAMILY, QUALIFIER, value), size);
  }

  /** The value of every row. */
  static byte[] value() {
    byte[] value = new byte[VALUE_BYTES];
    new Random(SEED).nextBytes(value);
    return value;
  }

  /** Deletes of rows made of ids, {@link #BATCH} at once. */
  static List<List<Delete>> deletes(List<byte[]> ids, UnaryOperator<byte[]> row) {
    return divided(rows(ids, row), Delete::new, BATCH);
  }

  /** Gets of rows made of ids, one at a time. */
  static List<List<Get>> gets(List<byte[]> ids, UnaryOperator<byte[]> row) {
    return divided(rows(ids, row), Get::new, 1);
  }

  private static List<byte[]> rows(List<byte[]> ids, UnaryOperator<byte[]> row) {
    return ids.stream().map(row).toList();
  }

  /**
   * Lists that make their actions each time they are read, as programs do for each call: an action
   * that is sent again and again costs whoever copies it more than whoever does not.
   */
  private static <R extends Row> List<List<R>> divided(
      List<byte[]> ids, Function<byte[], R> action, int size) {
    List<List<R>> batches = new ArrayList<>();
    for (int from = 0; from < ids.size(); from += size) {
      batches.add(
          Lists.transform(ids.subList(from, Math.min(ids.size(), from + size)), action::apply));
    }
    return batches;
  }

  private static byte[] id(long number) {
    return Bytes.toBytes(String.format(Locale.ROOT, "%010d", number));
  }

  private static TableDescriptorBuilder plain(TableName name) {
    return TableDescriptorBuilder.newBuilder(name)
        .setCompactionEnabled(false)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY));
  }
}
