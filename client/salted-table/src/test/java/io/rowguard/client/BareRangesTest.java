package io.rowguard.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowkeyLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Bare keys read from the places where regions begin; no cluster. */
class BareRangesTest {
  private static final String FRONT =
      "{salt:digits(2)=murmur3(user)%16}-{user:word}|{item:digits(4)}";
  private static final String MIDDLE = "{user:word}|{salt:hex(1)=murmur3(item)%4}{item:digits(4)}";

  @Test
  void bareBeginning_ofRegionStarts_isWhatTheyHaveOfABareKey() {
    RowkeyLayout front = RowkeyLayout.parse(FRONT);
    RowkeyLayout middle = RowkeyLayout.parse(MIDDLE);
    RowkeyLayout fixed = RowkeyLayout.parse("v1/{salt:uint8=id%4}{id:digits(4)}");
    Map<String, String> expected = Map.of("", "", "08-", "", "08-u2", "u2", "zz", "");
    expected.forEach(
        (start, bare) ->
            assertEquals(
                bare,
                Bytes.toString(BareRanges.bareBeginning(front, Bytes.toBytes(start))),
                start));
    byte[] row = front.complete(Bytes.toBytes("u10|0000"));
    assertEquals(
        "u10|00", Bytes.toString(BareRanges.bareBeginning(front, Bytes.head(row, row.length - 2))));
    assertEquals("u1", Bytes.toString(BareRanges.bareBeginning(middle, Bytes.toBytes("u1"))));
    assertEquals(
        "u10|00", Bytes.toString(BareRanges.bareBeginning(middle, Bytes.toBytes("u10|200"))));
    assertEquals(
        "v1/01",
        Bytes.toString(BareRanges.bareBeginning(fixed, Bytes.toBytesBinary("v1/\\x0201"))));
  }

  @Test
  void bareBeginning_ofRowsThatLackASegment_isTheBareKey() {
    RowkeyLayout layout =
        RowkeyLayout.parse(
            "{salt:digits(1)=murmur3(*)%4}-{host:word}:{port:digits(1..5) optional}/{path:word}");
    for (String key : new String[] {"a/b", "a:80/b"}) {
      byte[] row = layout.complete(Bytes.toBytes(key));
      assertEquals(key, Bytes.toString(BareRanges.bareBeginning(layout, row)));
    }
    byte[] row = layout.complete(Bytes.toBytes("a/b"));
    assertEquals(
        "a", Bytes.toString(BareRanges.bareBeginning(layout, Bytes.head(row, row.length - 1))));
  }

  @Test
  void of_scanThatHasNoParts_isRefused() {
    for (Scan scan : List.of(new Scan().setReversed(true), new Scan().setLimit(3))) {
      assertThrows(
          IllegalArgumentException.class, () -> BareRanges.of(null, scan, new ArrayList<>()));
    }
  }

  @Test
  void isBelow_zerosBehindAKey_areNothing() {
    byte[] key = Bytes.toBytes("a");
    assertFalse(BareRanges.isBelow(key, Bytes.toBytesBinary("a\\x00\\x00")));
    byte[] above = Bytes.toBytesBinary("a\\x00\\x01");
    assertTrue(BareRanges.isBelow(key, above));
    assertNotNull(Bytes.split(key, above, 3));
  }
}
