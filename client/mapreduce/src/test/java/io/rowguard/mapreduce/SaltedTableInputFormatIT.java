package io.rowguard.mapreduce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.client.SaltedTable;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.testing.MiniCluster;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.mapreduce.TableMapper;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real jobs, run by Hadoop's LocalJobRunner, over a salted table of several regions. */
@ExtendWith(MiniCluster.class)
class SaltedTableInputFormatIT {
  private static final byte[] F = Bytes.toBytes("f");
  private static final String FRONT =
      "{salt:digits(2)=murmur3(user)%16}-{user:word}|{item:digits(4)}";
  // Buckets lie between each other here.
  private static final String MIDDLE = "{user:word}|{salt:hex(1)=murmur3(item)%4}{item:digits(4)}";

  /** By split, what its mapper was given; the mappers run in this JVM. */
  private static final Map<String, List<String>> SEEN = new ConcurrentHashMap<>();

  /** Notes the rows of its split. */
  public static final class Notes extends TableMapper<NullWritable, NullWritable> {
    @Override
    protected void map(ImmutableBytesWritable key, Result value, Context context) {
      String row = Bytes.toString(value.getRow());
      assertEquals(row, Bytes.toString(key.copyBytes()));
      assertEquals("v" + row, Bytes.toString(value.getValue(F, F)));
      SEEN.computeIfAbsent(
              context.getInputSplit().toString(),
              split -> Collections.synchronizedList(new ArrayList<>()))
          .add(row);
    }
  }

  private HBaseTestingUtility hbase;
  private TableName name;
  private List<String> keys;

  @BeforeEach
  void forget(HBaseTestingUtility hbase) {
    this.hbase = hbase;
    SEEN.clear();
  }

  @AfterEach
  void drop() throws IOException {
    hbase.deleteTable(name);
  }

