package io.rowguard.demo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class PlacesTest {
  private static final byte[] ROW = Bytes.toBytes("AD|02|03039154");

  @Test
  void hasNoAdmin_emptyPart_isTrue() {
    assertTrue(Places.hasNoAdmin(Bytes.toBytes("AQ||06696480")));
  }

  @Test
  void hasNoAdmin_fullPart_isFalse() {
    assertFalse(Places.hasNoAdmin(ROW));
    assertFalse(Places.hasNoAdmin(Bytes.toBytes("AD|02||3039154")));
    assertFalse(Places.hasNoAdmin(Bytes.toBytes("AD|")));
  }

  @Test
  void country_ofARow_isTheFirstPart() {
    assertEquals("AD", Places.country(ROW));
  }

  @Test
  void put_ofOneRow_isAlwaysTheSame() {
    assertArrayEquals(value(Places.put(ROW)), value(Places.put(ROW)));
  }

  private static byte[] value(Put put) {
    return CellUtil.cloneValue(put.getFamilyCellMap().get(DemoTable.FAMILY).get(0));
  }
}
