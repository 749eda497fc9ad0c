package io.rowguard.master;

import io.rowguard.config.RowguardKey;
import java.util.List;
import java.util.StringJoiner;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Acts on violations of rules: refuses, lets through by force, or warns; counts and logs each. */
final class Enforcer {
  private static final Logger LOG = LoggerFactory.getLogger(LayoutMasterObserver.class);

  /** How an operator gets past a refusal. */
  enum WayPast {
    /** The operation carries a descriptor, and the reason with it. */
    SAME_COMMAND {
      @Override
      String instruction(TableName table) {
        return "add '" + RowguardKey.FORCE.key() + "' => 'the reason' to the table's METADATA.";
      }
    },
    /** It does not: the table is opened first. */
    OPEN_TABLE {
      @Override
      String instruction(TableName table) {
        return "first open the table for "
            + ForcedTables.MINUTES
            + " minutes: alter '"
            + table
            + "', METADATA => {'"
            + RowguardKey.FORCE.key()
            + "' => 'the reason'}.";
      }
    },
    /** It was judged before, by what was stored then: force changes nothing. */
    AGAIN {
      @Override
      String instruction(TableName table) {
        return "give the command again: it is judged by what is stored then.";
      }
    };

    /** The end of a sentence that begins with what it does. */
    abstract String instruction(TableName table);
  }

  private final MasterMetrics metrics;

  Enforcer(MasterMetrics metrics) {
    this.metrics = metrics;
  }

  /**
   * Logs and counts what was found, and answers whether the operation is refused.
   *
   * @param reason why it is to be let through, or null
   * @param user who asks, for the log
   * @return all refusals in one message, to be thrown; null when there is none
   */
  DoNotRetryIOException refusal(
      List<RuleViolation> violations, TableName table, String reason, String user, WayPast way) {
    StringJoiner refusals = new StringJoiner(" ");
    for (RuleViolation violation : violations) {
      if (!violation.isRefusal()) {
        warn(violation, user);
      } else if (reason != null) {
        metrics.forced(violation.rule());
        LOG.warn(
            "Let through by force. {} reason={} user={} refusal={}",
            MessageText.where(table, violation.rule()),
            MessageText.text(reason),
            user,
            violation.message());
      } else {
        metrics.refused(violation.rule());
        refusals.add(violation.message());
      }
    }
    if (refusals.length() == 0) {
      return null;
    }
    String message = refusals + " To do it all the same, " + way.instruction(table);
    LOG.warn("Refused. user={} {}", user, message);
    return new DoNotRetryIOException(message);
  }

  /** The refusal of an operation whose check ended in an error of its own. */
  static DoNotRetryIOException failedCheck(TableName table, Throwable error, WayPast way) {
    return new DoNotRetryIOException(
        "The check of this operation failed, so it is refused. table="
            + table
            + " error="
            + error
            + ". To do it all the same, "
            + way.instruction(table),
        error);
  }

  /** Logs and counts what was found, and refuses nothing. */
  void warn(List<RuleViolation> violations, String user) {
    violations.forEach(violation -> warn(violation, user));
  }

  private void warn(RuleViolation violation, String user) {
    metrics.warned(violation.rule());
    LOG.warn("{} user={}", violation.message(), user);
  }
}
