package io.rowguard.soak.torture;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;

/**
 * A table for one of HBase's torture tools, in the cluster that the hbase-site.xml on the class
 * path names.
 *
 * <pre>{@code
 * TortureTable commands TOOL GUARD TABLE ROWS
 * TortureTable create TOOL GUARD TABLE ROWS
 * TortureTable look TOOL GUARD TABLE ROWS
 * }</pre>
 *
 * <p>{@code commands} prints how the tool is called, a class and its arguments on each line. {@code
 * create} makes the table anew. {@code look} reads all that is stored, past any client of
 * Rowguard's, and prints one line of counts, and what is wrong on standard error. Exit code 0: all
 * is well. 1: it is not, or HBase fails. 2: wrong arguments.
 */
public final class TortureTable {
  static final String POLICY = "io.rowguard.split.LayoutRegionSplitPolicy";
  private static final Set<String> COMMANDS = Set.of("commands", "create", "look");
  private static final String OBSERVER = "io.rowguard.observer.LayoutRegionObserver";

  private final TortureTool tool;
  private final TortureGuard guard;
  private final TableName name;
  private final int rows;

  private TortureTable(String tool, String guard, String name, String rows) {
    this.tool = TortureTool.of(tool);
    this.guard = TortureGuard.valueOf(guard.toUpperCase(Locale.ROOT));
    this.name = TableName.valueOf(name);
    this.rows = Integer.parseInt(rows);
  }

  /** The program. */
  public static void main(String[] arguments) throws IOException {
    TortureTable table;
    List<List<String>> commands;
    try {
      if (arguments.length != 5 || !COMMANDS.contains(arguments[0])) {
        throw new IllegalArgumentException(
            "usage: TortureTable commands|create|look TOOL GUARD TABLE ROWS");
      }
      table = new TortureTable(arguments[1], arguments[2], arguments[3], arguments[4]);
      commands = table.tool.commands(table.guard, arguments[3], table.rows);
    } catch (IllegalArgumentException e) {
      System.err.println("torture: " + e.getMessage());
      System.exit(2);
      return;
    }
    if (arguments[0].equals("commands")) {
      commands.forEach(command -> System.out.println(String.join(" ", command)));
      return;
    }
    boolean isWell = true;
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
        Admin admin = connection.getAdmin()) {
      if (arguments[0].equals("create")) {
        table.create(admin);
      } else {
        isWell = table.look(connection, admin);
      }
    }
    System.exit(isWell ? 0 : 1);
  }

  /** The table as it is made: small, so that it is flushed, compacted and split by its size. */
  TableDescriptor descriptor() throws IOException {
    TableDescriptorBuilder descriptor =
        TableDescriptorBuilder.newBuilder(name)
            .setMaxFileSize(16L << 20)
            .setMemStoreFlushSize(4L << 20);
    for (String family : tool.families()) {
      // Without it, HBase since 2.6 may leave a row out of a reversed scan; hbase-facts.md.
      descriptor.setColumnFamily(
          ColumnFamilyDescriptorBuilder.newBuilder(family.getBytes(US_ASCII))
              .setDataBlockEncoding(DataBlockEncoding.ROW_INDEX_V1)
              .build());
    }
    if (guard != TortureGuard.PLAIN) {
      descriptor
          .setValue("rowguard.layout", tool.layout(guard))
          .setValue("rowguard.mode", guard.mode())
          .setRegionSplitPolicyClassName(POLICY)
          .setCoprocessor(
              CoprocessorDescriptorBuilder.newBuilder(OBSERVER).setPriority(1001).build());
      if (tool.group(guard) != null) {
        descriptor.setValue("rowguard.group", tool.group(guard));
      }
    }
    return descriptor.build();
  }

  private void create(Admin admin) throws IOException {
    if (admin.tableExists(name)) {
      admin.disableTable(name);
      admin.deleteTable(name);
    }
    if (guard.isSalted()) {
      admin.createTable(descriptor(), new byte[][] {{2}, {4}, {6}});
    } else {
      // Grows from one region.
      admin.createTable(descriptor());
    }
  }

  private boolean look(Connection connection, Admin admin) throws IOException {
    TortureLook look = new TortureLook(tool, guard, rows);
    Scan scan = new Scan().setCaching(500);
    if (tool != TortureTool.PERFORMANCE) {
      scan.setFilter(new FirstKeyOnlyFilter());
    }
    try (Table table = connection.getTable(name);
        ResultScanner scanner = table.getScanner(scan)) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        look.add(result);
      }
    }
    // A tool may have made the table anew, as it likes it.
    boolean isGuarded =
        tool.layout(guard).equals(admin.getDescriptor(name).getValue("rowguard.layout"));
    boolean isTheSame = isGuarded == (guard != TortureGuard.PLAIN);
    System.out.println(look.counts() + " regions=" + admin.getRegions(name).size());
    look.complaints().forEach(complaint -> System.err.println("WRONG " + complaint));
    if (!isTheSame) {
      System.err.println("WRONG " + name + " is not guarded as it was made");
    }
    return look.isWhole() && isTheSame;
  }
}
