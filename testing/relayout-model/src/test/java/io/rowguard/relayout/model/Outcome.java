package io.rowguard.relayout.model;

/**
 * The findings of an exploration.
 *
 * @param ends states in which all clients are through and the last alter is everywhere
 * @param violation what is wrong, with the way there, or null
 */
record Outcome(String setting, int states, int ends, double seconds, String violation) {
  @Override
  public String toString() {
    String numbers = String.format("%,d states, %,d ends, %.1f s", states, ends, seconds);
    return setting + ": " + numbers + (violation == null ? "" : "\n" + violation);
  }
}
