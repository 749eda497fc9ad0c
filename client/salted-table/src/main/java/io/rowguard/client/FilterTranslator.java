package io.rowguard.client;

import io.rowguard.layout.SaltBucket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;

/**
 * Makes of a filter on bare keys one that says the same of the salted rows of a bucket. A filter of
 * which that cannot be said for certain is refused: a wrong one would lose rows silently.
 *
 * <p>Comparing rows with a key survives salting, since every key has its place among the salted
 * rows of a bucket ({@link SaltBucket#salted(byte[])}).
 *
 * <p>Where writers choose the bucket, a filter sees a part of a row only. There it has to judge
 * each cell by its row and its column alone, or to give the first cell of each row.
 */
final class FilterTranslator {
  /** Filters that judge a row by its key. */
  private static final Set<Class<?>> OF_ROWS =
      classes(
          PrefixFilter.class,
          InclusiveStopFilter.class,
          RowFilter.class,
          MultiRowRangeFilter.class);

  /** Filters that judge a cell by its family and its column. */
  private static final Set<Class<?>> OF_COLUMNS =
      classes(
          ColumnPrefixFilter.class,
          ColumnRangeFilter.class,
          FamilyFilter.class,
          KeyOnlyFilter.class,
          MultipleColumnPrefixFilter.class,
          QualifierFilter.class);

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
    return translated(filter, bucket.hasWholeRows() || givesFirstCells(filter));
  }

  /**
   * @param sound whether nothing is wrong about a filter that sees parts of rows
   */
  private Filter translated(Filter filter, boolean sound) throws DoNotRetryIOException {
    if (filter.getClass() == FilterList.class) {
      return list((FilterList) filter, sound);
    }
    if (!sound && !OF_ROWS.contains(filter.getClass()) && !OF_COLUMNS.contains(filter.getClass())) {
      throw refused(
          filter,
          "writers choose the bucket in this table, so the cells of a row may lie in several, and"
              + " it judges a cell by more than its row and column; filter what is read, or name"
              + " columns and a time range");
    }
    if (rules.travels(filter)) {
      return filter;
    }
    Filter salted = salted(filter);
    if (salted != filter) {
      salted.setReversed(filter.isReversed());
    }
    return salted;
  }

  /**
   * Whether a filter gives the first cell of each row, and no other: also of a row in several
   * parts, when of their first cells the first is taken.
   */
  static boolean givesFirstCells(Filter filter) {
    if (filter == null || filter.getClass() == FirstKeyOnlyFilter.class) {
      return filter != null;
    }
    boolean gives = false;
    for (Filter one : ScanPlan.conjunction(filter)) {
      if (!passesWholeRows(one) && !givesFirstCells(one)) {
        return false;
      }
      gives |= givesFirstCells(one);
    }
    return gives;
  }

  private static boolean passesWholeRows(Filter filter) {
    return OF_ROWS.contains(filter.getClass()) || filter.getClass() == KeyOnlyFilter.class;
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

  private static Set<Class<?>> classes(Class<?>... classes) {
    return Collections.unmodifiableSet(new HashSet<>(Arrays.asList(classes)));
  }

  private Filter list(FilterList list, boolean sound) throws DoNotRetryIOException {
    List<Filter> translated = new ArrayList<>();
    for (Filter filter : list.getFilters()) {
      translated.add(translated(filter, sound));
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
