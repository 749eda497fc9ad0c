package io.rowguard.config;

/** Whether the summary of a region's load names its keys, {@code rowguard.load.keys}. */
public enum LoadKeys {
  /** It does. */
  SHOW,
  /** It gives numbers instead, which tell one key from another. */
  HIDE
}
