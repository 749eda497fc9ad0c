package io.rowguard.client;

import static io.rowguard.client.Tables.F;
import static io.rowguard.client.Tables.Q;
import static io.rowguard.client.Tables.bytes;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.SaltBuckets;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which filters travel, which are translated, and which are refused; no cluster. */
class FilterTranslatorTest {
  private static final SaltBuckets BUCKETS = SaltBuckets.of(RowkeyLayout.parse(Tables.LAYOUT));
  private static final FilterRules RULES = new FilterRules(TableName.valueOf("t"), Set.of());
  private static final byte[] KEY = bytes("alice|0001");
  private static final String ROW = Bytes.toString(Tables.complete("alice|0001"));

  /** A filter of a user's own. */
  static class OwnFilter extends FilterBase {
    @Override
    public ReturnCode filterCell(Cell cell) {
      return ReturnCode.INCLUDE;
    }
  }

  /** Of one of the buckets among which writers choose. */
  private static FilterTranslator ofChosen() {
    SaltBuckets buckets =
        SaltBuckets.of(RowkeyLayout.parse("{salt:digits(1)=any of 4}-{user:word}"));
    return RULES.ofOneStream(buckets.bucketOfRow(bytes("3-alice")));
  }

  @Test
  void translate_writersChoose_takesWhatJudgesCellsByRowAndColumn() throws IOException {
    Filter columns =
        new FilterList(
            FilterList.Operator.MUST_PASS_ONE,
            new ColumnPrefixFilter(Q),
            new FilterList(new PrefixFilter(bytes("al")), new KeyOnlyFilter()));
    FilterList translated = (FilterList) ofChosen().translate(columns);
    FilterList inner = (FilterList) translated.getFilters().get(1);
    assertEquals("3-al", Bytes.toString(((PrefixFilter) inner.getFilters().get(0)).getPrefix()));
    assertTrue(FilterTranslator.givesFirstCells(new FirstKeyOnlyFilter()));
    Filter first = new FilterList(new PrefixFilter(bytes("al")), new FirstKeyOnlyFilter());
    assertTrue(FilterTranslator.givesFirstCells(first));
    assertEquals(2, ((FilterList) ofChosen().translate(first)).getFilters().size());
    assertFalse(FilterTranslator.givesFirstCells(columns));
    assertFalse(FilterTranslator.givesFirstCells(null));
  }

  static Stream<Filter> refusedWhereWritersChoose() {
    return Stream.of(
        new SingleColumnValueFilter(F, Q, CompareOperator.EQUAL, Q),
        new TimestampsFilter(List.of(1L)),
        new SkipFilter(new ColumnPrefixFilter(Q)),
        new ColumnCountGetFilter(2),
        new FilterList(new ColumnPrefixFilter(Q), new FirstKeyOnlyFilter()),
        new FilterList(FilterList.Operator.MUST_PASS_ONE, new FirstKeyOnlyFilter()));
  }

  @ParameterizedTest
  @MethodSource("refusedWhereWritersChoose")
  void translate_writersChoose_refusesWhatNeedsTheWholeRow(Filter filter) {
    DoNotRetryIOException e =
        assertThrows(DoNotRetryIOException.class, () -> ofChosen().translate(filter));
    assertTrue(e.getMessage().contains("writers choose the bucket"), e.getMessage());
  }

  private static FilterTranslator translator() {
    return RULES.ofOneOfMany(BUCKETS.bucketOf(KEY));
  }

  static Stream<Filter> refused() {
    return Stream.of(
        new OwnFilter(),
        new FuzzyRowFilter(List.of(new Pair<>(KEY, new byte[KEY.length]))),
        new RowFilter(CompareOperator.EQUAL, new RegexStringComparator("a.*")),
        new RowFilter(CompareOperator.EQUAL, new SubstringComparator("a")),
        new WhileMatchFilter(new FirstKeyOnlyFilter()),
        new ColumnCountGetFilter(2),
        new PageFilter(2),
        new SkipFilter(new PageFilter(2)),
        new FilterList(
            FilterList.Operator.MUST_PASS_ONE, new FirstKeyOnlyFilter(), new OwnFilter()),
        new PrefixFilter(KEY) {
          @Override
          public boolean filterRow() {
            return true;
          }
        });
  }

  @ParameterizedTest
  @MethodSource("refused")
  void translate_filterThatWouldSeeTheSalt_isRefused(Filter filter) {
    DoNotRetryIOException e =
        assertThrows(DoNotRetryIOException.class, () -> translator().translate(filter));
    assertTrue(e.getMessage().startsWith("This filter cannot be used through a SaltedTable: "));
    assertTrue(e.getMessage().contains(" table=t filter="), e.getMessage());
  }

  static Stream<Filter> travelling() {
    return Stream.of(
        new FirstKeyOnlyFilter(),
        new ColumnPrefixFilter(Q),
        new SingleColumnValueFilter(F, Q, CompareOperator.EQUAL, Q),
        new RowFilter(CompareOperator.NO_OP, null));
  }