  private void create(String layout, String... splits) throws IOException {
    name = TableName.valueOf("mapreduce");
    byte[][] regions = new byte[splits.length][];
    for (int i = 0; i < splits.length; i++) {
      regions[i] = Bytes.toBytes(splits[i]);
    }
    hbase
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .setValue("rowguard.layout", layout)
                .build(),
            regions);
    keys = new ArrayList<>();
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      String key = String.format("u%02d|%04d", i / 10, i % 10);
      keys.add(key);
      puts.add(new Put(Bytes.toBytes(key)).addColumn(F, F, Bytes.toBytes("v" + key)));
    }
    try (SaltedTable table = SaltedTable.open(hbase.getConnection(), name)) {
      table.put(puts);
    }
  }

  private Job job(Scan scan) throws IOException {
    Job job = Job.getInstance(new Configuration(hbase.getConfiguration()), "notes");
    job.getConfiguration().set("mapreduce.framework.name", "local");
    job.getConfiguration().setInt("mapreduce.local.map.tasks.maximum", 4);
    // By default it is looked for every five seconds.
    job.getConfiguration().setInt(Job.COMPLETION_POLL_INTERVAL_KEY, 50);
    TableMapReduceUtil.initTableMapperJob(
        name.getNameAsString(),
        scan,
        Notes.class,
        NullWritable.class,
        NullWritable.class,
        job,
        false,
        SaltedTableInputFormat.class);
    job.setNumReduceTasks(0);
    job.setOutputFormatClass(NullOutputFormat.class);
    return job;
  }

  private Job run(Scan scan) throws Exception {
    Job job = job(scan);
    assertTrue(job.waitForCompletion(false), "" + job.getStatus().getFailureInfo());
    return job;
  }

  /** All rows that were seen; those of each split were in order. */
  private static List<String> seen() {
    for (List<String> rows : SEEN.values()) {
      assertEquals(rows.stream().sorted().collect(Collectors.toList()), rows);
    }
    return SEEN.values().stream().flatMap(Collection::stream).sorted().collect(Collectors.toList());
  }

  @Test
  void job_wholeTable_seesEveryRowOnceUnderItsBareKey() throws Exception {
    create(FRONT, "03-", "04-u2", "08-", "12-u10|0005");
    Job job = run(new Scan().setCaching(7));
    assertEquals(keys, seen());
    List<InputSplit> splits = new SaltedTableInputFormat().getSplits(job);
    // One per bucket, and one more for each region that begins within one.
    assertEquals(18, splits.size());
  }

  @Test
  void job_range_seesItsRowsOnly() throws Exception {
    create(FRONT, "04-", "08-u2", "12-");
    run(
        new Scan()
            .withStartRow(Bytes.toBytes("u05|0003"), false)
            .withStopRow(Bytes.toBytes("u12|0007"), true));
    assertEquals(keys.subList(54, 128), seen());
    SEEN.clear();
    Scan oneUser = new Scan().setFilter(new PrefixFilter(Bytes.toBytes("u07|")));
    assertEquals(1, new SaltedTableInputFormat().getSplits(run(oneUser)).size());
    assertEquals(keys.subList(70, 80), seen());
  }

  /** As for HBase's own input format, in a job that was not set up with a scan. */
  @Test
  void job_keysOfAScanInItsConfiguration_seesItsRowsOnly() throws Exception {
    create(FRONT, "04-");
    Job job = job(new Scan());
    job.getConfiguration().unset(TableInputFormat.SCAN);
    job.getConfiguration().set(TableInputFormat.SCAN_ROW_START, "u05|0003");
    job.getConfiguration().set(TableInputFormat.SCAN_ROW_STOP, "u12|0007");
    assertTrue(job.waitForCompletion(false), "" + job.getStatus().getFailureInfo());
    assertEquals(keys.subList(53, 127), seen());
  }

  @Test
  void job_writersChooseTheSalt_seesEveryKeyOnceAsOneRow() throws Exception {
    create("{salt:digits(1)=any of 4}-{user:word}|{item:digits(4)}", "1-", "2-u2", "3-");
    List<Put> puts = new ArrayList<>();
    for (String key : keys) {
      puts.add(new Put(Bytes.toBytes(key)).addColumn(F, Bytes.toBytes("more"), F));
    }
    try (SaltedTable table = SaltedTable.open(hbase.getConnection(), name)) {
      table.put(puts);
      table.put(puts.subList(1, puts.size())); // each to another bucket than before
    }
    run(new Scan());
    assertEquals(keys, seen());
    assertTrue(SEEN.size() > 1, SEEN::toString);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{salt:digits(2)=murmur3(user)%16+crc32(item)%3}-{user:word}|{item:digits(4)};3",
        "{salt:digits(2)=murmur3(*)%4,16 from item=5}-{user:word}|{item:digits(4)};16"
      })
  void job_saltThatIsASumOrHasSteps_seesEveryRowOnce(String layout, int bucketsOfOneUser)
      throws Exception {
    create(layout, "04-", "08-u2");
    run(new Scan());
    assertEquals(keys, seen());
    SEEN.clear();
    Scan oneUser = new Scan().setFilter(new PrefixFilter(Bytes.toBytes("u07|")));
    List<InputSplit> splits = new SaltedTableInputFormat().getSplits(run(oneUser));
    assertEquals(bucketsOfOneUser, splits.size());
    assertEquals(keys.subList(70, 80), seen());
  }

  @Test
  void job_bucketsBetweenEachOther_seesEveryRowOnce() throws Exception {
    create(MIDDLE, "u10|", "u20|2");
    run(new Scan());
    assertEquals(keys, seen());
  }

  @Test
  void job_rowsThatDoNotConform_areCounted() throws Exception {
    create(FRONT, "08-");
    try (Table salted = hbase.getConnection().getTable(name)) {
      for (String row : List.of("03-", "09-nobody|1", "zzz")) {
        salted.put(new Put(Bytes.toBytes(row)).addColumn(F, F, F));
      }
    }
    Job job = run(new Scan());
    assertEquals(keys, seen());
    assertEquals(2, job.getCounters().findCounter("Rowguard", "ROWS_NOT_CONFORMING").getValue());
  }

  @Test
  void getSplits_whatMeansNothingAcrossSplits_isRefused() throws IOException {
    create(FRONT);
    SaltedTableInputFormat format = new SaltedTableInputFormat();
    for (Scan scan :
        List.of(
            new Scan().setReversed(true),
            new Scan().setFilter(new PageFilter(3)),
            new Scan().setFilter(new PageFilter(0)))) {
      Job job = job(scan);
      IOException e = assertThrows(IOException.class, () -> format.getSplits(job));
      assertTrue(e.getMessage().contains("no reversed scan and no page"), e.getMessage());
    }
  }

  @Test
  void layout_declaredByTheJob_isTaken() throws Exception {
    create(FRONT);
    hbase
        .getAdmin()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(hbase.getAdmin().getDescriptor(name))
                .removeValue(Bytes.toBytes("rowguard.layout"))
                .build());
    Job job = job(new Scan());
    SaltedTableInputFormat format = new SaltedTableInputFormat();
    assertThrows(IOException.class, () -> format.getSplits(job));
    job.getConfiguration().set("rowguard.layout", FRONT);
    assertTrue(job.waitForCompletion(false));
    assertEquals(keys, seen());
  }

  /** As hbase:meta has a region that has never been opened, or whose server died. */
  @Test
  void getSplits_regionWithoutServer_isSplitWithoutLocation() throws Exception {
    create(FRONT, "08-");
    RegionInfo region = hbase.getAdmin().getRegions(name).get(1);
    try (Table meta = hbase.getConnection().getTable(TableName.META_TABLE_NAME)) {
      meta.delete(
          new Delete(region.getRegionName())
              .addColumns(HConstants.CATALOG_FAMILY, HConstants.SERVER_QUALIFIER));
    }
    List<InputSplit> splits = new SaltedTableInputFormat().getSplits(job(new Scan()));
    assertEquals(16, splits.size());
    for (InputSplit split : splits) {
      boolean ofRegion = split.toString().compareTo("salt=\"08") >= 0;
      assertEquals(ofRegion ? 0 : 1, split.getLocations().length, split.toString());
      assertEquals(ofRegion, split.toString().endsWith(" on no server"), split.toString());
      assertEquals(split.toString(), copy((SaltedTableSplit) split).toString());
    }
  }

  @Test
  void split_writtenAndRead_isTheSame() throws IOException {
    create(FRONT, "08-");
    Map<String, String> copies = new TreeMap<>();
    for (InputSplit split : new SaltedTableInputFormat().getSplits(job(new Scan()))) {
      SaltedTableSplit copy = copy((SaltedTableSplit) split);
      assertEquals(((SaltedTableSplit) split).subScan(), copy.subScan());
      copies.put(split.toString(), copy.toString());
    }
    assertEquals(16, copies.size());
    copies.forEach((split, copy) -> assertEquals(split, copy));
    assertEquals(16, RowkeyLayout.parse(FRONT).segment("salt").derivation().buckets());
  }

  /** Some rows are at the old place, some at the new one, and some at both. */
  @Test
  void job_layoutChanges_seesEveryRowOnceInRangesOfBareKeys() throws Exception {
    create(FRONT, "04-", "08-u2", "12-u10|0005");
    RowkeyLayout from = RowkeyLayout.parse(FRONT);
    RowkeyLayout to = RowkeyLayout.parse(FRONT.replace("%16", "%64"));
    try (Table salted = hbase.getConnection().getTable(name)) {
      for (int i = 0; i < keys.size(); i++) {
        byte[] key = Bytes.toBytes(keys.get(i));
        byte[] old = from.complete(key);
        byte[] now = to.complete(key);
        if (i % 3 > 0 && !Bytes.equals(old, now)) {
          salted.put(new Put(now).addColumn(F, F, Bytes.toBytes("v" + keys.get(i))));
          if (i % 3 > 1) {
            salted.delete(new Delete(old));
          }
        }
      }
      salted.put(new Put(Bytes.toBytes("zzz")).addColumn(F, F, F));
    }
    hbase
        .getAdmin()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(hbase.getAdmin().getDescriptor(name))
                .setValue("rowguard.layout", to.toString())
                .setValue("rowguard.layout.previous", FRONT)
                .setValue("rowguard.layout.phase", "moving")
                .setValue("rowguard.layout.generation", "1")
                .setValue("rowguard.layout.version", "2")
                .setValue("rowguard.mode", "reject")
                .build());
    Job job = run(new Scan().setCaching(5));
    assertEquals(keys, seen());
    assertTrue(SEEN.size() > 2, SEEN.keySet().toString());
    for (InputSplit split : new SaltedTableInputFormat().getSplits(job)) {
      assertEquals(split.toString(), copy((SaltedTableSplit) split).toString());
      assertTrue(((SaltedTableSplit) split).isOfBareKeys());
    }
    SEEN.clear();
    run(
        new Scan()
            .withStartRow(Bytes.toBytes("u05|0003"), false)
            .withStopRow(Bytes.toBytes("u12|0007"), true));
    assertEquals(keys.subList(54, 128), seen());
    SEEN.clear();
    run(new Scan().withStartRow(Bytes.toBytes("x")));
    assertEquals(List.of(), seen());
  }

  @Test
  void reader_layoutHasChangedSinceTheJobWasPlanned_saysSo() throws Exception {
    create(FRONT, "08-");
    Job job = job(new Scan());
    SaltedTableInputFormat format = new SaltedTableInputFormat();
    InputSplit split = format.getSplits(job).get(0);
    hbase
        .getAdmin()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(hbase.getAdmin().getDescriptor(name))
                .setValue("rowguard.layout", FRONT.replace("%16", "%64"))
                .setValue("rowguard.layout.previous", FRONT)
                .setValue("rowguard.layout.phase", "prepared")
                .setValue("rowguard.layout.generation", "1")
                .setValue("rowguard.layout.version", "1")
                .setValue("rowguard.mode", "reject")
                .build());
    TaskAttemptContext context =
        new TaskAttemptContextImpl(job.getConfiguration(), new TaskAttemptID());
    try (RecordReader<ImmutableBytesWritable, Result> reader =
        format.createRecordReader(split, context)) {
      IOException e = assertThrows(IOException.class, () -> reader.initialize(split, context));
      assertTrue(e.getMessage().contains("submit it again"), e.getMessage());
    }
  }

  /** As it gets to its task. */
  private static SaltedTableSplit copy(SaltedTableSplit split) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    split.write(new DataOutputStream(bytes));
    SaltedTableSplit copy = new SaltedTableSplit();
    copy.readFields(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    return copy;
  }
}
