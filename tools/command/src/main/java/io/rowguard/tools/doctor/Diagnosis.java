package io.rowguard.tools.doctor;

import java.util.List;

/**
 * The doctor's facts and findings.
 *
 * @param hbase HBase's version, as the master says it
 * @param tablesUnguarded how many tables have nothing to do with Rowguard and were left out
 * @param findings the worst first; then by table
 * @param ignored how many findings were left out
 */
record Diagnosis(
    String hbase,
    List<ServerFacts> servers,
    List<TableFacts> tables,
    int tablesUnguarded,
    List<Finding> findings,
    int ignored) {
  /** Whether nothing is wrong; notes do not count. */
  boolean isWell() {
    return findings.stream().allMatch(each -> each.severity() == Severity.NOTE);
  }

  /** How many findings are as bad as that. */
  long count(Severity severity) {
    return findings.stream().filter(each -> each.severity() == severity).count();
  }
}
