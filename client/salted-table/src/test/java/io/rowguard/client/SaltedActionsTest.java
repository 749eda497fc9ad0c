package io.rowguard.client;

import static io.rowguard.client.Tables.F;
import static io.rowguard.client.Tables.Q;
import static io.rowguard.client.Tables.bytes;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.SaltBuckets;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.visibility.Authorizations;
import org.apache.hadoop.hbase.security.visibility.CellVisibility;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Everything that an action says but its row is said of the stored row, too; no cluster. */
class SaltedActionsTest {
  private static final byte[] KEY = bytes("alice|0001");
  private static final byte[] ROW = Tables.complete("alice|0001");
  private static final SaltBuckets BUCKETS = SaltBuckets.of(RowkeyLayout.parse(Tables.LAYOUT));
  private static final TableName NAME = TableName.valueOf("t");
  private static final SaltedActions ACTIONS =
      new SaltedActions(NAME, BUCKETS, new FilterRules(NAME, Set.of()));

  static Stream<Mutation> mutations() throws IOException {
    return Stream.of(
        new Put(KEY, 77).addColumn(F, Q, 5, bytes("v")).addColumn(F, F, bytes("w")),
        new Delete(KEY, 77),
        new Delete(KEY, 77).addFamilyVersion(F, 3).addColumns(F, Q, 4).addFamily(Q, 9),
        new Append(KEY).addColumn(F, Q, bytes("v")).setTimeRange(3, 8).setReturnResults(false),
        new Increment(KEY).addColumn(F, Q, 7).setTimeRange(3, 8).setReturnResults(false));
  }

  @ParameterizedTest
  @MethodSource("mutations")
  void action_mutation_travelsWithAllThatItSays(Mutation given) throws IOException {
    given.setDurability(Durability.ASYNC_WAL);
    given.setPriority(7);
    if (!(given instanceof Delete)) {
      given.setTTL(1234);
    }
    given.setId("id");
    given.setCellVisibility(new CellVisibility("secret"));
    given.setACL("user", new Permission(Permission.Action.READ));
    given.setClusterIds(List.of(UUID.fromString("00000000-0000-0001-0000-000000000002")));
    given.setAttribute("own", bytes("x"));
    String before = given.toJSON();
    Mutation stored = (Mutation) ACTIONS.action(given);
    assertEquals(before, given.toJSON());
    assertEquals(given.getClass(), stored.getClass());
    assertArrayEquals(ROW, stored.getRow());
    assertEquals(given.getTimestamp(), stored.getTimestamp());
    assertEquals(Durability.ASYNC_WAL, stored.getDurability());
    assertEquals(7, stored.getPriority());
    assertEquals(given.getAttributesMap().keySet(), stored.getAttributesMap().keySet());
    given
        .getAttributesMap()
        .forEach((key, value) -> assertArrayEquals(value, stored.getAttribute(key), key));
    assertEquals(given.size(), stored.size());
    given.getFamilyCellMap().forEach((family, cells) -> sameCells(cells, stored, family));
    if (given instanceof Append append) {
      assertEquals(show(append.getTimeRange()), show(((Append) stored).getTimeRange()));
    } else if (given instanceof Increment increment) {
      assertEquals(show(increment.getTimeRange()), show(((Increment) stored).getTimeRange()));
    }
  }

  private static void sameCells(List<Cell> given, Mutation stored, byte[] family) {
    List<Cell> moved = stored.getFamilyCellMap().get(family);
    assertEquals(given.size(), moved.size());
    for (int i = 0; i < moved.size(); i++) {
      assertArrayEquals(ROW, CellUtil.cloneRow(moved.get(i)));
      sameButRow(given.get(i), moved.get(i));
    }
  }

  private static void sameButRow(Cell given, Cell moved) {
    assertArrayEquals(CellUtil.cloneFamily(given), CellUtil.cloneFamily(moved));
    assertArrayEquals(CellUtil.cloneQualifier(given), CellUtil.cloneQualifier(moved));
    assertArrayEquals(CellUtil.cloneValue(given), CellUtil.cloneValue(moved));
    assertEquals(given.getTimestamp(), moved.getTimestamp());
    assertEquals(given.getType(), moved.getType());
    assertArrayEquals(PrivateCellUtil.cloneTags(given), PrivateCellUtil.cloneTags(moved));
  }

