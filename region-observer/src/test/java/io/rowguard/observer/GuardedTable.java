package io.rowguard.observer;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.testing.OpenRegions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CoprocessorDescriptor;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;

/**
 * A table of one test's own, with the observer as its users load it: named in the descriptor. It is
 * dropped on {@link #close()}.
 */
public final class GuardedTable implements AutoCloseable {
  static final String LAYOUT = "{user:word}|{item:digits(4)}";
  static final byte[] F = Bytes.toBytes("f");
  static final byte[] Q = Bytes.toBytes("q");

  private static final AtomicInteger COUNT = new AtomicInteger();

  private final HBaseTestingUtility hbase;
  private final TableName name;
  private final Table table;

  private GuardedTable(HBaseTestingUtility hbase, TableName name) throws IOException {
    this.hbase = hbase;
    this.name = name;
    this.table = hbase.getConnection().getTable(name);
  }

  /** A table with {@link #LAYOUT}, in reject mode. */
  static GuardedTable create(HBaseTestingUtility hbase) throws IOException {
    return of(hbase, "rowguard.layout", LAYOUT).create();
  }

  /** A table to be, with these keys and values in turn in its descriptor. */
  static Builder of(HBaseTestingUtility hbase, String... keysAndValues) {
    return new Builder(hbase, TableName.valueOf("guarded" + COUNT.incrementAndGet()))
        .with(keysAndValues);
  }

  /** A table to be in another cluster, of the same name, whose writes are to be replicated. */
  static Builder sourceOf(GuardedTable sink, HBaseTestingUtility another) {
    Builder source = new Builder(another, sink.name).withoutObserver();
    source.scope = HConstants.REPLICATION_SCOPE_GLOBAL;
    return source;
  }

  /** The parts that a table is made from. */
  public static final class Builder {
    private final HBaseTestingUtility hbase;
    private final TableName name;
    private final TableDescriptorBuilder table;
    private final Map<String, String> familyValues = new LinkedHashMap<>();
    private byte[][] splits = new byte[0][];
    private boolean guarded = true;
    private Path jar;
    private int scope = HConstants.REPLICATION_SCOPE_LOCAL;

    private Builder(HBaseTestingUtility hbase, TableName name) {
      this.hbase = hbase;
      this.name = name;
      this.table = TableDescriptorBuilder.newBuilder(name);
    }

    Builder with(String... keysAndValues) {
      for (int i = 0; i < keysAndValues.length; i += 2) {
        table.setValue(keysAndValues[i], keysAndValues[i + 1]);
      }
      return this;
    }

    Builder withSplits(String... rows) {
      splits = new byte[rows.length][];
      for (int i = 0; i < rows.length; i++) {
        splits[i] = Writes.bytes(rows[i]);
      }
      return this;
    }

    Builder withFamilyValue(String key, String value) {
      familyValues.put(key, value);
      return this;
    }

    Builder withMiniBatchesOf(int size) {
      table.setValue(HRegion.HBASE_REGIONSERVER_MINIBATCH_SIZE, Integer.toString(size));
      return this;
    }

    public Builder withCoprocessor(Class<?> another) throws IOException {
      table.setCoprocessor(another.getName());
      return this;
    }

    /** One that is asked before the observer if the priority is less than 1001. */
    public Builder withCoprocessor(Class<?> another, int priority) throws IOException {
      table.setCoprocessor(
          CoprocessorDescriptorBuilder.newBuilder(another.getName()).setPriority(priority).build());
      return this;
    }

    /** Names the observer with a jar, which is refused. */
    Builder withObserverFrom(Path jar) {
      this.jar = jar;
      return this;
    }

    Builder withoutObserver() {
      guarded = false;
      return this;
    }

    public GuardedTable create() throws IOException {
      ColumnFamilyDescriptorBuilder family = ColumnFamilyDescriptorBuilder.newBuilder(F);
      familyValues.forEach((key, value) -> family.setConfiguration(key, value));
      table.setColumnFamily(family.setScope(scope).build());
      if (guarded) {
        table.setCoprocessor(observerFrom(jar));
      }
      hbase.getAdmin().createTable(table.build(), splits);
      OpenRegions.await(hbase, name);
      return new GuardedTable(hbase, name);
    }
  }

  private static CoprocessorDescriptor observerFrom(Path jar) {
    CoprocessorDescriptorBuilder observer =
        CoprocessorDescriptorBuilder.newBuilder(LayoutRegionObserver.class.getName())
            .setPriority(1001);
    if (jar != null) {
      observer.setJarPath(jar.toUri().toString());
    }
    return observer.build();
  }

  public TableName name() {
    return name;
  }

  Table table() {
    return table;
  }

  /** Writes a row past the observer, as replication would. */
  void plant(String row) throws IOException {
    table.put(Writes.replicated(Writes.put(row)));
  }

  /** The value of a key in the descriptor; null where it has none. */
  String value(String key) throws IOException {
    return hbase.getAdmin().getDescriptor(name).getValue(key);
  }

