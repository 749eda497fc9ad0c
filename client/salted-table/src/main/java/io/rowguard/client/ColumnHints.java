package io.rowguard.client;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;

/**
 * Replaces filters that name the next column by others that pass the same cells: with hints a
 * reversed scan may never end, and keep a handler of the server (HBASE-29974, in 2.5.16, 2.6.6 and
 * 3.0.0). Through buckets it would keep one in each.
 *
 * <p>Of prefixes of which one begins with another, HBase's own filter misses cells of the shorter.
 */
final class ColumnHints {
  private ColumnHints() {}

  /** The filter without hints; the same object where it has none. */
  static Filter without(Filter filter) {
    Filter other = replaced(filter);
    if (other != filter) {
      other.setReversed(filter.isReversed());
    }
    return other;
  }

  private static Filter replaced(Filter filter) {
    Class<?> type = filter.getClass();
    if (type == ColumnPrefixFilter.class) {
      return ofPrefix(((ColumnPrefixFilter) filter).getPrefix());
    }
    if (type == MultipleColumnPrefixFilter.class) {
      return ofPrefixes(((MultipleColumnPrefixFilter) filter).getPrefix());
    }
    if (type == ColumnRangeFilter.class) {
      return ofRange((ColumnRangeFilter) filter);
    }
    if (type == SkipFilter.class) {
      Filter inner = ((SkipFilter) filter).getFilter();
      Filter other = without(inner);
      return other == inner ? filter : new SkipFilter(other);
    }
    if (type == WhileMatchFilter.class) {
      Filter inner = ((WhileMatchFilter) filter).getFilter();
      Filter other = without(inner);
      return other == inner ? filter : new WhileMatchFilter(other);
    }
    if (type == FilterList.class) {
      FilterList list = (FilterList) filter;
      List<Filter> others = new ArrayList<>();
      list.getFilters().forEach(each -> others.add(without(each)));
      return others.equals(list.getFilters()) ? filter : FilterTranslator.listOf(list, others);
    }
    return filter;
  }

  private static Filter ofPrefix(byte[] prefix) {
    return new QualifierFilter(CompareOperator.EQUAL, new BinaryPrefixComparator(prefix));
  }

  /** Without prefixes HBase's filter passes every cell, as an empty one does. */
  private static Filter ofPrefixes(byte[][] prefixes) {
    if (prefixes.length == 0) {
      return ofPrefix(new byte[0]);
    }
    List<Filter> each = new ArrayList<>();
    for (byte[] prefix : prefixes) {
      each.add(ofPrefix(prefix));
    }
    return new FilterList(FilterList.Operator.MUST_PASS_ONE, each);
  }

  private static Filter ofRange(ColumnRangeFilter range) {
    List<Filter> bounds = new ArrayList<>();
    if (range.getMinColumn() != null) {
      bounds.add(
          new QualifierFilter(
              range.getMinColumnInclusive()
                  ? CompareOperator.GREATER_OR_EQUAL
                  : CompareOperator.GREATER,
              new BinaryComparator(range.getMinColumn())));
    }
    if (range.getMaxColumn() != null) {
      bounds.add(
          new QualifierFilter(
              range.getMaxColumnInclusive() ? CompareOperator.LESS_OR_EQUAL : CompareOperator.LESS,
              new BinaryComparator(range.getMaxColumn())));
    }
    return bounds.isEmpty()
        ? ofPrefix(new byte[0])
        : new FilterList(FilterList.Operator.MUST_PASS_ALL, bounds);
  }
}
