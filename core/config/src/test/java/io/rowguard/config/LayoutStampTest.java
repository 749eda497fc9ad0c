package io.rowguard.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CoprocessorDescriptor;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.OperationWithAttributes;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** The requests that a region takes, by the knowledge of both about the table's layouts. */
class LayoutStampTest {
  private static final String FOUR =
      "{salt:digits(2)=murmur3(user)%4}-{user:word}|{item:digits(4)}";
  private static final String EIGHT = FOUR.replace("%4", "%8");
  private static final String NINE = FOUR.replace("%4", "%9");

  private static final byte[] NAME = Bytes.toBytes("c");

  private static LayoutStamp plain(String layout, long version) {
    return stamp(layout, null, null, version);
  }

  private static LayoutStamp prepared(String from, String to, long version) {
    return stamp(to, from, "prepared", version);
  }

  private static LayoutStamp moving(String from, String to, long version) {
    return stamp(to, from, "moving", version);
  }

  private static LayoutStamp stamp(String layout, String previous, String phase, long version) {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .setValue("rowguard.mode", "reject")
            .setValue("rowguard.layout", layout);
    if (version > 0) {
      table.setValue("rowguard.layout.version", "" + version);
    }
    if (previous != null) {
      table
          .setValue("rowguard.layout.previous", previous)
          .setValue("rowguard.layout.phase", phase)
          .setValue("rowguard.layout.generation", "1");
    }
    try {
      table.setCoprocessor(
          CoprocessorDescriptorBuilder.newBuilder(Guards.OBSERVER).setPriority(1001).build());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    TableConfig config = TableConfig.of(table.build(), new Configuration(false));
    assertEquals(List.of(), config.problems());
    return LayoutStamp.of(config);
  }

  private static Get marked(LayoutStamp client) {
    Get get = new Get(Bytes.toBytes("row"));
    client.mark(get);
    return get;
  }

  /** By a region whose table has not been altered since it opened. */
  private static boolean isTaken(LayoutStamp client, LayoutStamp region) throws IOException {
    return LayoutStamp.isTaken(marked(client), region, () -> region);
  }

  private static boolean isTakenBeforeReopening(
      LayoutStamp client, LayoutStamp region, LayoutStamp stored) throws IOException {
    return LayoutStamp.isTaken(marked(client), region, () -> stored);
  }

  @Test
  void request_ofAnotherLayoutOfTheSameVersion_isRefused() throws Exception {
    assertTrue(isTaken(plain(FOUR, 0), plain(FOUR, 0)));
    assertTrue(isTaken(plain(FOUR.replace("{user", "{ user"), 0), plain(FOUR, 0)));
    assertFalse(isTaken(plain(FOUR, 0), plain(EIGHT, 0)));
    assertFalse(isTaken(plain(FOUR, 3), plain(EIGHT, 3)));
    assertFalse(isTaken(plain(FOUR, 2), moving(FOUR, EIGHT, 2)));
    assertFalse(isTaken(plain(EIGHT, 2), moving(FOUR, EIGHT, 2)));
    assertFalse(isTaken(moving(EIGHT, FOUR, 2), moving(FOUR, EIGHT, 2)));
    assertFalse(isTaken(moving(NINE, EIGHT, 2), moving(FOUR, EIGHT, 2)));
    assertTrue(isTaken(moving(FOUR, EIGHT, 2), moving(FOUR, EIGHT, 2)));
  }

  @Test
  void request_ofTheVersionBefore_isTakenIfItKnowsTheLayout() throws Exception {
    assertTrue(isTaken(moving(FOUR, EIGHT, 2), plain(EIGHT, 3)));
    assertTrue(isTaken(prepared(FOUR, EIGHT, 1), plain(FOUR, 2)));
    assertTrue(isTaken(plain(EIGHT, 2), plain(EIGHT, 3)));
    // An emptied table was altered.
    assertFalse(isTaken(plain(FOUR, 3), plain(EIGHT, 4)));
    assertFalse(isTaken(moving(FOUR, NINE, 2), plain(EIGHT, 3)));
    assertFalse(isTaken(plain(FOUR, 0), prepared(FOUR, EIGHT, 1)));
    assertFalse(isTaken(prepared(FOUR, EIGHT, 1), moving(FOUR, EIGHT, 2)));
  }

  @Test
  void request_ofTheNextVersion_isTakenIfThatIsStored() throws Exception {
    LayoutStamp region = moving(FOUR, EIGHT, 2);
    LayoutStamp finished = plain(EIGHT, 3);

    assertTrue(isTakenBeforeReopening(finished, region, finished));
    // A client from before the table was made anew.
    assertFalse(isTaken(finished, region));
    assertFalse(isTakenBeforeReopening(plain(FOUR, 3), region, finished));
    assertFalse(isTakenBeforeReopening(plain(EIGHT, 4), region, plain(EIGHT, 4)));
  }

  @Test
  void request_withoutDigests_isTakenByItsVersion() throws Exception {
    Get raw = new Get(Bytes.toBytes("row"));
    assertTrue(LayoutStamp.isTaken(raw, plain(FOUR, 3), () -> null));
    for (long version = 0; version < 6; version++) {
      Get older = new Get(Bytes.toBytes("row"));
      LayoutStamp.ofVersion(version).mark(older);
      boolean near = version >= 2 && version <= 4;
      assertEquals(near, LayoutStamp.isTaken(older, plain(FOUR, 3), () -> null));
      boolean next = version == 3 || version == 4;
      assertEquals(next, LayoutStamp.isTaken(older, moving(FOUR, EIGHT, 3), () -> null));
    }
  }

  private static Put put(long timestamp) {
    return new Put(NAME, timestamp).addColumn(NAME, NAME, NAME);
  }

  @Test
  void put_namesAStampByItsTimestampAlone() throws Exception {
    LayoutStamp client = moving(FOUR, EIGHT, 2);
    Put put = put(7);
    assertTrue(LayoutStamp.isRaw(put));
    client.mark(put);

    assertTrue(client.isNamedBy(put));
    assertEquals(-1, LayoutStamp.ahead(put, 3));
    assertEquals(Map.of(), put.getAttributesMap());
    assertEquals(7, put.get(NAME, NAME).get(0).getTimestamp());
    assertTrue(LayoutStamp.isTaken(put, plain(EIGHT, 3), () -> null));
    assertFalse(LayoutStamp.isTaken(put, plain(NINE, 3), () -> null));
    LayoutStamp.clear(put);
    assertEquals(HConstants.LATEST_TIMESTAMP, put.getTimestamp());
    assertTrue(LayoutStamp.isRaw(put));
  }

  /** Others may give cells that they add the timestamp of the Put, before the observer has it. */
  @Test
  void put_ofATableThatOthersSeeFirst_namesAStampByAnAttribute() throws Exception {
    CoprocessorDescriptor first =
        CoprocessorDescriptorBuilder.newBuilder(Guards.OBSERVER).setPriority(1001).build();
    CoprocessorDescriptor late = CoprocessorDescriptorBuilder.of(Guards.OBSERVER);
    CoprocessorDescriptor endpoint =
        CoprocessorDescriptorBuilder.of(
            "org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint");
    CoprocessorDescriptor other = CoprocessorDescriptorBuilder.of("com.example.Index");

    assertTrue(isPutsTimestamp(first));
    assertTrue(isPutsTimestamp(first, endpoint));
    assertFalse(isPutsTimestamp(first, other));
    assertFalse(isPutsTimestamp(late));
    assertFalse(isPutsTimestamp(endpoint));
    assertFalse(isPutsTimestamp());
  }

  private static boolean isPutsTimestamp(CoprocessorDescriptor... coprocessors) throws Exception {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .setValue("rowguard.layout", FOUR);
    for (CoprocessorDescriptor coprocessor : coprocessors) {
      table.setCoprocessor(coprocessor);
    }
    LayoutStamp stamp =
        LayoutStamp.of(TableConfig.ofClient(table.build(), new Configuration(false)));
    Put put = put(7);
    stamp.mark(put);
    boolean isTimestamp = put.getTimestamp() != 7;
    assertEquals(isTimestamp ? 0 : 1, put.getAttributesMap().size());
    assertTrue(stamp.isNamedBy(put));
    LayoutStamp.free(put);
    assertTrue(stamp.isNamedBy(put));
    assertEquals(isTimestamp ? HConstants.LATEST_TIMESTAMP : 7, put.getTimestamp());
    LayoutStamp.clear(put);
    assertTrue(LayoutStamp.isRaw(put));
    // Clients go on with what they have as long as it equals what they read.
    assertEquals(isTimestamp, stamp.equals(plain(FOUR, 0)));
    return isTimestamp;
  }

  /** A region asks once more where the layout changes, or its own stamp is another one. */
  @Test
  void settle_freesTheTimestampOfAPut() {
    for (LayoutStamp client : List.of(plain(FOUR, 3), moving(FOUR, EIGHT, 4))) {
      for (LayoutStamp region : List.of(plain(FOUR, 3), moving(FOUR, EIGHT, 4))) {
        Put put = put(7);
        client.mark(put);
        region.settle(put);
        assertEquals(HConstants.LATEST_TIMESTAMP, put.getTimestamp());
        boolean asksAgain = !client.equals(region) || region.version() == 4;
        assertEquals(asksAgain, client.isNamedBy(put));
        assertEquals(!asksAgain, LayoutStamp.isRaw(put));
        region.settle(put);
        assertEquals(asksAgain, client.isNamedBy(put));
      }
    }
    Put raw = put(7);
    plain(FOUR, 3).settle(raw);
    assertEquals(7, raw.getTimestamp());
    Get get = marked(plain(FOUR, 3));
    plain(FOUR, 3).settle(get);
    assertTrue(plain(FOUR, 3).isNamedBy(get));
  }

  @Test
  void put_withATimestampOfItsUsers_isRaw() throws Exception {
    List<Long> timestamps = new ArrayList<>(List.of(0L, 1L, Long.MAX_VALUE, Long.MAX_VALUE / 2));
    for (int bit = 0; bit < Long.SIZE - 1; bit++) {
      timestamps.add(1L << bit);
      timestamps.add((0x4L << 60) | (1L << bit));
    }
    for (long timestamp : timestamps) {
      Put put = put(timestamp);
      assertTrue(LayoutStamp.isRaw(put));
      assertTrue(LayoutStamp.isTaken(put, plain(FOUR, 3), () -> null));
      plain(FOUR, 3).settle(put);
      assertEquals(timestamp, put.getTimestamp());
    }
    assertTrue(LayoutStamp.isRaw(new Put(NAME, 0x4L << 60)));
  }

  @Test
  void request_ofAnUnknownForm_isRefused() throws Exception {
    for (byte[] other : List.of(new byte[0], new byte[8], new byte[16], Bytes.toBytes(-1L))) {
      for (OperationWithAttributes request : List.of(new Get(NAME), put(7))) {
        request.setAttribute("rowguard.v", other);
        assertFalse(LayoutStamp.isTaken(request, plain(FOUR, 0), () -> null));
        assertFalse(LayoutStamp.isRaw(request));
      }
    }
  }

  /** It has room for the lowest bits of a version. */
  @Test
  void ahead_ofAnyVersion_isTheDifference() throws Exception {
    for (long version : List.of(3L, 32_768L, 65_535L, 65_536L, 1_000_000_000L)) {
      for (int ahead = -3; ahead <= 3; ahead++) {
        Get get = new Get(NAME);
        LayoutStamp.ofVersion(version + ahead).mark(get);
        assertEquals(ahead, LayoutStamp.ahead(get, version));
        boolean near = Math.abs(ahead) <= 1;
        assertEquals(near, LayoutStamp.isTaken(get, plain(FOUR, version), () -> null));
      }
    }
    assertEquals(0, LayoutStamp.ahead(new Get(NAME), 3));
  }

  /** Clients and servers of different releases must agree. */
  @Test
  void mark_ofALayout_isWhatItAlwaysWas() {
    Get get = marked(moving(FOUR, EIGHT, 2));

    assertEquals("40002c9e3dda5de1", Bytes.toHex(get.getAttribute("rowguard.v")));
    LayoutStamp.clear(get);
    assertEquals(new ArrayList<>(), new ArrayList<>(get.getAttributesMap().keySet()));
    assertNotEquals(plain(FOUR, 0), plain(EIGHT, 0));
    assertNotEquals(plain(FOUR, 0), plain(FOUR, 1));
    assertEquals(plain(FOUR, 1).hashCode(), plain(FOUR, 1).hashCode());
    assertEquals(plain(FOUR, 1), plain(FOUR, 1));
  }
}
