package io.rowguard.observer.decide;

import io.rowguard.config.Acceptance;
import io.rowguard.config.HFileCheck;
import io.rowguard.config.Mode;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Verdict;
import io.rowguard.observer.metrics.SampleLog;
import io.rowguard.observer.metrics.WriteMetrics;
import io.rowguard.observer.request.RegionFeature;
import io.rowguard.observer.request.RequestUser;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.BulkLoadHFileRequest;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Judges HFiles that a bulk load hands to one table whose mode is not off. Thread-safe.
 *
 * <p>A file is judged before HBase moves it and holds any lock. A load is refused whole: HBase
 * takes all files of a region or none.
 */
public final class BulkLoadCheck implements RegionFeature {
  private final String table;
  private final TableConfig config;
  private final RowkeyLayout layout;
  private final LayoutBoundaries boundaries;
  private final WriteMetrics metrics;
  private final SampleLog log;

  public BulkLoadCheck(String table, TableConfig config, WriteMetrics metrics, SampleLog log) {
    this.table = table;
    this.config = config;
    this.layout = config.layout();
    this.boundaries = config.hasLayout() ? LayoutBoundaries.of(config.group()) : null;
    this.metrics = metrics;
    this.log = log;
  }

  /**
   * Checks the files of a load, with the rights of the user who loads them.
   *
   * @throws DoNotRetryIOException when the load is refused
   * @throws IOException when a file cannot be read
   */
  @Override
  public void beforeBulkLoad(List<Pair<byte[], String>> familyPaths, Configuration conf)
      throws IOException {
    if (!isDue()) {
      return;
    }
    requireNoRelayout();
    boolean replicated = isReplicated();
    RequestUser.run(
        () -> {
          for (Pair<byte[], String> file : familyPaths) {
            check(new Path(file.getSecond()), conf, replicated);
          }
        });
  }

  /** Whether files have to be read, or refused unread. */
  private boolean isDue() {
    return config.isWrong() || config.relayout() != null || config.bulkLoads() != HFileCheck.OFF;
  }

  /**
   * Refuses a load while the layout changes, whatever its files hold: it would come past what has
   * been moved.
   *
   * @throws DoNotRetryIOException with the way out
   */
  private void requireNoRelayout() throws DoNotRetryIOException {
    if (config.relayout() != null) {
      metrics.fileRejected();
      String message =
          "The table's layout is being changed, so nothing can be loaded in bulk. table="
              + table
              + ". Finish that first: rowguard relayout status "
              + table
              + ".";
      log.sample(() -> "Bulk load refused. " + message);
      throw new DoNotRetryIOException(message);
    }
  }

  /** Whether the load of this call arrives by replication: it carries clusters it has been on. */
  private static boolean isReplicated() {
    Message request = RpcServer.getCurrentCall().map(RpcCall::getParam).orElse(null);
    return request instanceof BulkLoadHFileRequest
        && ((BulkLoadHFileRequest) request).getClusterIdsCount() > 0;
  }

  /**
   * Checks one file.
   *
   * @param replicated whether the load arrives by replication
   * @throws DoNotRetryIOException when the load is refused, with the first row that does not fit
   * @throws IOException when the file cannot be read
   */
  private void check(Path file, Configuration conf, boolean replicated) throws IOException {
    boolean accepted = replicated && config.replication() == Acceptance.ACCEPT;
    if (config.isWrong()) {
      if (!accepted) {
        metrics.wrongConfiguration();
        throw new DoNotRetryIOException(
            config.problemMessage(table, "all its writes are refused, bulk loads too"));
      }
      return;
    }
    boolean refuses = config.mode() != Mode.WARN && !accepted;
    HFileRows.Visitor judge = row -> judge(row, file, refuses);
    try (HFile.Reader reader =
        HFile.createReader(file.getFileSystem(conf), file, CacheConfig.DISABLED, true, conf)) {
      metrics.fileChecked();
      HFileRows rows = new HFileRows(reader, conf);
      if (config.bulkLoads() == HFileCheck.FULL) {
        rows.visitAll(judge);
      } else {
        rows.visitBlocks(this::mayHoldConforming, judge);
      }
    }
  }

  /** Goes on after a row that is let through, since a dry run counts all that it reads. */
  private void judge(byte[] row, Path file, boolean refuses) throws IOException {
    Verdict verdict = layout.check(row);
    if (verdict == Verdict.CONFORMS) {
      return;
    }
    metrics.violation(verdict, refuses);
    String context = "table=" + table + " file=" + file;
    if (refuses) {
      metrics.fileRejected();
      String message = layout.explain(row).message(context);
      log.sample(() -> "Bulk load refused. " + message);
      throw new DoNotRetryIOException(message);
    }
    log.sample(() -> "Bulk load let through. " + layout.explain(row).message(context));
  }

  private boolean mayHoldConforming(byte[] first, byte[] last) {
    return boundaries.isReachable(first, Arrays.copyOf(last, last.length + 1));
  }
}
