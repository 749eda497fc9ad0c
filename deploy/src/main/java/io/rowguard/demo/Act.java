package io.rowguard.demo;

import java.io.IOException;

/** One part of the demo. */
interface Act {
  /** The subject, in a few words. */
  String title();

  /** The sight for a viewer and why it matters, in a sentence or two. */
  String why();

  /**
   * Shows it, and adds what it claims to the stage's claims.
   *
   * @throws IOException when the cluster does not do what any HBase does: then there is nothing to
   *     show
   */
  void play(Stage stage) throws IOException, InterruptedException;
}
