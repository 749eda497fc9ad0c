package io.rowguard.soak;

import io.rowguard.checker.GroupTransfers;
import io.rowguard.checker.KeyHistory;
import io.rowguard.checker.Ledger;
import io.rowguard.checker.NaiveLayout;
import io.rowguard.checker.Operation;
import io.rowguard.checker.RowState.Column;
import io.rowguard.client.SaltedTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A guarded table of the soak, with what clients did to it. Users {@code h..} have the hot keys,
 * which many change; users {@code w..} have rows that are written once; users {@code b..} have
 * accounts. Thread-safe.
 */
final class SoakTable {
  /** How clients reach a table. */
  enum Kind {
    /** Rows that clients salt; the layout changes to and fro. */
    SALTED("reject", "04-,08-,12-"),
    /** Salt mode: HBase's own client writes and gets bare keys. */
    BARE("salt", "04-,08-,12-"),
    /** Rows as they are, kept together by user, split by size and by load. */
    GROUPED("reject", "w,w0100");

    private final String mode;
    private final String boundaries;

    Kind(String mode, String boundaries) {
      this.mode = mode;
      this.boundaries = boundaries;
    }
  }

  static final int USERS = 200;
  static final String FROM = "w";
  static final String TO = "x";
  private static final int HOT_USERS = 3;
  private static final int HOT_ITEMS = 4;
  private static final String OBSERVER = "io.rowguard.observer.LayoutRegionObserver";
  private static final String ENDPOINT =
      "org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint";
  private static final String POLICY = "io.rowguard.split.LayoutRegionSplitPolicy";

  private final Kind kind;
  private final TableName name;
  private final Ledger ledger = new Ledger();
  private final BulkLoads bulkLoads = new BulkLoads();
  private final NavigableMap<String, KeyHistory> hot = new TreeMap<>();
  private final Map<String, GroupTransfers> transfers = new ConcurrentSkipListMap<>();
  private final AtomicInteger transferNumber = new AtomicInteger();
  private final Path history;

  /**
   * A table that is yet to be created.
   *
   * @param directory where it keeps what happens to its hot keys, in a file with its name
   */
  SoakTable(Kind kind, Path directory) throws IOException {
    this.kind = kind;
    name = TableName.valueOf("soak_" + kind.name().toLowerCase(Locale.ROOT));
    history = Files.writeString(directory.resolve(name + ".txt"), "");
    for (int user = 0; user < HOT_USERS; user++) {
      for (int item = 0; item < HOT_ITEMS; item++) {
        String key = String.format("h%02d|%06d", user, item);
        hot.put(key, new KeyHistory(key));
      }
    }
  }

  Kind kind() {
    return kind;
  }

  TableName name() {
    return name;
  }

  Ledger ledger() {
    return ledger;
  }

  BulkLoads bulkLoads() {
    return bulkLoads;
  }

  /** The histories of the hot keys, by key. */
  NavigableMap<String, KeyHistory> hot() {
    return hot;
  }

  /** Adds an operation on a hot key, to the file too, which a soak that is killed leaves. */
  void add(String key, Operation operation) throws IOException {
    hot.get(key).add(operation);
    Files.writeString(history, key + " " + operation + "\n", StandardOpenOption.APPEND);
  }

  /** Transfers within groups, by group. Clients add to it. */
  Map<String, GroupTransfers> transfers() {
    return transfers;
  }

  /** A number for the next transfer; they count up from 0. */
  int nextTransfer() {
    return transferNumber.getAndIncrement();
  }

  /** Whether clients transfer within its groups. */
  boolean hasTransfers() {
    return kind != Kind.BARE;
  }

  /** The layout that it is created with. */
  NaiveLayout firstLayout() {
    return kind == Kind.GROUPED ? NaiveLayout.unsalted() : NaiveLayout.salted(16);
  }

  /** The layout that its rows have by its descriptor, which must be one of the soak's. */
  NaiveLayout layout(Admin admin) throws IOException {
    String declared = admin.getDescriptor(name).getValue("rowguard.layout");
    for (NaiveLayout layout :
        List.of(NaiveLayout.unsalted(), NaiveLayout.salted(16), NaiveLayout.salted(64))) {
      if (layout.declaration().equals(declared)) {
        return layout;
      }
    }
    throw new IOException(name + " has a layout that is none of the soak's: " + declared);
  }

  void create(Admin admin) throws IOException {
    TableDescriptorBuilder descriptor =
        TableDescriptorBuilder.newBuilder(name)
            .setValue("rowguard.layout", firstLayout().declaration())
            .setValue("rowguard.group", "user")
            .setValue("rowguard.mode", kind.mode)
            .setValue("rowguard.relayout.verify", "all")
            .setRegionSplitPolicyClassName(POLICY)
            .setNormalizationEnabled(kind != Kind.SALTED)
            .setCoprocessor(
                CoprocessorDescriptorBuilder.newBuilder(OBSERVER).setPriority(1001).build())
            .setCoprocessor(ENDPOINT)
            .setColumnFamily(
                // Without it, HBase since 2.6 may leave a row out of a reversed scan;
                // hbase-facts.md.
                ColumnFamilyDescriptorBuilder.newBuilder(Column.C1.family())
                    .setDataBlockEncoding(DataBlockEncoding.ROW_INDEX_V1)
                    .build());
    if (kind == Kind.GROUPED) {
      descriptor
          .setMaxFileSize(512 << 10)
          .setMemStoreFlushSize(1 << 20)
          // Else HBase takes no size below 2 MB, which no region reaches in half an hour.
          .setValue("hbase.table.sanity.checks", "false")
          // With less, loads divide all regions before one of them is large.
          .setValue("rowguard.split.load", "200")
          .setValue("rowguard.split.load.minutes", "1");
    }
    byte[][] splits =
        Stream.of(kind.boundaries.split(",", -1)).map(Bytes::toBytes).toArray(byte[][]::new);
    admin.createTable(descriptor.build(), splits);
  }

  /** Where clients with a connection of HBase's own write and get by key. */
  Table open(Connection own) throws IOException {
    return kind == Kind.SALTED ? SaltedTable.open(own, name) : own.getTable(name);
  }
}
