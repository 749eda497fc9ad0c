package io.rowguard.readdressing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.RawCell;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLoadStats;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.visibility.Authorizations;
import org.apache.hadoop.hbase.security.visibility.CellVisibility;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Everything that actions and results say but their row is said of the other row, too. */
class ReaddressedActionTest {
  private static final byte[] KEY = Bytes.toBytes("alice|0001");
  private static final byte[] ROW = Bytes.toBytes("13-alice|0001");
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final byte[] V = Bytes.toBytes("v");
  private static final Filter FILTER = new ColumnPrefixFilter(Q);

  /**
   * Nothing that an example could say with another value, or that a copy is made of: the metrics
   * that HBase 3.0 counts for a query when asked to, a copy does without.
   */
  private static final Map<String, Set<String>> ALWAYS_THE_SAME =
      Map.of(
          "Get", Set.of("isClosestRowBefore", "isQueryMetricsEnabled"), // the former sets nothing
          "Delete", Set.of("getTTL"), // its setter throws
          "CheckAndMutate", Set.of("isQueryMetricsEnabled"),
          "CheckAndMutateResult", Set.of("getMetrics"),
          // None of the others has a row.
          "Result", Set.of("getMetrics", "isEmpty", "isCursor", "getCursor"));

  /** Two actions of each kind: one with as few properties as possible, one with all of them. */
  static Stream<List<?>> examples() throws IOException {
    return Stream.of(
        List.of(new Get(KEY), get()),
        List.of(new Put(KEY), said(new Put(KEY, 77).addColumn(F, Q, 5, V).add(tagged()))),
        List.of(new Delete(KEY), said(new Delete(KEY, 77).addFamilyVersion(F, 3).addColumns(Q, Q))),
        List.of(
            new Append(KEY),
            said(new Append(KEY).setTimestamp(7).addColumn(F, Q, V).setTimeRange(3, 8))),
        List.of(
            new Increment(KEY),
            said(new Increment(KEY).setTimestamp(7).addColumn(F, Q, 7).setTimeRange(3, 8))),
        List.of(new RowMutations(KEY), RowMutations.of(List.of(put(), new Delete(KEY, 4), put()))),
        checks(),
        results(),
        List.of(
            new CheckAndMutateResult(true, null),
            new CheckAndMutateResult(false, results().get(1))));
  }

  private static Get get() throws IOException {
    return new Get(KEY)
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
        .setFilter(FILTER)
        .setAuthorizations(new Authorizations("secret"))
        .setACL("user", new Permission(Permission.Action.READ))
        .setPriority(9)
        .setId("id")
        .setAttribute("own", V);
  }

  private static Mutation put() {
    return new Put(KEY).addColumn(F, Q, 6, V).setPriority(7);
  }

  private static Mutation said(Mutation mutation) {
    mutation.setDurability(Durability.ASYNC_WAL);
    mutation.setPriority(7);
    if (!(mutation instanceof Delete)) {
      mutation.setTTL(1234);
    }
    if (mutation instanceof Append append) {
      append.setReturnResults(false);
    } else if (mutation instanceof Increment increment) {
      increment.setReturnResults(false);
    }
    mutation.setId("id");
    mutation.setCellVisibility(new CellVisibility("secret"));
    mutation.setACL("user", new Permission(Permission.Action.READ));
    mutation.setClusterIds(List.of(UUID.fromString("00000000-0000-0001-0000-000000000002")));
    mutation.setAttribute("own", V);
    return mutation;
  }

  private static List<CheckAndMutate> checks() throws IOException {
    return List.of(
        CheckAndMutate.newBuilder(KEY)
            .ifNotExists(F, Q)
            .timeRange(TimeRange.between(3, 5))
            .build(RowMutations.of(List.of(new Delete(KEY, 4)))),
        CheckAndMutate.newBuilder(KEY).ifMatches(FILTER).build((Put) put()),
        CheckAndMutate.newBuilder(KEY)
            .ifMatches(Q, F, CompareOperator.LESS, V)
            .build(new Delete(KEY, 4)),
        CheckAndMutate.newBuilder(KEY).ifEquals(F, Q, V).build(new Append(KEY).addColumn(F, Q, V)),
        CheckAndMutate.newBuilder(KEY).ifEquals(F, Q, V).build(new Increment(KEY)));
  }

  private static List<Result> results() {
    Result full =
        Result.create(new Cell[] {tagged(), new KeyValue(KEY, Q, F, 3, V)}, null, true, true);
    full.setExists(true);
    full.setStatistics(new RegionLoadStats(3, 4, 5));
    return List.of(Result.create(new Cell[] {new KeyValue(KEY, F, F, 9, F)}), full);
  }

  private static KeyValue tagged() {
    KeyValue cell =
        new KeyValue(
            KEY,
            F,
            Q,
            8,
            KeyValue.Type.Put,
            V,
            List.of(new ArrayBackedTag(TagType.TTL_TAG_TYPE, Bytes.toBytes(1234L))));
    cell.setSequenceId(99);
    return cell;
  }

