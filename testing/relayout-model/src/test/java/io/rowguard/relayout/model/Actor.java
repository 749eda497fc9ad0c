package io.rowguard.relayout.model;

/**
 * Something that takes steps by itself: a client's request, a region, the operator, the network.
 */
interface Actor<W extends Explored> {
  /** How many different steps there can be at once. */
  int branches();

  /**
   * Takes one step, if it is possible now.
   *
   * @param branch which, from 0
   * @return false where nothing is possible, and then nothing is changed
   */
  boolean step(W world, int branch);
}
