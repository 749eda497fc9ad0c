package io.rowguard.tools.digest;

import io.rowguard.mapreduce.digest.DigestJob;
import io.rowguard.mapreduce.digest.RangeDigests;
import io.rowguard.mapreduce.job.RegionsJob;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cluster.ClientConfiguration;
import io.rowguard.tools.cluster.Cluster;
import io.rowguard.tools.cluster.ClusterOptions;
import io.rowguard.tools.cluster.JobFiles;
import io.rowguard.tools.cluster.JobRun;
import io.rowguard.tools.cluster.NoAnswer;
import io.rowguard.tools.cluster.TableNames;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;

/**
 * The job that digests a table.
 *
 * @param table its name
 * @param scope the cells
 * @param ranges the most ranges
 * @param threads how many regions to read at a time in this process
 * @param temporary where the job may have files; null for the usual place
 * @param cluster the cluster
 */
record DigestRun(
    String table,
    DigestScope scope,
    int ranges,
    int threads,
    String temporary,
    ClusterOptions cluster) {
  private static final String STOPPED = "The digest was stopped. It has changed nothing.";

  /**
   * Runs it.
   *
   * @return null where the process was asked to end, which is said then
   * @throws CommandFailure when it cannot be done; nothing that was made meanwhile is left then
   */
  RangeDigests run(Terminal terminal) {
    TableName name = TableNames.parse(table);
    try (Cluster asked = Cluster.connect(cluster)) {
      asked.enabledTable(name, "Enable it.");
    }
    Configuration conf = ClientConfiguration.forJob(cluster);
    RegionsJob.setLocalThreads(conf, threads);
    try (DigestJob job =
        DigestJob.of(
            conf,
            name,
            scope.fromKey(),
            scope.toKey(),
            scope.isOfVersions(),
            scope.isOfTimestamps(),
            ranges,
            JobFiles.temporary(conf, temporary))) {
      return JobRun.toItsEnd(job.base(), terminal, "digesting ranges", STOPPED)
          ? job.digests()
          : null;
    } catch (IOException | IllegalArgumentException e) {
      throw new CommandFailure(
          "The digest failed. table="
              + name
              + " "
              + ClientConfiguration.where(conf)
              + " why=\""
              + NoAnswer.reason(e)
              + "\". --debug shows more; --temp-dir names another directory.",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("Interrupted.", e);
    }
  }
}
