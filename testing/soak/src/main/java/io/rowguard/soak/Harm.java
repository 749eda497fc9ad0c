package io.rowguard.soak;

import java.io.IOException;

/** One way to do harm to a cluster. */
interface Harm {
  /**
   * Does it once.
   *
   * @return what was done, for the user; null where there was nothing to do it to, or HBase refused
   * @throws IOException if the means to do it fail, which ends the soak
   */
  String strike() throws IOException, InterruptedException;
}
