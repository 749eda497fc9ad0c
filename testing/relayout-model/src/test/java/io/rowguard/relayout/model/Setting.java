package io.rowguard.relayout.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A small world to be explored to the end: which alters, which clients, and how much may go wrong.
 * Several small ones, each about something else, are explored sooner than a large one.
 */
final class Setting {
  /** The most mutations and readers of a setting. */
  static final int MUTATIONS = 4;

  static final int READERS = 2;

  /**
   * The clock of the region with the first rows, at the beginning. The other one's is behind, at 0.
   */
  static final int CLOCK = 2;

  private final String name;
  private final Descriptor[] alters;
  private int keys = 1;
  private boolean crossed;
  private final List<MutationPlan> mutations = new ArrayList<>();
  private final List<Reader.Kind> readers = new ArrayList<>();
  private int crashes;
  private int moves;
  private boolean zombies;
  private boolean lateDeletes;
  private boolean compactions;
  private int window = 1;
  private boolean withoutRow;
  private boolean ofTheFuture;
  private boolean ofThePast;
  private boolean neverBlocked;
  private boolean forgetful;
  private boolean heardOf;
  private final Set<Mistake> mistakes = EnumSet.noneOf(Mistake.class);

  private Setting(String name, Descriptor... alters) {
    this.name = name;
    this.alters = alters;
  }

  /** From the first of these descriptors, which all regions have, through all others. */
  static Setting of(String name, Descriptor... alters) {
    return new Setting(name, alters);
  }

  Setting mutations(MutationPlan.Kind... kinds) {
    for (MutationPlan.Kind kind : kinds) {
      mutation(MutationPlan.of(kind));
    }
    return this;
  }

  Setting mutation(MutationPlan plan) {
    mutations.add(plan);
    return this;
  }

  Setting readers(Reader.Kind... kinds) {
    readers.addAll(Arrays.asList(kinds));
    return this;
  }

  /** Crashes of any region, in all. */
  Setting crashes(int most) {
    crashes = most;
    return this;
  }

  /** A region that has crashed may leave a zombie: the last one of each region. */
  Setting zombies() {
    zombies = true;
    return this;
  }

  /** Deletes that a pull has sent arrive once more, at any later time, as often as you like. */
  Setting lateDeletes() {
    lateDeletes = true;
    return this;
  }

  /** Splits, moves and merges, that is closings without an alter. */
  Setting moves(int most) {
    moves = most;
    return this;
  }

  /** Regions forget which keys are pulled, at any time. */
  Setting forgetful() {
    forgetful = true;
    return this;
  }

  boolean isForgetful() {
    return forgetful;
  }

  /** Regions hear from old regions that none of their old rows is left, at any time. */
  Setting emptied() {
    heardOf = true;
    return this;
  }

  boolean hasEmptied() {
    return heardOf;
  }

  Setting compactions() {
    compactions = true;
    return this;
  }

  /** Two keys; if crossed, the region that has the old row of one has the new row of the other. */
  Setting twoKeys(boolean inTheSameRegions) {
    keys = 2;
    crossed = !inTheSameRegions;
    return this;
  }

  /** Keys per window of a scan. */
  Setting window(int size) {
    window = size;
    return this;
  }

  /** At the beginning there is no row; else there is one with c1=v1 and c2=v1. */
  Setting withoutRow() {
    withoutRow = true;
    return this;
  }

  /** The row at the beginning has a client's timestamp that no clock has reached. */
  Setting ofTheFuture() {
    ofTheFuture = true;
    return this;
  }

  /** The row at the beginning is c1=v1 with a client's timestamp that is older than all others. */
  Setting ofThePast() {
    ofThePast = true;
    return this;
  }

  /** No key may be blocked while both of its regions are open. */
  Setting neverBlocked() {
    neverBlocked = true;
    return this;
  }

  boolean isNeverBlocked() {
    return neverBlocked;
  }

  Setting with(Mistake... planted) {
    mistakes.addAll(Arrays.asList(planted));
    return this;
  }

  boolean has(Mistake mistake) {
    return mistakes.contains(mistake);
  }

  String name() {
    return mistakes.isEmpty() ? name : name + " " + mistakes;
  }

  int keys() {
    return keys;
  }

  int window() {
    return window;
  }

  List<MutationPlan> mutations() {
    return mutations;
  }

  List<Reader.Kind> readers() {
    return readers;
  }

  int crashes() {
    return crashes;
  }

  int moves() {
    return moves;
  }

  boolean hasZombies() {
    return zombies;
  }

  boolean hasLateDeletes() {
    return lateDeletes;
  }

  boolean hasCompactions() {
    return compactions;
  }

  int lastVersion() {
    return alters.length - 1;
  }

  Descriptor descriptor(int version) {
    return alters[version];
  }

  /** Whether the alter that makes this version is a finish. */
  boolean isFinish(int version) {
    return version > 0 && alters[version].atHome();
  }

  /** The index of the region that has the row of a key under a layout. */
  int region(int key, int layout) {
    return crossed && key == 1 ? 1 - layout : layout;
  }

  /** The layout of a key's row in a region. */
  int layout(int key, int region) {
    return region(key, region);
  }

  /** The row of every key at the beginning, under the first layout. */
  long initialRow() {
    if (withoutRow) {
      return Row.EMPTY;
    }
    if (ofThePast) {
      return Row.put(Row.EMPTY, 0, Row.PAST, 1);
    }
    int timestamp = ofTheFuture ? Row.FUTURE : CLOCK;
    return Row.put(Row.put(Row.EMPTY, 0, timestamp, 1), 1, CLOCK, 1);
  }

  int initialHistory() {
    if (withoutRow) {
      return History.row(0, 0, 0);
    }
    if (ofThePast) {
      return History.rowOfThePast(1);
    }
    return ofTheFuture ? History.row(0, 1, 1) : History.row(1, 1, 0);
  }
}