  @ParameterizedTest
  @MethodSource("travelling")
  void translate_filterOfColumns_travelsAsItIs(Filter filter) throws IOException {
    assertSame(filter, translator().translate(filter));
  }

  @Test
  void translate_filtersOfRows_speakOfSaltedRows() throws IOException {
    PrefixFilter prefix = (PrefixFilter) translator().translate(new PrefixFilter(bytes("ali")));
    assertEquals(ROW.substring(0, 6), Bytes.toString(prefix.getPrefix()));
    InclusiveStopFilter stop =
        (InclusiveStopFilter) translator().translate(new InclusiveStopFilter(KEY));
    assertEquals(ROW, Bytes.toString(stop.getStopRowKey()));
    for (RowFilter filter :
        new RowFilter[] {
          new RowFilter(CompareOperator.LESS, new BinaryComparator(KEY)),
          new RowFilter(CompareOperator.LESS, new BinaryPrefixComparator(KEY))
        }) {
      RowFilter row = (RowFilter) translator().translate(filter);
      assertEquals(ROW, Bytes.toString(row.getComparator().getValue()));
      assertSame(filter.getComparator().getClass(), row.getComparator().getClass());
      assertEquals(CompareOperator.LESS, row.getCompareOperator());
    }
    List<RowRange> given = new ArrayList<>(List.of(new RowRange(KEY, false, new byte[0], false)));
    MultiRowRangeFilter ranges =
        (MultiRowRangeFilter) translator().translate(new MultiRowRangeFilter(given));
    assertEquals(ROW, Bytes.toString(ranges.getRowRanges().get(0).getStartRow()));
    assertEquals(0, ranges.getRowRanges().get(0).getStopRow().length);
  }

  static Stream<Filter> translated() {
    return Stream.of(
        new PrefixFilter(KEY),
        new InclusiveStopFilter(KEY),
        new RowFilter(CompareOperator.LESS, new BinaryComparator(KEY)),
        new RowFilter(CompareOperator.LESS, new BinaryPrefixComparator(KEY)),
        new MultiRowRangeFilter(
            new ArrayList<>(List.of(new RowRange(KEY, true, new byte[0], false)))),
        new SkipFilter(new FirstKeyOnlyFilter()),
        new WhileMatchFilter(new FirstKeyOnlyFilter()),
        new FilterList(),
        new FilterList(new FilterList(new PrefixFilter(KEY)), new FirstKeyOnlyFilter()));
  }

  /** HBase puts only filters of one direction into one list, and asks the list for its own. */
  @ParameterizedTest
  @MethodSource("translated")
  void translate_reversedFilter_staysReversedAlsoInAList(Filter filter) throws IOException {
    filter.setReversed(true);
    Filter travelling = new FirstKeyOnlyFilter();
    travelling.setReversed(true);
    // The list itself is never told, as HBase's constructor tells but one half of it.
    FilterList list = new FilterList(FilterList.Operator.MUST_PASS_ONE, filter, travelling);
    FilterTranslator one = RULES.ofOneStream(BUCKETS.bucketOf(KEY));
    FilterList salted = (FilterList) one.translate(list);
    assertTrue(salted.isReversed());
    assertEquals(2, salted.getFilters().stream().filter(Filter::isReversed).count());
    assertSame(travelling, salted.getFilters().get(1));
    assertTrue(filter.isReversed());
    filter.setReversed(false);
    assertFalse(one.translate(filter).isReversed());
  }

  @Test
  void translate_oneStream_takesFiltersThatCountOrEnd() throws IOException {
    FilterTranslator one = RULES.ofOneStream(BUCKETS.bucketOf(KEY));
    Filter page = new PageFilter(2);
    assertSame(page, one.translate(page));
    WhileMatchFilter whileMatch =
        (WhileMatchFilter) one.translate(new WhileMatchFilter(new PrefixFilter(KEY)));
    assertEquals(ROW, Bytes.toString(((PrefixFilter) whileMatch.getFilter()).getPrefix()));
    Filter own = new OwnFilter();
    assertThrows(DoNotRetryIOException.class, () -> one.translate(own));
  }

  @Test
  void translate_ownFilterThatIsTrusted_travels() throws IOException {
    FilterRules rules = new FilterRules(TableName.valueOf("t"), Set.of(OwnFilter.class.getName()));
    Filter own = new OwnFilter();
    assertSame(own, rules.ofOneOfMany(BUCKETS.bucketOf(KEY)).translate(own));
  }

