package io.rowguard.soak;

/** Lets time pass. */
interface Rest {
  void seconds(int seconds) throws InterruptedException;
}
