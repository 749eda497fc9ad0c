package io.rowguard.config;

/**
 * The treatment, in salt mode, of a scan that no row of the layout can answer, {@code
 * rowguard.scan}.
 */
public enum BoundedScans {
  /** It is refused: it was meant for bare keys, and would silently find nothing. */
  REJECT,
  /** It runs, and finds what lies there. */
  ACCEPT
}
