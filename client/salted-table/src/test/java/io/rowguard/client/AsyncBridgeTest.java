package io.rowguard.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.junit.jupiter.api.Test;

/** The ways that HBase 2 lacks. */
class AsyncBridgeTest {
  @Test
  void bothWays_onHBase2_areRefused() {
    assumeTrue(
        Arrays.stream(AsyncConnection.class.getMethods())
            .noneMatch(method -> method.getName().equals("toConnection")),
        "HBase 3");
    UnsupportedOperationException back =
        assertThrows(UnsupportedOperationException.class, () -> AsyncBridge.toConnection(null));
    assertEquals("Only HBase 3 has AsyncConnection.toConnection.", back.getMessage());
    UnsupportedOperationException there =
        assertThrows(
            UnsupportedOperationException.class, () -> AsyncBridge.toAsyncConnection(null));
    assertEquals("Only HBase 3 has Connection.toAsyncConnection.", there.getMessage());
  }
}
