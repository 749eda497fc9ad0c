package io.rowguard.tools.audit;

import io.rowguard.config.TableConfig;
import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.RowText;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.mapreduce.audit.AuditJob;
import io.rowguard.mapreduce.audit.AuditScope;
import io.rowguard.mapreduce.job.RegionsJob;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cluster.ClientConfiguration;
import io.rowguard.tools.cluster.JobFiles;
import io.rowguard.tools.cluster.JobRun;
import io.rowguard.tools.cluster.NoAnswer;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.util.CommonFSUtils;

/** Prepares an audit's job, waits for it, and collects what it found. */
final class AuditRun {
  private static final String STOPPED =
      "The audit was stopped, and what it has read so far is not reported. It has changed nothing.";

  private final AuditRequest request;
  private final Terminal terminal;
  private final Configuration conf;
  private final AuditTarget target;
  private final EntityGroup group;
  private final RowkeyLayout previous;

  private AuditRun(AuditRequest request, Terminal terminal) {
    this.request = request;
    this.terminal = terminal;
    this.conf = ClientConfiguration.forJob(request.cluster());
    RegionsJob.setLocalThreads(conf, request.threads());
    this.target =
        isOfSnapshot() ? AuditTarget.ofSnapshot(request, conf) : AuditTarget.ofTable(request);
    TableConfig config = target.config(request, conf);
    this.group = config.group();
    this.previous = config.relayout() == null ? null : config.relayout().change().from();
  }

  /**
   * Does what is requested.
   *
   * @return null where the process was asked to end, which is said then
   * @throws CommandFailure when it cannot be done; nothing that was made meanwhile is left then
   */
  static AuditFindings of(AuditRequest request, Terminal terminal) {
    return new AuditRun(request, terminal).run();
  }

  private AuditFindings run() {
    AuditScope scope =
        AuditScope.of(group.layout())
            .withPrevious(previous)
            .within(request.range().lower(), request.range().upper())
            .withExamples(request.examples());
    try (AuditJob job = prepared(scope)) {
      if (!JobRun.toItsEnd(job.base(), terminal, "auditing regions", STOPPED)) {
        return null;
      }
      FindingsCollector collector = new FindingsCollector();
      job.forEachRegion(collector::add);
      return findings(collector);
    } catch (IOException | IllegalArgumentException e) {
      throw failed(NoAnswer.reason(e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("Interrupted.", e);
    }
  }

  private boolean isOfSnapshot() {
    return request.snapshot() != null;
  }

  private AuditJob prepared(AuditScope scope) throws IOException {
    Path directory = JobFiles.temporary(conf, request.temporary());
    return isOfSnapshot()
        ? AuditJob.overSnapshot(conf, request.snapshot(), scope, directory, restoreDirectory())
        : AuditJob.overTable(conf, target.table().getTableName(), scope, directory);
  }

  /** On the file system of HBase's root, as the references are to files there. */
  private Path restoreDirectory() throws IOException {
    FileSystem fs = CommonFSUtils.getRootDir(conf).getFileSystem(conf);
    boolean isOnThisMachine = "file".equals(fs.getUri().getScheme());
    if (isOnThisMachine) {
      return JobFiles.local(request.restore());
    }
    return fs.makeQualified(
        new Path(request.restore() == null ? JobFiles.USUAL_DIRECTORY : request.restore()));
  }

  private AuditFindings findings(FindingsCollector collector) {
    return new AuditFindings(
        target.table().getTableName().getNameAsString(),
        request.snapshot(),
        group.layout(),
        previous,
        group.segment(),
        RowText.toStringBinary(request.range().lower()),
        RowText.toStringBinary(request.range().upper()),
        collector.regionsRead(),
        collector.rows(),
        collector.refused(),
        collector.bare(),
        collector.old(),
        collector.codes(),
        collector.regions());
  }

  private CommandFailure failed(String why, Exception cause) {
    return new CommandFailure(
        "The audit failed. table="
            + target.table().getTableName()
            + (isOfSnapshot() ? " snapshot=" + request.snapshot() : "")
            + " "
            + ClientConfiguration.where(conf)
            + (RegionsJob.isLocal(conf) ? "" : " yarn=" + conf.get("yarn.resourcemanager.address"))
            + " why=\""
            + why
            + "\". --debug shows more; --temp-dir and --restore-dir name other directories.",
        cause);
  }
}
