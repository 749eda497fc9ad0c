package io.rowguard.tools.relayout;

import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cluster.NoAnswer;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;

/** The cluster's file system in view of a relayout: is there room, and is something loaded. */
final class ClusterFiles {
  private final Configuration servers;
  private final PlanFindings findings;
  private long needed;
  private long free = -1;

  /**
   * @param servers the configuration of the region servers
   */
  ClusterFiles(Configuration servers, PlanFindings findings) {
    this.servers = servers;
    this.findings = findings;
  }

  /**
   * Looks.
   *
   * @param bytes what moves, as it is on disk, once
   */
  void look(TableName table, long bytes) {
    needed = bytes;
    String root = servers.get(HConstants.HBASE_DIR);
    if (root == null) {
      return;
    }
    try {
      Path path = new Path(root);
      FileSystem fs = path.getFileSystem(servers);
      needed = bytes * fs.getDefaultReplication(path);
      free = fs.getStatus(path).getRemaining();
      bulkLoads(fs, new Path(path, HConstants.BULKLOAD_STAGING_DIR_NAME), table);
    } catch (IOException | IllegalArgumentException e) {
      findings.note("The free disk space is not known: " + NoAnswer.reason(e) + ".");
    }
    if (free >= 0 && needed > free) {
      findings.obstacle(
          "disk_space",
          "The rows that move need "
              + Terminal.bytes(needed)
              + " more until the next major compaction, and "
              + Terminal.bytes(free)
              + " are free.",
          "Make room, or major-compact the table first if it has deleted much.");
    }
  }

  private void bulkLoads(FileSystem fs, Path staging, TableName table) {
    List<Path> loads = new ArrayList<>();
    List<Path> staged = new ArrayList<>();
    try {
      List<String> directories = new ArrayList<>();
      for (FileStatus each : fs.listStatus(staging)) {
        directories.add(each.getPath().getName());
      }
      for (String name : RunningWork.bulkLoads(directories, table)) {
        Path load = new Path(staging, name);
        loads.add(load);
        if (holdsFile(fs, load)) {
          staged.add(load);
        }
      }
    } catch (FileNotFoundException e) {
      return; // nothing was ever loaded
    } catch (IOException e) {
      findings.note(
          "Whether a bulk load of the table goes on cannot be seen: "
              + NoAnswer.reason(e)
              + ". See to it that none does.");
      return;
    }
    if (!staged.isEmpty()) {
      findings.obstacle(
          "bulk_load",
          "A bulk load of the table goes on, or has failed: "
              + firstOf(staged)
              + ". From start on it would be refused half way.",
          "Wait for its end, then plan again; where no process works on it, remove the directory.");
    } else if (!loads.isEmpty()) {
      findings.note(
          "Bulk loads of the table have ended, or are to begin; without a file: "
              + firstOf(loads)
              + ". HBase 3.0 leaves such directories. A load that goes on is refused half way from"
              + " start on.");
    }
  }

  /** Whether a load has a file there now: HBase moves it there from its user's, then on. */
  private static boolean holdsFile(FileSystem fs, Path load) throws IOException {
    try {
      return fs.listFiles(load, true).hasNext();
    } catch (FileNotFoundException e) {
      return false; // the load has ended in between
    }
  }

  private static String firstOf(List<Path> paths) {
    return paths.get(0) + (paths.size() > 1 ? " and " + (paths.size() - 1) + " more" : "");
  }

  /** The room that is needed until the next major compaction, all copies of blocks counted. */
  long needed() {
    return needed;
  }

  /** The room that is free; -1 when it is not known. */
  long free() {
    return free;
  }
}
