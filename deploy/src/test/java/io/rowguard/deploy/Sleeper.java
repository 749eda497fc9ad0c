package io.rowguard.deploy;

import java.util.concurrent.TimeUnit;

/** Stands for a server: a JVM that does nothing until it is ended, ten minutes at most. */
final class Sleeper {
  private Sleeper() {}

  public static void main(String[] arguments) throws InterruptedException {
    TimeUnit.MINUTES.sleep(10);
  }
}
