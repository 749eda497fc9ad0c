package io.rowguard.config;

/** The treatment of a write whose row does not conform, {@code rowguard.mode}. */
public enum Mode {
  /** It is refused, and the client gets the reason. */
  REJECT,
  /** A bare key is completed and stored under its salted row; other rows are refused. */
  SALT,
  /** It is counted, a sample is logged, and it is let through: a dry run. */
  WARN,
  /** Rows are not checked. */
  OFF
}
