package io.rowguard.master;

import java.util.Locale;

/**
 * The rules of the master observer for tables. The codes are stable: metrics and log searches go by
 * them.
 */
enum Rule {
  /** The configuration cannot be what was meant. Refused in every mode. */
  WRONG_CONFIGURATION(true),
  /** A pre-split key is no legal boundary. */
  PRESPLIT_ILLEGAL(true),
  /** A region of a pre-split could never get a row. */
  PRESPLIT_UNREACHABLE(true),
  /** Another layout or entity group for rows that are there already. */
  LAYOUT_CHANGED(true),
  /** Salt mode for rows that are there already. */
  SALT_TURNED_ON(true),
  /** A declaration that open regions do not take. */
  REGIONS_STAY_OPEN(true),
  /** A Phoenix local index, whose rows would be among the table's. */
  LOCAL_INDEX(true),
  /** A split is requested at a key that is no legal boundary. */
  SPLIT_ILLEGAL(true),
  /** A split, by a client or by a server, would divide an entity group. */
  SPLIT_CUTS_GROUP(true),
  /** A snapshot would bring back a declaration that guards less, or other rows. */
  RESTORE_WEAKENS(true),
  /** The layouts of a table are changed from another version than the one that is stored. */
  RELAYOUT_VERSION(true),
  /** The layouts of a table in relayout are changed in a way that is no step of it. */
  RELAYOUT_STEP(true),
  /** A step of a relayout without a proof that it is safe. */
  RELAYOUT_UNPROVED(true),
  /** A table in relayout without the observer. */
  RELAYOUT_UNGUARDED(true),
  /** A snapshot of a table in relayout, or onto it, or that would bring one back. */
  RELAYOUT_SNAPSHOT(true),
  /** A merge that undoes a pre-split. Refused where the table asks for it, else only a warning. */
  MERGE_UNDOES_PRESPLIT(true),
  /** A merge of a young region in a table whose regions are split by their load. */
  MERGE_TOO_YOUNG(true),
  /** The split policy without the observer, or the other way round. Only warns. */
  GUARD_INCOMPLETE(false),
  /**
   * HBase's endpoint for entity groups without groups, or taken from a table of groups. Only warns.
   */
  GROUP_ENDPOINT(false),
  /** More buckets from a value on that no stored row reaches. Only warns. */
  STEPS_ADDED(false),
  /** Regions whose boundaries a new layout does not have. Only warns. */
  BOUNDARIES_ILLEGAL(false),
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