  @Test
  void withRow_anyCell_changesTheRowOnly() {
    Random random = new Random(4);
    for (int i = 0; i < 500; i++) {
      byte[][] pieces = new byte[5][];
      for (int p = 0; p < pieces.length; p++) {
        pieces[p] = new byte[1 + random.nextInt(40)];
        random.nextBytes(pieces[p]);
      }
      List<Tag> tags = i % 2 == 0 ? List.of(new ArrayBackedTag((byte) 66, pieces[4])) : null;
      KeyValue whole =
          new KeyValue(
              pieces[0],
              pieces[1],
              pieces[2],
              random.nextInt(1 << 30),
              KeyValue.Type.Put,
              pieces[3],
              tags);
      whole.setSequenceId(i);
      // As a cell that lies somewhere in a larger buffer, as those that were received do.
      byte[] buffer = new byte[whole.getLength() + 20];
      System.arraycopy(whole.getBuffer(), whole.getOffset(), buffer, 7, whole.getLength());
      Cell given = i % 3 == 0 ? whole : new KeyValue(buffer, 7, whole.getLength());
      byte[] row = new byte[random.nextInt(200)];
      Cell moved = BareResults.withRow(given, row);
      assertArrayEquals(row, CellUtil.cloneRow(moved));
      sameButRow(given, moved);
      assertEquals(((KeyValue) given).getSequenceId(), ((KeyValue) moved).getSequenceId());
    }
  }

  @Test
  void get_allSettings_travel() throws IOException {
    Get given =
        new Get(KEY)
            .addFamily(F)
            .addColumn(Q, Q)
            .readVersions(5)
            .setTimeRange(3, 9)
            .setColumnFamilyTimeRange(F, 4, 6)
            .setMaxResultsPerColumnFamily(4)
            .setRowOffsetPerColumnFamily(2)
            .setCacheBlocks(false)
            .setCheckExistenceOnly(true)
            .setConsistency(Consistency.TIMELINE)
            .setIsolationLevel(IsolationLevel.READ_UNCOMMITTED)
            .setReplicaId(1)
            .setLoadColumnFamiliesOnDemand(true)
            .setFilter(new FirstKeyOnlyFilter())
            .setAuthorizations(new Authorizations("secret"))
            .setPriority(9)
            .setId("id");
    Get stored = ACTIONS.get(given);
    assertArrayEquals(ROW, stored.getRow());
    assertEquals(given.toJSON().replace("alice|0001", Bytes.toString(ROW)), stored.toJSON());
    assertEquals(Consistency.TIMELINE, stored.getConsistency());
    assertEquals(IsolationLevel.READ_UNCOMMITTED, stored.getIsolationLevel());
    assertEquals(1, stored.getReplicaId());
    assertEquals(true, stored.getLoadColumnFamiliesOnDemandValue());
    assertEquals(4, stored.getMaxResultsPerColumnFamily());
    assertEquals(2, stored.getRowOffsetPerColumnFamily());
    assertEquals("4 6", show(stored.getColumnFamilyTimeRange().get(F)));
    assertEquals(true, stored.isCheckExistenceOnly());
    assertEquals(given.getAttributesMap().keySet(), stored.getAttributesMap().keySet());
    assertEquals(9, stored.getPriority());
  }

  @Test
  void checkAndMutate_condition_travels() throws IOException {
    CheckAndMutate given =
        CheckAndMutate.newBuilder(KEY)
            .ifNotExists(F, Q)
            .timeRange(TimeRange.between(3, 5))
            .build(RowMutations.of(List.of(new Delete(KEY, 4))));
    CheckAndMutate stored = ACTIONS.checkAndMutate(given);
    assertArrayEquals(ROW, stored.getRow());
    assertArrayEquals(ROW, stored.getAction().getRow());
    assertArrayEquals(F, stored.getFamily());
    assertArrayEquals(Q, stored.getQualifier());
    assertEquals(given.getCompareOp(), stored.getCompareOp());
    assertEquals(given.getValue(), stored.getValue());
    assertEquals("3 5", show(stored.getTimeRange()));
  }

  /** It has no equals. */
  private static String show(TimeRange range) {
    return range.getMin() + " " + range.getMax();
  }

  @Test
  void action_unknownKind_isRefused() {
    Row unknown =
        (Row)
            Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Row.class}, (row, m, args) -> KEY);
    DoNotRetryIOException e =
        assertThrows(DoNotRetryIOException.class, () -> ACTIONS.action(unknown));
    assertEquals(true, e.getMessage().contains("does not know this kind of action"));
  }
}
