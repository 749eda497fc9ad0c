package io.rowguard.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.junit.jupiter.api.Test;

class ServerMessageTest {
  @Test
  void of_messageWithClassNameAndStackTrace_isTheMessageAlone() {
    assertEquals(
        "Split row is equal to startkey: US",
        ServerMessage.of(
            new DoNotRetryIOException(
                "org.apache.hadoop.hbase.DoNotRetryIOException: Split row is equal to startkey: US\n"
                    + "\tat org.apache.hadoop.hbase.Some.method(Some.java:1)")));
  }

  @Test
  void of_plainMessage_isUnchanged() {
    assertEquals(
        "table=places row=\"a: b\"",
        ServerMessage.of(new IOException("table=places row=\"a: b\"")));
  }

  @Test
  void of_exceptionFromAFuture_isItsCause() {
    assertEquals("no", ServerMessage.of(new ExecutionException(new IOException("no"))));
  }

  @Test
  void of_exceptionWithoutMessage_isItsName() {
    assertEquals("IOException", ServerMessage.of(new IOException()));
  }
}
