package io.rowguard.client;

import io.rowguard.layout.SaltBucket;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;

/**
 * Makes of a filter on bare keys one that says the same of the salted rows of a bucket. A filter of
 * which that cannot be said for certain is refused: a wrong one would lose rows silently.
 *
 * <p>Comparing rows with a key survives salting, since every key has its place among the salted
 * rows of a bucket ({@link SaltBucket#salted(byte[])}).
 */
final class FilterTranslator {
  private final FilterRules rules;
  private final SaltBucket bucket;
  private final boolean oneStream;

  /**
   * @param oneStream whether all rows that the filter is to judge come by in one stream and in the
   *     order of their bare keys; then filters that count rows or end a scan are right, too
   */
  FilterTranslator(FilterRules rules, SaltBucket bucket, boolean oneStream) {
    this.rules = rules;
    this.bucket = bucket;
    this.oneStream = oneStream;
  }

  /**
   * The filter for salted rows.
   *
   * @throws DoNotRetryIOException when there is none
   */
  Filter translate(Filter filter) throws DoNotRetryIOException {
    if (rules.travels(filter)) {
      return filter;
    }
    if (filter.getClass() == FilterList.class) {
      return list((FilterList) filter);
    }
    Filter salted = salted(filter);
    if (salted != filter) {
      salted.setReversed(filter.isReversed());
    }
    return salted;
  }

  private Filter salted(Filter filter) throws DoNotRetryIOException {
    Class<?> type = filter.getClass();
    if (type == PrefixFilter.class) {
      return new PrefixFilter(bucket.salted(((PrefixFilter) filter).getPrefix()));
    }
    if (type == InclusiveStopFilter.class) {
      return new InclusiveStopFilter(bucket.salted(((InclusiveStopFilter) filter).getStopRowKey()));
    }
    if (type == RowFilter.class) {
      return rowFilter((RowFilter) filter);
    }
    if (type == MultiRowRangeFilter.class) {
      return ranges((MultiRowRangeFilter) filter);
    }
    if (type == SkipFilter.class) {
      return new SkipFilter(translate(((SkipFilter) filter).getFilter()));
    }
    return ofOneStream(filter);
  }

  /** Filters that count rows or end the scan: each sub-scan would do so for itself. */
  private Filter ofOneStream(Filter filter) throws DoNotRetryIOException {
    Class<?> type = filter.getClass();
    boolean endsScan =
        type == WhileMatchFilter.class
            || type == PageFilter.class
            || type == ColumnCountGetFilter.class;
    if (!endsScan) {
      throw refused(
          filter,
          "it may look at rows, which have their salt on the servers; if it does not, name it in"
              + " rowguard.filters.row.blind or SaltedTableBuilder.addRowBlindFilter");
    }
    if (!oneStream) {
      throw refused(
          filter,
          "it ends the scan at some row, and each bucket would end at another; use a stop row or"
              + " Scan.setLimit");
    }
    return type == WhileMatchFilter.class
        ? new WhileMatchFilter(translate(((WhileMatchFilter) filter).getFilter()))
        : filter;
  }

  private Filter list(FilterList list) throws DoNotRetryIOException {
    List<Filter> translated = new ArrayList<>();
    for (Filter filter : list.getFilters()) {
      translated.add(translate(filter));
    }
    return listOf(list, translated);
  }

  /**
   * A list that joins its filters as another one does, and goes in their direction. HBase's
   * constructor refuses filters of both directions, and leaves the flag of the list itself behind
   * (FilterList.isReversed asserts that it has not).
   */
  static FilterList listOf(FilterList like, List<Filter> filters) {
    FilterList list = new FilterList(like.getOperator(), filters);
    list.setReversed(filters.isEmpty() ? like.isReversed() : filters.get(0).isReversed());
    return list;
  }

  private Filter rowFilter(RowFilter filter) throws DoNotRetryIOException {
    ByteArrayComparable comparator = filter.getComparator();
    CompareOperator operator = filter.getCompareOperator();
    if (operator == CompareOperator.NO_OP) {
      return filter;
    }
    if (comparator.getClass() == BinaryComparator.class) {
      return new RowFilter(operator, new BinaryComparator(bucket.salted(comparator.getValue())));
    }
    if (comparator.getClass() == BinaryPrefixComparator.class) {
      return new RowFilter(
          operator, new BinaryPrefixComparator(bucket.salted(comparator.getValue())));
    }
    throw refused(
        filter,
        comparator.getClass().getSimpleName()
            + " would see the salt; BinaryComparator and BinaryPrefixComparator work");
  }

  private Filter ranges(MultiRowRangeFilter filter) {
    List<RowRange> salted = new ArrayList<>();
    for (RowRange range : filter.getRowRanges()) {
      salted.add(
          new RowRange(
              bucket.salted(range.getStartRow()),
              range.isStartRowInclusive(),
              range.getStopRow().length == 0
                  ? range.getStopRow()
                  : bucket.salted(range.getStopRow()),
              range.isStopRowInclusive()));
    }
    return new MultiRowRangeFilter(salted);
  }

  private DoNotRetryIOException refused(Filter filter, String reason) {
    return new DoNotRetryIOException(
        "This filter cannot be used through a SaltedTable: "
            + reason
            + ". table="
            + rules.table()
            + " filter="
            + filter.getClass().getName());
  }
}
