package io.rowguard.observer.decide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.junit.jupiter.api.Test;

/** Mutations of bare keys that cannot travel, beside those that SaltModeIT sends. */
class SaltObstaclesTest {
  private static final byte[] ROW = {'a'};

  /** HBase's client would refuse all rows that travel with it. */
  @Test
  void obstacle_putWithoutCells_isOne() {
    assertEquals(
        "A Put without cells is not forwarded: HBase's client would not send it.",
        SaltObstacles.obstacle(new Put(ROW)));
    assertNull(SaltObstacles.obstacle(new Put(ROW).addColumn(ROW, ROW, ROW)));
    assertNull(SaltObstacles.obstacle(new Delete(ROW)));
  }
}
