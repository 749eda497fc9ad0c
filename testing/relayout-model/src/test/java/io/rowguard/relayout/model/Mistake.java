package io.rowguard.relayout.model;

/**
 * Rules of the protocol that are left out or turned round, one mistake each. The explorer finds the
 * cost of each, which proves that it would see the mistake in the protocol itself.
 */
enum Mistake {
  STRAY_ROW("I0: start without a proof that no row conforms to the new layout only"),
  FINISH_AFTER_BACK("I0: finish without naming the version that its proof is about"),
  NO_ASK("I1: the new region writes without asking the old one"),
  DELETE_WITHOUT_GENERATION("I1: the old region carries out a delete of any generation"),
  REQUEST_WITHOUT_GENERATION("I1: the old region answers pull requests of any generation"),
  COUNT_WITHOUT_GENERATION("I1: finish believes the count of a region that still takes old writes"),
  ANSWER_WITHOUT_LOG("I1: an answer with cells does not go through the old region's log"),
  EMPTIED_WHILE_PREPARED("I1: a region that takes old writes still says that it has none left"),
  OLD_PLACE_OPEN("I2: a moving region still takes writes to old rows"),
  NO_VERSION("I3: regions take requests of any version"),
  LAYOUTS_ONLY("I3: regions compare the layouts, not the version"),
  COPY_ONTO_A_ROW("I4: a pull copies although the new row is there"),
  TWO_PULLS("I5: two mutations pull one key at the same time"),
  EMPTIED_WITHOUT_LOCK("I5: what is said of all old rows is taken while a pull has the key's lock"),
  DELETE_BEFORE_COPY("I6: the old row is deleted before the copy is written"),
  MUTATE_BEFORE_DELETE("I6: the mutation is applied before the old row is deleted"),
  ONE_EDIT("I6: copy and mutation are one edit"),
  COPY_UNSYNCED("I6: the copy is not synced"),
  DELETE_UNSYNCED("I6: the delete of the old row is not synced"),
  DELETE_AT_THE_CLOCK("I6: the old row is deleted up to now, not up to its newest timestamp"),
  NO_CLOCK("I6: the new region's clock is not waited for"),
  CLOCK_AFTER_COPY("I6: the clock is waited for between copy and delete"),
  CLOCK_AFTER_DELETE("I6 as first designed: the clock is waited for after the delete"),
  BULK_LOAD("I7: files are loaded in the middle; here those with c2"),
  NO_MARKER_CHECK("I8: the copy is written under delete markers"),
  MUTATION_UNDER_A_MARKER("I8 as first designed: only the copy is held against the markers"),
  MUTATION_BY_THE_CLOCK("I8: a mutation is held against leftovers by the clock, not its timestamp"),
  MUTATION_UNDER_USERS_MARKERS("I8: a mutation is held against users' markers as well"),
  LEFTOVERS_TAKEN_ALONG("I8: a pull takes along what an earlier one has left at the old place"),
  FINISH_OVER_MARKERS("I8 as first designed: finish does not ask what markers it leaves"),
  FINISH_BY_THE_CLOCK("I8: finish looks for leftovers of the future only"),
  TWO_READS("Reading: a Get without its third read"),
  FILTER_HID_IT("Reading: a new row that is there is taken for one that the filter hid"),
  GET_FROM_A_ZOMBIE("Reading: a zombie answers a Get, which cannot be prevented"),
  NEW_FIRST_SCAN("Reading: a scan reads the new rows before the old ones"),
  SCAN_WINDOW_AGAIN("Reading: after a stale version the scan begins its window again"),
  ADOPTS_WHEN_ASKED("Opening: a prepared old region that is asked acts as moving from then on"),
  DELETE_WITHOUT_OWN_LOG("I6: a new region that has nothing to copy deletes without its log"),
  CLOCK_WITHOUT_MARKERS("I6: the clock is waited for by the copied cells, not by the markers"),
  FORWARD_UNCHECKED("Opening: a prepared region's forward is applied wherever it arrives");

  private final String description;

  Mistake(String description) {
    this.description = description;
  }

  @Override
  public String toString() {
    return name() + " (" + description + ")";
  }
}
