package io.rowguard.relayout.model;

/** Rules of replication that are left out or turned round, as {@link Mistake} does for a pull. */
enum ReplicaMistake {
  COPIES_SHIPPED("R1: the edit with which a pull copies a row is shipped"),
  DROPS_SHIPPED("R1: the edit with which a pull deletes the old row is shipped"),
  SCOPE_CLEARED_FOR_ALL("R1: all edits of a region that rows move to lose their scope"),
  STORED_AS_NAMED("R2: an edit is stored under the row that it names"),
  UNKNOWN_ROW_ACCEPTED("R2: an edit whose row no known layout reads is stored as it comes"),
  FORMER_LAYOUT_FORGOTTEN("R2: a table that has finished does not read its former rows"),
  PUT_DOES_NOT_PULL("R3: a put that arrives is written before its row is pulled"),
  DELETE_DOES_NOT_PULL("R3: a delete that arrives is written before its row is pulled"),
  CLUSTERS_FORGOTTEN("R4: an edit that is taken home forgets which clusters have had it"),
  CLUSTERS_OF_ANOTHER("R4: a client's edit shares one edit of the log with one that arrives"),
  MARKERS_LEFT_BEHIND("R5: a pull finds nothing in a row that has markers only"),
  MARKERS_NOT_COUNTED("R5: finish does not count rows that have markers only"),
  DROPPED_UP_TO_PUTS("R5: the old row is deleted up to its newest put, below its markers"),
  PUT_UNDER_A_LEFTOVER("R6: a put that arrives is not held against leftovers"),
  DELETE_UNDER_A_LEFTOVER("R6: a delete is not held against leftovers");

  private final String description;

  ReplicaMistake(String description) {
    this.description = description;
  }

  @Override
  public String toString() {
    return name() + " (" + description + ")";
  }
}
