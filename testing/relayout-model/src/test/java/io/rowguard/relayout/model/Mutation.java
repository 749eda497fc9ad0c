package io.rowguard.relayout.model;

/**
 * One mutation of one key on its way from a client to the row that it changes. {@link At} is where
 * it can be, in the order in which it gets there; {@link MutationSteps} and {@link PullSteps} have
 * its step at each place.
 */
final class Mutation {
  /** Where a mutation is. The places from {@link #LOCK} to {@link #DELETED} are those of a pull. */
  enum At {
    /** With the client: not sent, or come back with an error that says that nothing was applied. */
    CLIENT,
    /** In the new region, which will pull the key unless its instance has. */
    LOCK,
    /** The new region has the key's lock and has asked the old region. */
    ASKED,
    /** The old region has read cells and has not synced its log yet. */
    READ,
    /** The old region has answered: cells, or nothing. */
    ANSWERED,
    /** The new row is there, synced. */
    COPIED,
    /** The old region has been told to delete its row. */
    DELETING,
    /** The old region has answered that its row is deleted, synced, and empty. */
    DELETED,

    /** On its way from one region to another that takes it instead. */
    FORWARDED,
    /** Applied; the client has had its answer. */
    DONE,
    /** The client has had no answer. It may have been applied or not, for good. */
    LOST
  }

  private static final At[] PLACES = At.values();

  final int index;
  final MutationPlan plan;
  At at = At.CLIENT;

  /** The region it is in, from {@link At#LOCK} to {@link At#FORWARDED}. */
  int region;

  /** Whether it goes on in the zombie of that region. */
  boolean inZombie;

  /** Whether what the old region has read was read by a zombie. */
  boolean readByZombie;

  boolean forwarded;

  /** The descriptor that its client knows. */
  int version;

  /** The old region's answer. */
  long cells;

  /** For some mistakes: it is applied before the pull is over. */
  boolean applied;

  Mutation(int index, MutationPlan plan) {
    this.index = index;
    this.plan = plan;
  }

  void pass(Bits bits) {
    at = bits.of(at, PLACES);
    boolean underWay = at != At.CLIENT && at != At.DONE && at != At.LOST;
    version = at == At.DONE || at == At.LOST ? 0 : bits.of(version, 3);
    region = underWay ? bits.of(region, 1) : 0;
    inZombie = underWay && bits.of(inZombie);
    forwarded = underWay && bits.of(forwarded);
    readByZombie = at == At.READ && bits.of(readByZombie);
    applied = underWay && bits.of(applied);
    boolean hasCells = underWay && at.compareTo(At.READ) >= 0 && at.compareTo(At.DELETED) <= 0;
    cells = hasCells ? bits.of(cells, Row.WIDTH) : Row.EMPTY;
  }

  /** Whether it may still take effect, or has taken effect without an answer. */
  boolean isPending() {
    return at != At.CLIENT && at != At.DONE;
  }

  boolean isInRegion() {
    return at.compareTo(At.LOCK) >= 0 && at.compareTo(At.DELETED) <= 0;
  }

  boolean isOver() {
    return at == At.DONE || at == At.LOST || (isTouch() && at == At.CLIENT);
  }

  /** The mover's touches are one mutation that is sent again and again. */
  boolean isTouch() {
    return plan.kind() == MutationPlan.Kind.TOUCH;
  }

  int value() {
    return index + 2;
  }

  @Override
  public String toString() {
    return plan.text(value());
  }
}
