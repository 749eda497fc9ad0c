package io.rowguard.config;

/** The treatment of a merge that undoes a pre-split, {@code rowguard.merge}. */
public enum Merges {
  /** It is done, and the master's log says what it takes away. */
  WARN,
  /** It is refused, whoever asks for it, HBase's normalizer too. */
  REFUSE,
  /** It is done, and nothing is said. */
  ALLOW
}
