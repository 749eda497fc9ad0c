package io.rowguard.config;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** Which connections a configuration opens after {@link RawConnections}. */
class RawConnectionsTest {
  @Test
  void of_connectionsOfRowguard_namesHBasesOwnInACopy() {
    Configuration conf = new Configuration(false);
    conf.set(RawConnections.CONNECTION, " io.rowguard.client.SaltedConnection ");
    conf.set(RawConnections.ASYNC_CONNECTION, "io.rowguard.client.SaltedAsyncConnection");

    Configuration raw = RawConnections.of(conf);

    assertNotSame(conf, raw);
    assertDoesNotThrow(() -> Class.forName(raw.get(RawConnections.CONNECTION)));
    assertDoesNotThrow(() -> Class.forName(raw.get(RawConnections.ASYNC_CONNECTION)));
    assertEquals(
        "io.rowguard.client.SaltedAsyncConnection", conf.get(RawConnections.ASYNC_CONNECTION));
  }

  @Test
  void of_othersOrNone_changesNothing() {
    Configuration none = new Configuration(false);
    Configuration others = new Configuration(false);
    others.set(RawConnections.CONNECTION, "org.example.Connection");

    assertSame(none, RawConnections.of(none));
    assertSame(others, RawConnections.of(others));
    RawConnections.set(others);
    assertEquals("org.example.Connection", others.get(RawConnections.CONNECTION));
    assertNull(others.get(RawConnections.ASYNC_CONNECTION));
  }
}
