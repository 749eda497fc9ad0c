package io.rowguard.tools.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pages as HBase has them, and servers that say something else, or nothing. */
class InfoPagesTest {
  private static final String HOST = "127.0.0.1";

  private HttpServer server;
  private int port;
  private final InfoPages pages = new InfoPages(new Configuration(false), 60);
  private final InfoPages impatient = new InfoPages(new Configuration(false), 2);

  @BeforeEach
  void start() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.start();
    port = server.getAddress().getPort();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void serve(String path, int status, String text) {
    server.createContext(
        path,
        exchange -> {
          byte[] body = text.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, body.length);
          try (OutputStream stream = exchange.getResponseBody()) {
            stream.write(body);
          }
        });
  }

  @Test
  void classPath_jmxPage_isRead() throws Exception {
    serve("/jmx", 200, "{\"beans\": [{\"name\": \"x\", \"ClassPath\": \"/a.jar:/b.jar\"}]}");
    assertEquals("/a.jar:/b.jar", pages.classPath(HOST, port));
  }

  @Test
  void numbers_severalBeans_areAdded() throws Exception {
    serve("/jmx", 200, "{\"beans\": [{\"a\": 1, \"b\": \"no\"}, {\"a\": 2, \"c\": 3}]}");
    assertEquals(Map.of("a", 3L, "c", 3L), pages.numbers(HOST, port, "*:*"));
  }

  @Test
  void configuration_confPage_isRead() throws Exception {
    serve(
        "/conf",
        200,
        "{\"properties\": [{\"key\": \"k\", \"value\": \"v\", \"resource\": \"r\"},"
            + " {\"key\": \"none\", \"value\": null}]}");
    assertEquals(Map.of("k", "v"), pages.configuration(HOST, port));
  }

  @Test
  void classPath_refusedOrNoJsonOrNoBean_saysSo() {
    assertSays("the page /jmx says 404");
    serve("/jmx", 401, "");
    assertSays("the page /jmx says 401");
    server.removeContext("/jmx");
    serve("/jmx", 200, "<html>");
    assertSays("the page /jmx is not what HBase shows");
    for (String other :
        new String[] {"[]", "{\"beans\": 1}", "{\"beans\": [1]}", "{\"beans\": null}"}) {
      server.removeContext("/jmx");
      serve("/jmx", 200, other);
      assertSays("the page /jmx is not what HBase shows");
    }
    server.removeContext("/jmx");
    serve("/jmx", 200, "{}");
    assertSays("the page /jmx has no beans");
    server.removeContext("/jmx");
    serve("/jmx", 200, "{\"beans\": []}");
    assertSays("the page /jmx does not show the class path");
  }

  private void assertSays(String expected) {
    assertEquals(
        expected, assertThrows(NoAnswer.class, () -> pages.classPath(HOST, port)).getMessage());
  }

  @Test
  void classPath_serverThatNeverAnswers_isGivenUp() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertGivesUp(silent.getLocalPort());
    }
  }

  @Test
  void classPath_pageThatStopsInItsMiddle_isGivenUp() {
    server.createContext(
        "/jmx",
        exchange -> {
          exchange.sendResponseHeaders(200, 100);
          exchange.getResponseBody().write('{');
          exchange.getResponseBody().flush();
          // Never closed: the other 99 bytes do not come.
        });
    assertGivesUp(port);
  }

  private void assertGivesUp(int port) {
    NoAnswer e = assertThrows(NoAnswer.class, () -> impatient.classPath(HOST, port));
    assertTrue(e.getMessage().matches(".*(timed out|no answer within 2 s).*"), e.getMessage());
  }

  @Test
  void classPath_nobodyListens_saysSo() {
    server.stop(0);
    assertSays("cannot connect");
  }
}
