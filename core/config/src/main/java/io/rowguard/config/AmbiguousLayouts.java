package io.rowguard.config;

/**
 * Whether salt mode takes a layout in which a bare key can pass for a salted row, {@code
 * rowguard.salt.ambiguous}.
 */
public enum AmbiguousLayouts {
  /** It is wrong configuration. */
  REJECT,
  /** Such a key is stored as it comes, where a shorter one may belong. */
  ACCEPT
}
