package io.rowguard.tools.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class NoAnswerTest {
  @Test
  void reason_javaWithoutSecurityManager_namesTheVersionsThatHaveIt() {
    Throwable hadoop = new UnsupportedOperationException("getSubject is not supported");
    assertEquals(
        "UnsupportedOperationException: getSubject is not supported: HBase's client runs on Java 17"
            + " to 23, set JAVA_HOME to one",
        NoAnswer.reason(new IOException(hadoop)));
    assertEquals("IOException: lost", NoAnswer.reason(new IOException("lost")));
  }
}
