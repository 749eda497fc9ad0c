package io.rowguard.testing;

import java.nio.file.Path;

/** The log of the servers of this JVM's tests. */
public final class TestLog {
  private TestLog() {}

  /** The file, which {@code log4j-rowguard-test.properties} names; seen from the module. */
  public static Path path() {
    return Path.of("target", "hbase-test" + System.getProperty("rowguard.test.fork", "") + ".log");
  }
}
