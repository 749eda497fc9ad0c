package io.rowguard.tools.audit;

import io.rowguard.config.RowguardKey;
import io.rowguard.config.TableConfig;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cli.LayoutArguments;
import io.rowguard.tools.cluster.Cluster;
import io.rowguard.tools.cluster.NoAnswer;
import io.rowguard.tools.cluster.TableNames;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.snapshot.SnapshotDescriptionUtils;
import org.apache.hadoop.hbase.snapshot.SnapshotManifest;
import org.apache.hadoop.hbase.util.CommonFSUtils;

/**
 * The descriptor of what is to be audited, and the layout that follows from it.
 *
 * @param table of the table, or of the table of which the snapshot was made
 */
record AuditTarget(TableDescriptor table) {

  /**
   * Asks a cluster for a table.
   *
   * @throws CommandFailure when there is none, it is disabled, or the cluster does not answer in
   *     time
   */
  static AuditTarget ofTable(AuditRequest request) {
    TableName name = TableNames.parse(request.table());
    try (Cluster cluster = Cluster.connect(request.cluster())) {
      return new AuditTarget(
          cluster.enabledTable(name, "Enable it, or audit a snapshot of it: --snapshot NAME."));
    }
  }

  /**
   * Reads a snapshot's manifest from the file system.
   *
   * @throws CommandFailure when there is no such snapshot, it is of another table, or it cannot be
   *     read
   */
  static AuditTarget ofSnapshot(AuditRequest request, Configuration conf) {
    String rootText = conf.get("hbase.rootdir");
    try {
      Path root = CommonFSUtils.getRootDir(conf);
      FileSystem fs = root.getFileSystem(conf);
      Path snapshot = SnapshotDescriptionUtils.getCompletedSnapshotDir(request.snapshot(), root);
      if (!fs.exists(snapshot)) {
        throw new CommandFailure(
            "There is no such snapshot. snapshot="
                + request.snapshot()
                + " hbase.rootdir="
                + root
                + ". `list_snapshots` in the HBase shell shows them; hbase.rootdir must be that of"
                + " the servers (--site FILE).");
      }
      SnapshotDescription description = SnapshotDescriptionUtils.readSnapshotInfo(fs, snapshot);
      TableDescriptor table =
          SnapshotManifest.open(conf, fs, snapshot, description).getTableDescriptor();
      AuditTarget target = new AuditTarget(table);
      target.requireName(request);
      return target;
    } catch (IOException | IllegalArgumentException e) {
      throw new CommandFailure(
          "The snapshot cannot be read. snapshot="
              + request.snapshot()
              + " hbase.rootdir="
              + rootText
              + " why=\""
              + NoAnswer.reason(e)
              + "\". May you read the files of HBase?",
          e);
    }
  }

  private void requireName(AuditRequest request) {
    String name = table.getTableName().getNameAsString();
    if (request.table() != null && !request.table().equals(name)) {
      throw new CommandFailure(
          "The snapshot is of another table. snapshot="
              + request.snapshot()
              + " table="
              + name
              + " asked="
              + request.table()
              + ". Leave TABLE out.");
    }
  }

  /**
   * The layouts by which rows are judged: the layout of the request, else that of the table and,
   * where it changes, the one that rows leave.
   *
   * @throws CommandFailure when neither has one, or it is wrong
   */
  TableConfig config(AuditRequest request, Configuration conf) {
    String name = table.getTableName().getNameAsString();
    TableConfig config =
        TableConfig.ofClient(request.layout() == null ? table : asIf(request), conf);
    if (config.isWrong()) {
      throw new CommandFailure(
          config.problemMessage(name, "there is nothing to judge rows by")
              + (request.layout() == null ? " Or give a layout: --layout." : ""));
    }
    if (!config.hasLayout()) {
      throw new CommandFailure(
          "The table declares no layout. table="
              + name
              + ". Give the one to judge by (--layout '{id:hex(16)}'), or set "
              + RowguardKey.LAYOUT.key()
              + " on the table.");
    }
    return config;
  }

  /** The table as if it declared what is asked for, and nothing else that matters here. */
  private TableDescriptor asIf(AuditRequest request) {
    // For the better message where these are wrong.
    LayoutArguments.group(LayoutArguments.parse(request.layout()), request.group());
    TableDescriptorBuilder wanted =
        TableDescriptorBuilder.newBuilder(table.getTableName())
            .setValue(RowguardKey.LAYOUT.key(), request.layout());
    if (request.group() != null) {
      wanted.setValue(RowguardKey.GROUP.key(), request.group());
    }
    String longest = table.getValue(RowguardKey.ROW_MAX_LENGTH.key());
    if (longest != null) {
      wanted.setValue(RowguardKey.ROW_MAX_LENGTH.key(), longest);
    }
    return wanted.build();
  }
}