  @Test
  void plan_pageFilters_becomeTheLimitOfAllBuckets() throws IOException {
    Filter first = new FirstKeyOnlyFilter();
    ScanPlan plan =
        plan(new Scan().setFilter(new FilterList(new PageFilter(7), first)).setLimit(9));
    assertEquals(7, plan.limit());
    assertEquals(16, plan.subScans().size());
    FilterList left = (FilterList) plan.subScans().get(0).scan().getFilter();
    assertEquals(List.of(first), left.getFilters());
    plan = plan(new Scan().setFilter(new PageFilter(7)).setLimit(3));
    assertEquals(3, plan.limit());
    assertNull(plan.subScans().get(0).scan().getFilter());
    assertEquals(-1, plan(new Scan().setFilter(first)).limit());
  }

  @Test
  void plan_pageFilterAmongReversedOnes_leavesTheOthersReversed() throws IOException {
    FilterList list =
        new FilterList(
            new FilterList(new PageFilter(7), new PrefixFilter(KEY)), new FirstKeyOnlyFilter());
    list.setReversed(true);
    ScanPlan plan = plan(new Scan().setReversed(true).setFilter(list));
    assertEquals(7, plan.limit());
    FilterList left = (FilterList) plan.subScans().get(0).scan().getFilter();
    assertTrue(left.isReversed());
    assertTrue(left.getFilters().get(0).isReversed());
  }

  @Test
  void plan_filterFixesTheSalt_isOneBucket() throws IOException {
    Filter row = new RowFilter(CompareOperator.EQUAL, new BinaryComparator(KEY));
    assertEquals(
        1, plan(new Scan().setFilter(new PrefixFilter(bytes("alice|")))).subScans().size());
    assertEquals(1, plan(new Scan().setFilter(row)).subScans().size());
    assertEquals(
        1,
        plan(new Scan().setFilter(new FilterList(new FirstKeyOnlyFilter(), row)))
            .subScans()
            .size());
    FilterList either = new FilterList(FilterList.Operator.MUST_PASS_ONE, row, row);
    assertEquals(16, plan(new Scan().setFilter(either)).subScans().size());
  }

  @Test
  void plan_filterThatEndsTheScan_seesTheRowsBeforeThoseOfAnother() throws IOException {
    Scan group = new Scan().withStartRow(bytes("alice|")).withStopRow(bytes("alice}"));
    Filter narrow = new PrefixFilter(bytes("alice|05"));
    Filter ends = new WhileMatchFilter(new PrefixFilter(bytes("alice|0")));
    byte[] first = plan(group).subScans().get(0).scan().getStartRow();
    Scan ended = new Scan(group).setFilter(new FilterList(ends, narrow));
    assertArrayEquals(first, plan(ended).subScans().get(0).scan().getStartRow());
    Scan narrowed = new Scan(group).setFilter(new FilterList(narrow));
    assertTrue(Bytes.compareTo(first, plan(narrowed).subScans().get(0).scan().getStartRow()) < 0);
  }

  static Stream<Filter> withHints() {
    byte[] b = bytes("b");
    Filter prefix = new ColumnPrefixFilter(b);
    return Stream.of(
        prefix,
        new ColumnRangeFilter(b, true, bytes("c"), false),
        new ColumnRangeFilter(b, false, bytes("c"), true),
        new ColumnRangeFilter(null, false, b, true),
        new ColumnRangeFilter(b, false, null, false),
        new ColumnRangeFilter(null, true, null, true),
        new MultipleColumnPrefixFilter(new byte[][] {b, bytes("d")}),
        new MultipleColumnPrefixFilter(new byte[0][]),
        new SkipFilter(prefix),
        new FilterList(new KeyOnlyFilter(), new FilterList(prefix)));
  }

  @ParameterizedTest
  @MethodSource("withHints")
  void plan_reversed_passesTheSameCellsWithoutHints(Filter filter) throws IOException {
    Scan scan = new Scan().setReversed(true).setFilter(filter);
    Filter other = plan(scan).subScans().get(0).scan().getFilter();
    for (String column : List.of("", "a", "b", "ba", "bb", "c", "ca", "d", "e")) {
      Cell cell = new KeyValue(KEY, F, bytes(column), Q);
      filter.reset();
      other.reset();
      Filter.ReturnCode code = other.filterCell(cell);
      assertEquals(
          filter.filterCell(cell).toString().startsWith("INCLUDE"),
          code.toString().startsWith("INCLUDE"),
          column);
      assertNotEquals(Filter.ReturnCode.SEEK_NEXT_USING_HINT, code, column);
    }
    assertSame(filter, scan.getFilter());
  }

  @Test
  void plan_anyScan_leavesItAsItWas() throws IOException {
    Scan scan = new Scan().setFilter(new PageFilter(7)).withStartRow(KEY, false).setLimit(9);
    String before = scan.toJSON();
    ScanPlan plan = plan(scan);
    assertEquals(before, scan.toJSON());
    assertEquals(false, plan.subScans().get(0).scan().includeStartRow());
  }

  private static ScanPlan plan(Scan scan) throws IOException {
    return ScanPlan.of(scan, LayoutSide.byHand(BUCKETS.layout()), RULES, 256);
  }
}
