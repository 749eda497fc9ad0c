package io.rowguard.observer.relayout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.testing.Eventually;
import io.rowguard.testing.MiniCluster;
import io.rowguard.testing.OpenRegions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.mob.MobUtils;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** All that is stored of a row, in memory and in files, next to rows that are not meant. */
@ExtendWith(MiniCluster.class)
class OldRowsIT {
  private static final byte[] ROW = Bytes.toBytes("b");
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] G = Bytes.toBytes("g");
  private static final byte[] MOB = Bytes.toBytes("mob");
  private static final byte[] TTL = Bytes.toBytes("ttl");
  private static final byte[] Q = Bytes.toBytes("q");

  /** In the year 2100. */
  private static final long FUTURE = 4_102_444_800_000L;

  private final HBaseTestingUtility hbase;
  private TableName name;
  private Table table;
  private HRegion region;
  private OldRows rows;

  OldRowsIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @BeforeEach
  void create(TestInfo test) throws IOException {
    name = TableName.valueOf("oldrows-" + test.getTestMethod().orElseThrow().getName());
    hbase
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(3).build())
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(G).setMaxVersions(3).build())
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(MOB)
                        .setMobEnabled(true)
                        .setMobThreshold(100)
                        .build())
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(TTL).setTimeToLive(3_600).build())
                .build());
    OpenRegions.await(hbase, name);
    table = hbase.getConnection().getTable(name);
    region = hbase.getMiniHBaseCluster().getRegions(name).get(0);
    rows = new OldRows(region, false);
    for (String neighbour : List.of("a", "b\0", "b0", "c")) {
      table.put(new Put(Bytes.toBytes(neighbour)).addColumn(F, Q, Bytes.toBytes("neighbour")));
    }
  }

  @AfterEach
  void drop() throws IOException {
    table.close();
    hbase.deleteTable(name);
  }

  @Test
  void read_allKinds_areThereWithTimestampsTypesAndTags() throws Exception {
    table.put(put(F, "a", 10, "v10"));
    table.put(put(F, "a", 20, "v20"));
    table.put(put(F, "b", 10, "w"));
    long now = System.currentTimeMillis();
    table.put(put(G, "c", now, "x").setTTL(TimeUnit.DAYS.toMillis(1)));
    region.flush(true);
    table.delete(new Delete(ROW).addColumn(F, Bytes.toBytes("a"), 20));
    table.delete(new Delete(ROW).addColumns(F, Bytes.toBytes("b"), 15));
    region.flush(true);
    table.delete(new Delete(ROW).addFamilyVersion(G, 5));
    table.delete(new Delete(ROW).addFamily(G, 3));
    table.put(put(F, "z", FUTURE, "future"));

    assertEquals(
        List.of(
            "f:a/20/Delete",
            "f:a/20/Put=v20",
            "f:a/10/Put=v10",
            "f:b/15/DeleteColumn",
            "f:b/10/Put=w",
            "f:z/" + FUTURE + "/Put=future",
            "g:/5/DeleteFamilyVersion",
            "g:/3/DeleteFamily",
            "g:c/" + now + "/Put=x with 11 bytes of tags"),
        read());
    assertFalse(rows.isEmpty(ROW));
  }

  /** More than the family keeps: a scan would show three of them. */
  @Test
  void read_moreVersionsThanAreKept_areAllThere() throws Exception {
    for (int i = 1; i <= 5; i++) {
      table.put(put(G, "q", i, "v" + i));
      region.flush(true);
    }

    assertEquals(
        List.of("g:q/5/Put=v5", "g:q/4/Put=v4", "g:q/3/Put=v3", "g:q/2/Put=v2", "g:q/1/Put=v1"),
        read());
  }

  /**
   * One edit cannot hold two cells of one key: the one that is read must be the one that counts.
   */
  @Test
  void read_oneTimestampTwice_isWhatWasWrittenLast() throws Exception {
    for (String value : List.of("first", "second", "third")) {
      table.put(put(F, "q", 10, value));
    }
    assertEquals(List.of("f:q/10/Put=third"), read());

    region.flush(true);
    table.put(put(F, "q", 10, "fourth"));
    region.flush(true);
    assertEquals(List.of("f:q/10/Put=fourth"), read());
  }

  @Test
  void read_manyCells_areAllThere() throws Exception {
    Put put = new Put(ROW);
    for (int i = 0; i < 2_500; i++) {
      put.addColumn(F, Bytes.toBytes(String.format("q%04d", i)), 7, Bytes.toBytes(i));
    }
    table.put(put);

    List<Cell> cells = CellCodec.read(rows.read(ROW, Integer.MAX_VALUE), ROW);

    assertEquals(2_500, cells.size());
    for (int i = 0; i < 2_500; i++) {
      assertArrayEquals(Bytes.toBytes(i), CellUtil.cloneValue(cells.get(i)));
    }
  }

  @Test
  void read_moreThanTheMost_isNull() throws Exception {
    table.put(put(F, "q", 10, "x".repeat(1_000)));
    int length = rows.read(ROW, Integer.MAX_VALUE).length;

    assertNotNull(rows.read(ROW, length));
    assertNull(rows.read(ROW, length - 1));
    assertNull(rows.read(ROW, 1));
  }

  /** The value itself, not the reference to a file that the old region may put away. */
  @Test
  void read_mobs_areTheirValues() throws Exception {
    String large = "x".repeat(5_000);
    long now = System.currentTimeMillis();
    table.put(put(MOB, "q", now, large).setTTL(TimeUnit.DAYS.toMillis(1)));
    table.put(put(MOB, "small", 10, "y"));
    region.flush(true);
    assertTrue(
        hbase
            .getTestFileSystem()
            .exists(MobUtils.getMobFamilyPath(hbase.getConfiguration(), name, "mob")));
    table.delete(new Delete(ROW).addColumns(MOB, Bytes.toBytes("small"), 15));

    assertEquals(
        List.of(
            "mob:q/" + now + "/Put=" + large + " with 11 bytes of tags",
            "mob:small/15/DeleteColumn",
            "mob:small/10/Put=y"),
        read());
  }

  @Test
  void isEmpty_nothingStored_isTrue() throws Exception {
    assertTrue(rows.isEmpty(ROW));
    assertEquals(List.of(), read());
  }

  /** Markers alone are no row; they stay where they are. */
  @Test
  void isEmpty_allDeleted_isTrue() throws Exception {
    table.put(put(F, "q", 10, "v"));
    table.put(put(G, "q", FUTURE, "v"));
    region.flush(true);
    table.delete(new Delete(ROW).addFamily(F, 10));
    assertFalse(rows.isEmpty(ROW));
    table.delete(new Delete(ROW).addFamily(G, FUTURE));

    assertTrue(rows.isEmpty(ROW));
    assertEquals(4, read().size());
  }

  /** By the family's time to live, which a raw scan passes by, and by the cell's own. */
  @Test
  void read_whatHasEnded_isLeftOut() throws Exception {
    long now = System.currentTimeMillis();
    table.put(put(TTL, "ended", now - 7_200_000, "v"));
    table.put(put(TTL, "q", now, "v"));
    table.put(put(F, "own", now - 10_000, "v").setTTL(1));
    table.delete(new Delete(ROW).addFamily(TTL, now - 7_200_000));

    assertEquals(List.of("ttl:q/" + now + "/Put=v"), read());
  }

  /**
   * Leftovers of an earlier pull, and cells that they hide, are not of the row; a user's marker is.
   */
  @Test
  void content_underALeftover_isLeftOut() throws Exception {
    table.put(put(F, "", 12, "v"));
    table.put(put(F, "a", 10, "v"));
    table.put(put(F, "b", 11, "v"));
    table.put(put(G, "a", 10, "v"));
    table.delete(new Delete(ROW).addFamily(F, 5).addFamily(G, 9));
    assertEquals(6, shown(rows.content(ROW, 1_000)).size());
    Delete left = new Delete(ROW).add(Leftovers.marker(ROW, F, 10));
    region.batchMutate(new Mutation[] {left});
    region.flush(true);

    assertEquals(
        List.of("f:/12/Put=v", "f:b/11/Put=v", "g:/9/DeleteFamily", "g:a/10/Put=v"),
        shown(rows.content(ROW, 1_000)));

    table.delete(new Delete(ROW).addFamily(F, FUTURE).addColumn(G, Bytes.toBytes("a"), 10));
    region.batchMutate(
        new Mutation[] {
          new Delete(ROW).add(Leftovers.marker(ROW, F, 12)).add(Leftovers.marker(ROW, G, 10))
        });
    assertEquals(List.of(), shown(rows.content(ROW, 1_000)));
  }

  /** As long as one older version shows, there is a row. */
  @Test
  void isEmpty_latestVersionDeleted_isFalse() throws Exception {
    table.put(put(F, "q", 10, "v10"));
    table.put(put(F, "q", 20, "v20"));
    table.delete(new Delete(ROW).addColumn(F, Q, 20));

    assertFalse(rows.isEmpty(ROW));
  }

  @Test
  void isEmpty_expired_isTrue() throws Exception {
    table.put(put(F, "q", System.currentTimeMillis(), "v").setTTL(1));

    Eventually.isTrue("the row has expired", () -> rows.isEmpty(ROW));
  }

  private static Put put(byte[] family, String qualifier, long timestamp, String value) {
    return new Put(ROW)
        .addColumn(family, Bytes.toBytes(qualifier), timestamp, Bytes.toBytes(value));
  }

  private List<String> read() throws IOException {
    return shown(rows.read(ROW, Integer.MAX_VALUE));
  }

  private static List<String> shown(byte[] cells) throws IOException {
    List<String> shown = new ArrayList<>();
    for (Cell cell : CellCodec.read(cells, ROW)) {
      shown.add(shown((KeyValue) cell));
    }
    return shown;
  }

  private static String shown(KeyValue cell) {
    assertArrayEquals(ROW, CellUtil.cloneRow(cell));
    return Bytes.toString(CellUtil.cloneFamily(cell))
        + ":"
        + Bytes.toString(CellUtil.cloneQualifier(cell))
        + "/"
        + cell.getTimestamp()
        + "/"
        + Arrays.stream(KeyValue.Type.values())
            .filter(type -> type.getCode() == cell.getTypeByte())
            .findFirst()
            .orElseThrow()
        + (cell.getValueLength() == 0 ? "" : "=" + Bytes.toString(CellUtil.cloneValue(cell)))
        + (cell.getTagsLength() == 0 ? "" : " with " + cell.getTagsLength() + " bytes of tags");
  }
}
