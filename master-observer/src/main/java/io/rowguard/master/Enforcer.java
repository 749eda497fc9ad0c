package io.rowguard.master;

import io.rowguard.config.RowguardKey;
import java.util.List;
import java.util.StringJoiner;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Acts on findings: refuses, lets through by force, or warns; counts and logs each. */
final class Enforcer {
  private static final Logger LOG = LoggerFactory.getLogger(LayoutMasterObserver.class);

  /** How an operator gets past a refusal. */
  enum Hatch {
    /** The operation carries a descriptor, and the reason with it. */
    SAME_COMMAND {
      @Override
      String words(TableName table) {
        return "add '" + RowguardKey.FORCE.key() + "' => 'the reason' to the table's METADATA.";
      }
    },
    /** It does not: the table is opened first. */
    WINDOW {
      @Override
      String words(TableName table) {
        return "first open the table for "
            + ForcedTables.MINUTES
            + " minutes: alter '"
            + table.getNameAsString()
            + "', METADATA => {'"
            + RowguardKey.FORCE.key()
            + "' => 'the reason'}.";
      }
    };

    abstract String words(TableName table);
  }

  private final MasterMetrics metrics;

  Enforcer(MasterMetrics metrics) {
    this.metrics = metrics;
  }

  /**
   * Tells what was found, and refuses what is to be refused.
   *
   * @param reason why it is to be let through, or null
   * @param user who asks, for the log
   * @throws DoNotRetryIOException with all refusals in one message
   */
  void enforce(
      List<RuleViolation> findings, TableName table, String reason, String user, Hatch hatch)
      throws DoNotRetryIOException {
    StringJoiner refusals = new StringJoiner(" ");
    for (RuleViolation finding : findings) {
      if (!finding.isRefusal()) {
        warn(finding, user);
      } else if (reason != null) {
        metrics.forced(finding.rule());
        LOG.warn(
            "Let through by force. {} reason={} user={} refusal={}",
            MessageText.where(table, finding.rule()),
            MessageText.text(reason),
            user,
            finding.message());
      } else {
        metrics.refused(finding.rule());
        refusals.add(finding.message());
      }
    }
    if (refusals.length() > 0) {
      String message = refusals + " To do it all the same, " + hatch.words(table);
      LOG.warn("Refused. user={} {}", user, message);
      throw new DoNotRetryIOException(message);
    }
  }

  /** Tells what was found, and refuses nothing. */
  void warn(List<RuleViolation> findings, String user) {
    findings.forEach(finding -> warn(finding, user));
  }

  private void warn(RuleViolation finding, String user) {
    metrics.warned(finding.rule());
    LOG.warn("{} user={}", finding.message(), user);
  }
}
