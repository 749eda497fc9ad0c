package io.rowguard.master;

import java.util.Locale;

/**
 * What the master observer holds tables to. The codes are stable: metrics and log searches go by
 * them.
 */
enum Rule {
  /** What is configured cannot be what was meant. Refused in every mode. */
  WRONG_CONFIGURATION(true),
  /** A pre-split key is no legal boundary. */
  PRESPLIT_ILLEGAL(true),
  /** A region of a pre-split could never get a row. */
  PRESPLIT_UNREACHABLE(true),
  /** Another layout or entity group for rows that are there already. */
  LAYOUT_CHANGED(true),
  /** Salt mode for rows that are there already. */
  SALT_TURNED_ON(true),
  /** A Phoenix local index, whose rows would be among the table's. */
  LOCAL_INDEX(true),
  /** Somebody asks for a split at a key that is no legal boundary. */
  SPLIT_ILLEGAL(true),
  /** A split, whoever asked for it, would divide an entity group. */
  SPLIT_CUTS_GROUP(true),
  /** A snapshot would bring back a declaration that guards less, or other rows. */
  RESTORE_WEAKENS(true),
  /** The split policy without the observer, or the other way round. Only warns. */
  GUARD_INCOMPLETE(false),
  /** Regions whose boundaries a new layout does not have. Only warns. */
  BOUNDARIES_ILLEGAL(false),
  /** A merge of regions that keep salts apart. Only warns. */
  MERGE_UNDOES_PRESPLIT(false),
  /** A truncation that leaves one region. Only warns. */
  TRUNCATE_LOSES_SPLITS(false);

  private final boolean refuses;

  Rule(boolean refuses) {
    this.refuses = refuses;
  }

  /** Whether operations are refused for it; if not, it only warns. */
  boolean refuses() {
    return refuses;
  }

  /** As metrics and messages write it, such as {@code layout_changed}. */
  String code() {
    return name().toLowerCase(Locale.ROOT);
  }
}
