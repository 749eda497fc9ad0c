package io.rowguard.tools.doctor;

/**
 * The parts of one table that were looked at.
 *
 * @param layout as declared; null when none is
 * @param group as declared; null when none is
 * @param mode null when there is no layout
 * @param enabled null when that is not known
 * @param regionsSampled in how many regions rows were looked at
 * @param rowsSampled how many rows were looked at
 * @param rowsBad how many of them do not fit
 */
record TableFacts(
    String table,
    String layout,
    String group,
    String mode,
    boolean observer,
    boolean splitPolicy,
    Boolean enabled,
    int regions,
    int regionsSampled,
    int rowsSampled,
    int rowsBad) {}
