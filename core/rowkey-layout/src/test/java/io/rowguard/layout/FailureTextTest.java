package io.rowguard.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class FailureTextTest {
  @Test
  void of_whatAServerAnswered_hasOneClassAndOneLine() {
    Throwable remote =
        new IOException(
            "org.apache.hadoop.hbase.ipc.RemoteWithExtrasException("
                + "org.apache.hadoop.hbase.NotServingRegionException): "
                + "org.apache.hadoop.hbase.NotServingRegionException: t,4,17.86fa. is not online on"
                + " rs1.example.com,35419,17\n\tat org.apache.hadoop.hbase.HRegionServer.get(1)");
    Throwable failure = new ExecutionException(new IOException("Failed after attempts=4", remote));
    assertEquals(
        "NotServingRegionException: t,4,17.86fa. is not online on rs1.example.com,35419,17",
        FailureText.of(failure));
    assertEquals("NotServing", FailureText.abbreviated(failure, 10));
  }

  @Test
  void of_aSentence_leavesTheFullStopToTheCaller() {
    assertEquals("IOException: No more. Free it", text("No more. Free it."));
    assertEquals("IOException: it goes on ...", text("it goes on ..."));
  }

  @Test
  void of_noMessage_isTheClass() {
    assertEquals("NullPointerException", FailureText.of(new NullPointerException()));
    assertEquals("IOException: 10.0.0.1: refused", text("10.0.0.1: refused"));
  }

  private static String text(String message) {
    return FailureText.of(new IOException(message));
  }
}
