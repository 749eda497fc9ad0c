package io.rowguard.mapreduce;

import io.rowguard.client.BareRanges;
import io.rowguard.client.SaltedTable;
import io.rowguard.client.ScanPlan;
import io.rowguard.client.SubScan;
import io.rowguard.config.RawConnections;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * The rows of a range of bare keys as the input of a job: one split per bucket and region that can
 * hold some. Keys and results are bare; within one split they come in the order of bare keys.
 *
 * <p>It reads what HBase's {@link TableMapReduceUtil} sets: {@link TableInputFormat#INPUT_TABLE}
 * and {@link TableInputFormat#SCAN}, a scan of bare keys; without that, the keys that make a scan
 * for HBase's own format, such as {@link TableInputFormat#SCAN_ROW_START}. The layout comes from
 * the table's descriptor, else from {@code rowguard.layout} in the job's configuration. Refused is
 * what a {@link SaltedTable} refuses, and also reversed scans and page filters, which mean nothing
 * across splits. A limit ({@code Scan.setLimit}) does not travel in a job's configuration, as with
 * HBase's own format.
 *
 * <p>While the layout of the table changes, the splits are ranges of bare keys, each of which reads
 * all buckets under both layouts. They stay right when the change goes on or ends meanwhile. A job
 * that was planned before the change fails when it meets it, and is to be submitted again. Where
 * writers choose the bucket the splits are such ranges, too.
 *
 * <p>Rows that do not conform to the layout are left out; the counter {@code
 * Rowguard/ROWS_NOT_CONFORMING} says how many.
 */
public final class SaltedTableInputFormat extends InputFormat<ImmutableBytesWritable, Result> {
  /** Public and without arguments, as Hadoop wants it. */
  public SaltedTableInputFormat() {}

  @Override
  public List<InputSplit> getSplits(JobContext context) throws IOException {
    Configuration conf = RawConnections.of(HBaseConfiguration.create(context.getConfiguration()));
    TableName name = tableOf(conf);
    try (Connection connection = ConnectionFactory.createConnection(conf);
        SaltedTable table = SaltedTable.open(connection, name);
        RegionLocator locator = connection.getRegionLocator(name)) {
      List<HRegionLocation> regions = locator.getAllRegionLocations();
      List<InputSplit> splits = new ArrayList<>();
      if (isReadByRanges(table)) {
        List<byte[]> starts = new ArrayList<>();
        regions.forEach(location -> starts.add(location.getRegion().getStartKey()));
        for (Scan range : BareRanges.of(table, scanOf(conf, table), starts)) {
          splits.add(SaltedTableSplit.ofBareKeys(range));
        }
        return splits;
      }
      List<SubScan> subScans = planOf(conf, table).subScans();
      for (int i = 0; i < subScans.size(); i++) {
        for (HRegionLocation location : regions) {
          Scan part = within(subScans.get(i), location.getRegion());
          if (part != null) {
            ServerName server = location.getServerName();
            String host = server == null ? null : server.getHostname();
            splits.add(new SaltedTableSplit(i, subScans.get(i).toString(), part, host));
          }
        }
      }
      return splits;
    }
  }

  /**
   * Whether a bare key may have several rows at a time, so that a part of one bucket says little.
   */
  static boolean isReadByRanges(SaltedTable table) {
    return table.isLayoutChanging() || table.layout().hasChoice();
  }

  private static Scan within(SubScan subScan, RegionInfo region) throws IOException {
    return RegionReplicaUtil.isDefaultReplica(region)
        ? subScan.within(region.getStartKey(), region.getEndKey())
        : null;
  }

  @Override
  public RecordReader<ImmutableBytesWritable, Result> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new SaltedTableRecordReader();
  }

  /** The name of the table that a job reads. */
  static TableName tableOf(Configuration conf) throws IOException {
    String name = conf.get(TableInputFormat.INPUT_TABLE);
    if (name == null) {
      throw new IOException(
          "The job names no table to read. Set "
              + TableInputFormat.INPUT_TABLE
              + ", or use TableMapReduceUtil.initTableMapperJob.");
    }
    return TableName.valueOf(name);
  }

  /** The plan of a job's scan: the same whenever it is made, so that splits can name a sub-scan. */
  static ScanPlan planOf(Configuration conf, SaltedTable table) throws IOException {
    return table.plan(scanOf(conf, table));
  }

  /** A job's scan of bare keys. */
  static Scan scanOf(Configuration conf, SaltedTable table) throws IOException {
    String text = conf.get(TableInputFormat.SCAN);
    Scan scan =
        text == null
            ? TableInputFormat.createScanFromConfiguration(conf)
            : TableMapReduceUtil.convertStringToScan(text);
    int limit = ScanPlan.limitOf(scan);
    if (scan.isReversed() || limit >= 0) {
      throw new IOException(
          "A job over a salted table takes no reversed scan and no page, since its splits are read"
              + " each for itself. table="
              + table.getName()
              + " reversed="
              + scan.isReversed()
              + " limit="
              + limit);
    }
    return scan;
  }
}
