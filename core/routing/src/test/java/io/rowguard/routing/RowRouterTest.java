package io.rowguard.routing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.KnownLayouts;
import io.rowguard.layout.LayoutChange;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowRouterTest {
  private static final int KEYS = 400;
  private static final String BARE = "{user:word}|{item:digits(4)}";
  private static final String EIGHT = "{salt:digits(2)=murmur3(user)%8}-" + BARE;
  private static final String SIXTEEN = "{salt:digits(2)=murmur3(user)%16}-" + BARE;
  private static final String CRC = "{salt:digits(2)=crc32(user)%16}-" + BARE;

  /**
   * Holds the router to a table that is built key by key: what the test knows of a row is how it
   * was made, and never asked of {@link LayoutChange#place}.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        EIGHT + ";" + SIXTEEN,
        SIXTEEN + ";" + EIGHT,
        SIXTEEN + ";" + CRC,
        BARE + ";" + SIXTEEN,
        SIXTEEN + ";" + BARE
      })
  void route_rowsOfTwoLayouts_isAsTheyWereMade(String fromText, String toText) {
    RowkeyLayout from = RowkeyLayout.parse(fromText);
    RowkeyLayout to = RowkeyLayout.parse(toText);
    LayoutChange change = LayoutChange.of(from, to);
    RowRouter prepared = RowRouter.of(change, false);
    RowRouter moving = RowRouter.of(change, true);
    Map<Route.Kind, Integer> seen = new TreeMap<>();
    for (String key : keys()) {
      byte[] bare = bytes(key);
      byte[] oldRow = from.complete(bare);
      byte[] newRow = to.complete(bare);
      String context = "seed=1 key=" + key;
      if (text(oldRow).equals(text(newRow))) {
        assertSame(Route.HERE, moving.route(oldRow), context);
        assertSame(Route.HERE, prepared.route(oldRow), context);
        assertEquals(1, moving.rowsToRead(bare).size(), context);
        assertNull(moving.counterpart(oldRow), context);
        seen.merge(Route.Kind.HERE, 1, Integer::sum);
        continue;
      }
      requireOther(Route.Kind.AT, newRow, moving.route(oldRow), context);
      requireOther(Route.Kind.AFTER_PULL, oldRow, moving.route(newRow), context);
      assertSame(Route.HERE, prepared.route(oldRow), context);
      requireOther(Route.Kind.AFTER_PULL, oldRow, prepared.route(newRow), context);
      for (RowRouter router : List.of(prepared, moving)) {
        assertArrayEquals(newRow, router.counterpart(oldRow), context);
        assertArrayEquals(oldRow, router.counterpart(newRow), context);
        List<byte[]> rows = router.rowsToRead(bare);
        assertEquals(3, rows.size(), context);
        assertArrayEquals(newRow, rows.get(0), context);
        assertArrayEquals(oldRow, rows.get(1), context);
        assertArrayEquals(newRow, rows.get(2), context);
      }
      seen.merge(Route.Kind.AT, 1, Integer::sum);
      requireBare(key, change, context);
    }
    assertEquals(KEYS, seen.values().stream().mapToInt(Integer::intValue).sum());
    assertTrue(seen.get(Route.Kind.AT) > KEYS / 4, seen.toString());
  }

  /** A bare key that is a row of neither layout stands for the row that takes the writes. */
  private static void requireBare(String key, LayoutChange change, String context) {
    byte[] bare = bytes(key);
    RowRouter moving = RowRouter.of(change, true).salting();
    RowRouter prepared = RowRouter.of(change, false).salting();
    if (!change.from().hasDerivedSegments()) {
      assertTrue(moving.isBareKey(bare), context);
      assertFalse(prepared.isBareKey(bare), context);
      return;
    }
    if (!change.to().hasDerivedSegments()) {
      assertFalse(moving.isBareKey(bare), context);
      return;
    }
    requireBareKeyOf(change.to().complete(bare), moving.route(bare), context);
    requireBareKeyOf(change.from().complete(bare), prepared.route(bare), context);
    assertTrue(moving.isBareKey(bare), context);
    assertFalse(moving.isBareKey(change.to().complete(bare)), context);
    assertFalse(moving.isBareKey(change.from().complete(bare)), context);
    assertFalse(moving.isBareKey(bytes("none")), context);
    assertEquals(Route.Kind.NOWHERE, RowRouter.of(change, true).route(bare).kind(), context);
  }

  private static void requireOther(Route.Kind kind, byte[] other, Route route, String context) {
    assertEquals(kind, route.kind(), context);
    assertEquals(text(other), text(route.otherRow()), context);
    assertEquals(Verdict.CONFORMS, route.verdict(), context);
    assertTrue(route.isRow(), context);
  }

  private static void requireBareKeyOf(byte[] row, Route route, String context) {
    assertEquals(Route.Kind.AT, route.kind(), context);
    assertEquals(text(row), text(route.otherRow()), context);
    assertFalse(route.isRow(), context);
  }

  private static List<String> keys() {
    Random random = new Random(1);
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      keys.add("user" + random.nextInt(10_000) + "|" + String.format("%04d", i));
    }
    return keys;
  }

  @Test
  void route_oneLayout_isHereOrNowhereOrAtTheSaltedRow() {
    RowRouter router = RowRouter.of(RowkeyLayout.parse(SIXTEEN));
    byte[] bare = bytes("alice|0001");
    byte[] row = router.primary().complete(bare);
    assertSame(Route.HERE, router.route(row));
    assertEquals("NOWHERE NOT_DIGITS", router.route(bare).toString());
    requireBareKeyOf(row, router.salting().route(bare), "salting");
    assertEquals(Verdict.NOT_DIGITS, router.salting().route(bare).verdict());
    assertNull(router.counterpart(row));
    byte[] wrong = bytes("99" + text(row).substring(2));
    assertEquals(Verdict.WRONG_SALT, router.salting().route(wrong).verdict());
    assertEquals(1, router.rowsToRead(bare).size());
    assertTrue(router.isBareKey(bare));
    assertFalse(router.isBareKey(row));
    assertFalse(router.isBareKey(wrong));
  }

  /** Two other clusters have other layouts: one has salts of its own, one has bare keys. */
  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void routeArriving_rowsOfEveryCluster_areThoseOfTheirBareKeys(boolean moving, boolean salting) {
    KnownLayouts known =
        KnownLayouts.of(
            Stream.of(EIGHT, SIXTEEN, "{salt:hex(4)=md5(item)}-" + BARE, BARE)
                .map(RowkeyLayout::parse)
                .toList());
    LayoutChange change = LayoutChange.of(known.layouts().get(0), known.layouts().get(1));
    RowRouter plain = RowRouter.of(change, moving);
    RowRouter router = salting ? plain.salting() : plain;
    for (String key : keys()) {
      byte[] bare = bytes(key);
      String home = text(router.primary().complete(bare));
      for (RowkeyLayout sender : known.layouts()) {
        byte[] named = sender.complete(bare);
        String context = "seed=1 key=" + key + " sender=" + sender;
        Route route = router.routeArriving(named, known);
        if (change.place(named) != LayoutChange.Place.NONE) {
          assertEquals(router.route(named).kind(), route.kind(), context);
          assertTrue(route.isRow(), context);
        } else {
          requireBareKeyOf(bytes(home), route, context);
        }
        // Before rows move, the pull of a new row finds that the old one takes the writes.
        boolean isThere =
            route.kind() == Route.Kind.HERE || (moving && route.kind() == Route.Kind.AFTER_PULL);
        assertEquals(home, text(isThere ? named : route.otherRow()), context);
      }
      Route unknown = router.routeArriving(bytes("x-" + key), known);
      assertEquals(Route.Kind.NOWHERE, unknown.kind());
    }
  }

  /** A row of another cluster that would be a bare key here, too, is that row. */
  @Test
  void routeArriving_whatIsARowThereAndABareKeyHere_isTheRow() {
    RowkeyLayout own = RowkeyLayout.parse("{salt:hex(2)=md5(*)}-{key:text}");
    RowkeyLayout sender = RowkeyLayout.parse("{salt:digits(3)=md5(*)%20}-{key:text}");
    KnownLayouts known = KnownLayouts.of(List.of(own, sender));
    byte[] named = sender.complete(bytes("alice"));
    RowRouter router = RowRouter.of(own).salting();

    assertEquals(text(own.complete(named)), text(router.route(named).otherRow()));
    requireBareKeyOf(own.complete(bytes("alice")), router.routeArriving(named, known), "alice");
  }

  @Test
  void otherRow_whereThereIsNone_saysSo() {
    Route here = RowRouter.of(RowkeyLayout.parse(BARE)).route(bytes("alice|0001"));
    IllegalStateException thrown = assertThrows(IllegalStateException.class, here::otherRow);
    assertEquals("There is no other row. route=HERE", thrown.getMessage());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
