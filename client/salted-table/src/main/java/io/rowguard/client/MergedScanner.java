package io.rowguard.client;

/**
 * Gives the rows of bare keys in their order, as long as the layouts of the table stay what they
 * were when it was made. For one thread.
 */
interface MergedScanner extends BareScanner {
  /** How many rows it has given, whole or in part. */
  long rowsGiven();
}
