package io.rowguard.client;

import static io.rowguard.client.Tables.F;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** Random filters that a SaltedTable takes. */
final class RandomFilters {
  private final Random random;
  private final RandomActions actions;

  RandomFilters(Random random, RandomActions actions) {
    this.random = random;
    this.actions = actions;
  }

  Filter ofScans() {
    switch (random.nextInt(6)) {
      case 0:
        return new PageFilter(1 + random.nextInt(9));
      case 1:
        return ranges();
      case 2:
        return ofCells();
      default:
        return ofRows(2);
    }
  }

  /** Whether it is a PrefixFilter, or a list with one in it. */
  static boolean looksForPrefix(Filter filter) {
    if (filter instanceof FilterList list) {
      return list.getFilters().stream().anyMatch(RandomFilters::looksForPrefix);
    }
    return filter instanceof PrefixFilter;
  }

  /** Whether it names the next column that it wants to see; lists of this class have no such. */
  static boolean seeksColumns(Filter filter) {
    return filter instanceof ColumnPrefixFilter || filter instanceof ColumnRangeFilter;
  }

  private Filter ranges() {
    List<RowRange> ranges = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(3); i++) {
      byte[] a = actions.bound();
      byte[] b = actions.bound();
      boolean swap = Bytes.compareTo(a, b) > 0;
      ranges.add(new RowRange(swap ? b : a, true, swap ? a : b, true));
    }
    return new MultiRowRangeFilter(ranges);
  }

  /** Filters that let a row through or not. */
  Filter ofRows(int depth) {
    if (depth > 0 && actions.oneIn(3)) {
      List<Filter> filters = new ArrayList<>();
      for (int i = 0; i <= random.nextInt(3); i++) {
        filters.add(ofRows(depth - 1));
      }
      boolean all = random.nextBoolean();
      return new FilterList(
          all ? FilterList.Operator.MUST_PASS_ALL : FilterList.Operator.MUST_PASS_ONE, filters);
    }
    switch (random.nextInt(6)) {
      case 0:
        byte[] row = actions.row();
        return new PrefixFilter(Bytes.head(row, 1 + random.nextInt(row.length)));
      case 1:
        return new InclusiveStopFilter(actions.bound());
      case 2:
        return new RowFilter(operator(), new BinaryComparator(actions.bound()));
      case 3:
        return new RowFilter(operator(), new BinaryPrefixComparator(actions.bound()));
      case 4:
        return new SkipFilter(
            new ValueFilter(CompareOperator.NOT_EQUAL, new BinaryComparator(actions.value())));
      default:
        SingleColumnValueFilter column =
            new SingleColumnValueFilter(F, actions.qualifier(), operator(), actions.value());
        column.setFilterIfMissing(random.nextBoolean());
        return column;
    }
  }

  /** Filters that choose cells. */
  Filter ofCells() {
    switch (random.nextInt(8)) {
      case 0:
        return new FirstKeyOnlyFilter();
      case 1:
        return new KeyOnlyFilter(random.nextBoolean());
      case 2:
        return new ColumnPrefixFilter(Bytes.toBytes("b"));
      case 3:
        return new QualifierFilter(operator(), new BinaryComparator(actions.qualifier()));
      case 4:
        return new ValueFilter(operator(), new RegexStringComparator("v[123]"));
      case 5:
        return new ColumnRangeFilter(
            Bytes.toBytes("a"), random.nextBoolean(), Bytes.toBytes("ba"), true);
      case 6:
        return new ColumnPaginationFilter(1 + random.nextInt(2), random.nextInt(2));
      default:
        return new TimestampsFilter(
            Arrays.asList(actions.time(), actions.time(), actions.time(), actions.now()));
    }
  }

  private CompareOperator operator() {
    CompareOperator[] all = CompareOperator.values();
    CompareOperator one = all[random.nextInt(all.length)];
    return one == CompareOperator.NO_OP ? CompareOperator.EQUAL : one;
  }
}
