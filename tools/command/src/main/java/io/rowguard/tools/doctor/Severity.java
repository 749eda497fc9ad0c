package io.rowguard.tools.doctor;

/** How bad a finding is, the worst first. */
enum Severity {
  /** Something is broken, or will break. */
  PROBLEM,
  /** Something may be meant, but leaves the table less guarded than it looks. */
  WARNING,
  /** For information; does not count for the exit code. */
  NOTE
}
