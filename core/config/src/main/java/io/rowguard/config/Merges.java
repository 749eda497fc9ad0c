package io.rowguard.config;

/** The treatment of a merge that undoes a pre-split, {@code rowguard.merge}. */
public enum Merges {
  /** It is done, and the master's log says what it takes away. */
  WARN,
  /** Every merge is refused, also one by HBase's normalizer. */
  REJECT,
  /** It is done, and nothing is said. */
  ACCEPT
}