  private static Object readdressed(Object given) throws IOException {
    if (given instanceof Get get) {
      return ReaddressedAction.get(get, ROW, get.getFilter());
    }
    if (given instanceof Mutation mutation) {
      return ReaddressedAction.mutation(mutation, ROW);
    }
    if (given instanceof RowMutations mutations) {
      return ReaddressedAction.rowMutations(mutations, ROW);
    }
    return given instanceof CheckAndMutate check
        ? ReaddressedAction.checkAndMutate(check, ROW, check.getFilter())
        : ReaddressedResult.of(given, ROW);
  }

  @ParameterizedTest
  @MethodSource("examples")
  void readdressed_anyKind_saysTheSameOfTheOtherRow(List<?> examples) throws Exception {
    for (Object given : examples) {
      Map<String, String> before = PublicProperties.of(given);
      Object moved = readdressed(given);
      assertEquals(before, PublicProperties.of(moved));
      assertRow(ROW, moved);
      assertEquals(before, PublicProperties.of(given));
      assertRow(KEY, given);
    }
  }

  /** Ensures that the test above sees a property that is left out, such as a new one of HBase's. */
  @ParameterizedTest
  @MethodSource("examples")
  void examples_ofAKind_differInEveryProperty(List<?> examples) throws Exception {
    Map<String, Set<String>> values = new TreeMap<>();
    for (Object example : examples) {
      PublicProperties.of(example)
          .forEach((name, value) -> values.computeIfAbsent(name, n -> new HashSet<>()).add(value));
    }
    Set<String> same = new HashSet<>(values.keySet());
    same.removeIf(name -> values.get(name).size() > 1);
    Set<String> expected =
        new HashSet<>(
            ALWAYS_THE_SAME.getOrDefault(examples.get(0).getClass().getSimpleName(), Set.of()));
    expected.add("class");
    expected.retainAll(values.keySet()); // not all of them are there in every release of HBase
    assertEquals(expected, same, "give an example another value of these");
  }

  /** Fails unless the object and everything in it is of one row. */
  private static void assertRow(byte[] row, Object object) {
    List<Cell> cells = new ArrayList<>();
    if (object instanceof Row action) {
      assertArrayEquals(row, action.getRow());
    }
    if (object instanceof Mutation mutation) {
      mutation.getFamilyCellMap().values().forEach(cells::addAll);
    } else if (object instanceof RowMutations mutations) {
      mutations.getMutations().forEach(mutation -> assertRow(row, mutation));
    } else if (object instanceof CheckAndMutate check) {
      assertRow(row, check.getAction());
    } else if (object instanceof CheckAndMutateResult result && result.getResult() != null) {
      assertRow(row, result.getResult());
    } else if (object instanceof Result result) {
      cells.addAll(List.of(result.rawCells()));
    }
    cells.forEach(cell -> assertArrayEquals(row, CellUtil.cloneRow(cell)));
  }

  @Test
  void filter_ofTheCaller_takesThePlaceOfTheGivenOne() throws IOException {
    Filter translated = new KeyOnlyFilter();
    assertSame(translated, ReaddressedAction.get(get(), ROW, translated).getFilter());
    assertNull(ReaddressedAction.get(get(), ROW, null).getFilter());
    for (CheckAndMutate check : checks()) {
      CheckAndMutate moved = ReaddressedAction.checkAndMutate(check, ROW, translated);
      assertSame(check.hasFilter() ? translated : null, moved.getFilter());
    }
  }

  @Test
  void withoutTags_mutation_saysEverythingElse() throws Exception {
    for (Object given : List.of(said(new Put(KEY, 77).add(tagged())), said(new Delete(KEY, 77)))) {
      Mutation moved = ReaddressedAction.withoutTags((Mutation) given, ROW);
      assertRow(ROW, moved);
      for (List<Cell> cells : moved.getFamilyCellMap().values()) {
        cells.forEach(cell -> assertEquals(0, ((RawCell) cell).cloneTags().length));
      }
      Map<String, String> expected = PublicProperties.of(given);
      Map<String, String> actual = PublicProperties.of(moved);
      expected.remove("getFamilyCellMap");
      actual.remove("getFamilyCellMap");
      assertEquals(expected, actual);
    }
  }

  @Test
  void result_withoutCellsOrNone_isGivenBack() {
    Result exists = Result.create(new Cell[0], true, false);
    assertSame(exists, ReaddressedResult.of(exists, ROW));
    assertNull(ReaddressedResult.of((Result) null, ROW));
    IOException failure = new IOException("x");
    assertSame(failure, ReaddressedResult.of((Object) failure, ROW));
    assertTrue(
        ((CheckAndMutateResult)
                ReaddressedResult.of((Object) new CheckAndMutateResult(true, null), ROW))
            .isSuccess());
  }
}