  /** Changes keys of the descriptor, null for a key to go; the regions are open again after it. */
  void alter(String... keysAndValues) throws IOException {
    TableDescriptorBuilder changed =
        TableDescriptorBuilder.newBuilder(hbase.getAdmin().getDescriptor(name));
    for (int i = 0; i < keysAndValues.length; i += 2) {
      changed.setValue(keysAndValues[i], keysAndValues[i + 1]);
    }
    hbase.getAdmin().modifyTable(changed.build());
    awaitOpen();
  }

  private void awaitOpen() throws IOException {
    if (hbase.getAdmin().isTableEnabled(name)) {
      OpenRegions.await(hbase, name);
    }
  }

  /** Has the observer loaded from a jar, which is refused; null for the servers' class path. */
  void alterJar(Path jar) throws IOException {
    hbase
        .getAdmin()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(hbase.getAdmin().getDescriptor(name))
                .removeCoprocessor(LayoutRegionObserver.class.getName())
                .setCoprocessor(observerFrom(jar))
                .build());
    awaitOpen();
  }

  /**
   * Changes a key of the descriptor and leaves the regions open as they are. HBase does not take
   * that where the descriptor names a coprocessor.
   */
  void alterWithoutReopening(String key, String value) throws IOException {
    TableDescriptor changed =
        TableDescriptorBuilder.newBuilder(hbase.getAdmin().getDescriptor(name))
            .setValue(key, value)
            .build();
    FutureUtils.get(hbase.getAdmin().modifyTableAsync(changed, false), 5, TimeUnit.MINUTES);
  }

  /** Changes a key in the configuration of the family, null for it to go. */
  void alterFamily(String key, String value) throws IOException {
    hbase
        .getAdmin()
        .modifyColumnFamily(
            name,
            ColumnFamilyDescriptorBuilder.newBuilder(
                    hbase.getAdmin().getDescriptor(name).getColumnFamily(F))
                .setConfiguration(key, value)
                .build());
    awaitOpen();
  }

  /** Lets the family keep so many versions. */
  void alterVersions(int versions) throws IOException {
    hbase
        .getAdmin()
        .modifyColumnFamily(
            name,
            ColumnFamilyDescriptorBuilder.newBuilder(
                    hbase.getAdmin().getDescriptor(name).getColumnFamily(F))
                .setMaxVersions(versions)
                .build());
    awaitOpen();
  }

  /** The client's answer for each action: a result, or the failure. */
  Object[] batch(List<? extends Row> actions) throws IOException, InterruptedException {
    return batch(table, actions);
  }

  /** The same, of a client of one's own. */
  static Object[] batch(Table table, List<? extends Row> actions)
      throws IOException, InterruptedException {
    Object[] results = new Object[actions.size()];
    try {
      table.batch(actions, results);
    } catch (RetriesExhaustedException e) {
      assertTrue(Arrays.stream(results).anyMatch(Throwable.class::isInstance), e.toString());
    }
    return results;
  }

  /** The rows that a scan finds. */
  List<String> rows() throws IOException {
    return rows(table);
  }

  /** The same, of a client of one's own. */
  static List<String> rows(Table table) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result result : scanner) {
        rows.add(Bytes.toStringBinary(result.getRow()));
      }
    }
    return rows;
  }

  /**
   * Every cell that is stored, old versions and delete markers too: {@code row/qualifier=value}.
   */
  List<String> cells() throws IOException {
    return cells(new Scan().setRaw(true).readAllVersions());
  }

  /** Every cell that a scan finds. */
  List<String> latestCells() throws IOException {
    return cells(new Scan());
  }

  private List<String> cells(Scan scan) throws IOException {
    List<String> cells = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        addCells(cells, result);
      }
    }
    return cells;
  }

  /** Every cell of a row that is stored, as in {@link #cells()}. */
  List<String> cellsOf(String row) throws IOException {
    return cells(scanOf(row).setRaw(true).readAllVersions());
  }

  /** Every cell of a row that a scan finds. */
  List<String> latestCellsOf(String row) throws IOException {
    return cells(scanOf(row));
  }

  private static Scan scanOf(String row) {
    return new Scan().withStartRow(Writes.bytes(row)).withStopRow(Writes.bytes(row), true);
  }

  /** The cells of a row now, as in {@link #cells()}. */
  List<String> latest(String row) throws IOException {
    List<String> cells = new ArrayList<>();
    addCells(cells, table.get(new Get(Writes.bytes(row))));
    return cells;
  }

  private static void addCells(List<String> cells, Result result) {
    for (Cell cell : result.isEmpty() ? new Cell[0] : result.rawCells()) {
      cells.add(
          Bytes.toStringBinary(CellUtil.cloneRow(cell))
              + "/"
              + Bytes.toStringBinary(CellUtil.cloneQualifier(cell))
              + (cell.getType() == Cell.Type.Put
                  ? "=" + Bytes.toStringBinary(CellUtil.cloneValue(cell))
                  : " " + cell.getType()));
    }
  }

  @Override
  public void close() throws IOException {
    table.close();
    Admin admin = hbase.getAdmin();
    if (admin.isTableEnabled(name)) {
      admin.disableTable(name);
    }
    admin.deleteTable(name);
  }
}
