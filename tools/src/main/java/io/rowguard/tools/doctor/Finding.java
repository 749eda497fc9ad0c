package io.rowguard.tools.doctor;

/**
 * One thing that the doctor found.
 *
 * @param code stable, for programs and {@code --ignore}
 * @param table the table it is about; null when it is about the cluster
 * @param where the server, the region or the key it is about; null when it is about all
 * @param what a sentence
 * @param wayOut what to do; null when nothing need be done
 */
record Finding(
    Severity severity, String code, String table, String where, String what, String wayOut) {
  static Finding problem(String code, String table, String where, String what, String wayOut) {
    return new Finding(Severity.PROBLEM, code, table, where, what, wayOut);
  }

  static Finding warning(String code, String table, String where, String what, String wayOut) {
    return new Finding(Severity.WARNING, code, table, where, what, wayOut);
  }

  static Finding note(String code, String table, String where, String what, String wayOut) {
    return new Finding(Severity.NOTE, code, table, where, what, wayOut);
  }
}
