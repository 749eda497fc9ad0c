package io.rowguard.observer;

import io.rowguard.config.Acceptance;
import io.rowguard.config.Mode;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Verdict;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;

/**
 * Judges single writes to one table: a refusal in words, or none. Thread-safe; allocates nothing
 * for a row that conforms.
 */
final class WriteCheck {
  private final String context;
  private final RowkeyLayout layout;
  private final TableConfig config;
  private final String wrongConfiguration;
  private final WriteMetrics metrics;
  private final SampleLog log;

  WriteCheck(String table, TableConfig config, WriteMetrics metrics, SampleLog log) {
    this.context = "table=" + table;
    this.config = config;
    this.layout = config.layout();
    this.wrongConfiguration =
        config.isWrong() ? config.problemMessage(table, "all its writes are refused") : null;
    this.metrics = metrics;
    this.log = log;
  }

  /** Why a write is refused, or null when it may go on. Counts it either way. */
  String refusal(Mutation mutation) {
    if (config.mode() == Mode.OFF) {
      return null;
    }
    if (wrongConfiguration != null) {
      return refusalOfWrongConfiguration(mutation);
    }
    byte[] row = mutation.getRow();
    Verdict verdict = layout.check(row, 0, row.length);
    if (verdict == Verdict.CONFORMS) {
      metrics.conforming();
      return null;
    }
    boolean refused = config.mode() == Mode.REJECT && isHeldToLayout(mutation);
    metrics.violation(verdict, refused);
    if (!refused) {
      log.sample(() -> "Let through. " + layout.explain(row).message(context));
      return null;
    }
    String message = layout.explain(row).message(context);
    log.sample(() -> "Refused. " + message);
    return message;
  }

  /**
   * Why a conditional write is refused whatever its condition gives, or null. Counts refusals only:
   * what goes on comes by again as a batch.
   */
  String refusal(CheckAndMutate checkAndMutate) {
    if (wrongConfiguration == null
        && (config.mode() != Mode.REJECT || conforms(checkAndMutate.getRow()))) {
      return null;
    }
    for (Mutation mutation : mutations(checkAndMutate.getAction())) {
      if (wrongConfiguration != null || isHeldToLayout(mutation)) {
        return refusal(mutation);
      }
    }
    return null;
  }

  private String refusalOfWrongConfiguration(Mutation mutation) {
    // A refused edit would stall the peer until somebody mends the table, maybe for days.
    if (isReplicated(mutation) && config.replication() == Acceptance.ACCEPT) {
      return null;
    }
    metrics.wrongConfiguration();
    log.sample(() -> wrongConfiguration);
    return wrongConfiguration;
  }

  private boolean conforms(byte[] row) {
    return layout.check(row, 0, row.length) == Verdict.CONFORMS;
  }

  private boolean isHeldToLayout(Mutation mutation) {
    if (isReplicated(mutation)) {
      return config.replication() == Acceptance.ENFORCE;
    }
    return !(mutation instanceof Delete) || config.deletes() == Acceptance.ENFORCE;
  }

  /** Edits that arrive by replication carry the clusters they have been on. */
  private static boolean isReplicated(Mutation mutation) {
    return !mutation.getClusterIds().isEmpty();
  }

  private static List<Mutation> mutations(Row action) {
    return action instanceof RowMutations
        ? ((RowMutations) action).getMutations()
        : Collections.singletonList((Mutation) action);
  }
}
