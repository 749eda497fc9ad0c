package io.rowguard.config;

/**
 * Which rows are read back at their new place before they are deleted at the old one, {@code
 * rowguard.relayout.verify}.
 */
public enum Verify {
  /** Each. */
  ALL,
  /** One in a hundred, left to chance: a fault that strikes often is found, at next to no cost. */
  SAMPLE,
  /** None. */
  OFF
}
