package io.rowguard.config;

/** Whether a kind of write is held to the layout like every other. */
public enum Acceptance {
  /** Rows that do not conform are let through and counted. */
  ACCEPT,
  /** Held to the layout as {@code rowguard.mode} says. */
  ENFORCE
}
