package io.rowguard.client;

import io.rowguard.config.RowguardKey;
import io.rowguard.layout.KeyRange;
import io.rowguard.layout.RowText;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.SaltBucket;
import io.rowguard.layout.SaltBuckets;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;

/**
 * The plan of a scan of bare keys: one sub-scan for each bucket that can have rows of its range,
 * and a limit for all of them together. Immutable and thread-safe. The same scan always gets the
 * same plan.
 *
 * @see SaltedTable#plan
 */
public final class ScanPlan {
  private final LayoutSide side;
  private final List<SubScan> subScans;
  private final int limit;

  private ScanPlan(LayoutSide side, List<SubScan> subScans, int limit) {
    this.side = side;
    this.subScans = Collections.unmodifiableList(subScans);
    this.limit = limit;
  }

  /**
   * The plan of a scan, which is not changed.
   *
   * @param side the rows to read
   * @throws DoNotRetryIOException when the scan cannot be answered through buckets; it says why
   */
  static ScanPlan of(Scan scan, LayoutSide side, FilterRules filters, int maxBuckets)
      throws IOException {
    SaltBuckets buckets = side.buckets();
    if (scan.isNeedCursorResult()) {
      throw new DoNotRetryIOException(
          "Cursor results cannot be had from a SaltedTable: a cursor is a place in one bucket, not"
              + " one in the order of bare keys. table="
              + filters.table());
    }
    // A filter that ends the scan has to see the rows in front of where another one narrows to.
    KeyRange whole = rangeOf(scan);
    KeyRange range = mayEndScan(scan.getFilter()) ? whole : narrowed(whole, scan.getFilter());
    long count = buckets.count(range);
    if (count > maxBuckets) {
      throw new DoNotRetryIOException(tooMany(scan, buckets, filters, count, maxBuckets));
    }
    // Not where only a filter narrows: another one may have to see the rows in front of that.
    boolean oneStream = side.isWhole() && buckets.count(whole) == 1;
    int limit = limitOf(scan);
    boolean wholeRows = !buckets.layout().hasChoice();
    Filter filter = withoutPages(scan.getFilter());
    if (filter != null && scan.isReversed()) {
      filter = ColumnHints.without(filter);
    }
    List<SubScan> subScans = new ArrayList<>();
    for (SaltBucket bucket : buckets.of(range)) {
      FilterTranslator translator =
          oneStream ? filters.ofOneStream(bucket) : filters.ofOneOfMany(bucket);
      Scan salted = side.marked(new Scan(scan).setAsyncPrefetch(false));
      if (!wholeRows) {
        RowMerge.widened(salted);
      }
      // Of parts that have cells, an offset may leave nothing: then more are to be read.
      boolean eachCounts = wholeRows || scan.getRowOffsetPerColumnFamily() == 0;
      salted.setLimit(rowsInOne(salted) && eachCounts ? limit : -1);
      salted.setFilter(filter == null ? null : translator.translate(filter));
      withRange(salted, bucket.salted(range).withBoundsUpTo(RowkeyLayout.MAX_ROW_LENGTH));
      subScans.add(new SubScan(side, bucket, salted));
    }
    // Of a row in several parts only whoever merges them can tell where it ends.
    return new ScanPlan(side, subScans, wholeRows ? limit : -1);
  }

  /**
   * The most rows that a scan of bare keys may give, by its limit or its page filter, or -1 for no
   * limit.
   */
  public static int limitOf(Scan scan) {
    // A page filter counts for each region anew, and regions are others than those of bare keys.
    return least(scan.getLimit() > 0 ? scan.getLimit() : -1, pageSize(scan.getFilter()));
  }

  /** The buckets that the plan was made of. */
  SaltBuckets buckets() {
    return side.buckets();
  }

  /** The sub-scans, none when no bare key can lie in the range. */
  public List<SubScan> subScans() {
    return subScans;
  }

  /** The most rows of all sub-scans together, or -1 for no limit. */
  public int limit() {
    return limit;
  }

  /**
   * Whether a row comes in one result. Where it may come in several, HBase's client miscounts rows
   * (ClientScanner and its result caches, 2.6.1): a limit would end a sub-scan too early.
   */
  static boolean rowsInOne(Scan scan) {
    return scan.getBatch() <= 0 && !scan.getAllowPartialResults();
  }

  static KeyRange rangeOf(Scan scan) {
    return scan.isReversed()
        ? KeyRange.of(
            scan.getStopRow(), scan.includeStopRow(), scan.getStartRow(), scan.includeStartRow())
        : KeyRange.of(
            scan.getStartRow(), scan.includeStartRow(), scan.getStopRow(), scan.includeStopRow());
  }

  /** Sets the range of a scan, in whichever direction it goes. */
  static Scan withRange(Scan salted, KeyRange range) {
    byte[] first = salted.isReversed() ? range.upper() : range.lower();
    byte[] last = salted.isReversed() ? range.lower() : range.upper();
    boolean withLower = range.isLowerInclusive();
    boolean withUpper = range.isUpperInclusive();
    salted.withStartRow(first, first.length == 0 || (salted.isReversed() ? withUpper : withLower));
    return salted.withStopRow(
        last, last.length > 0 && (salted.isReversed() ? withLower : withUpper));
  }

  /** Whether a filter may end a scan at a row that another one would not pass. */
  private static boolean mayEndScan(Filter filter) {
    return filter instanceof WhileMatchFilter
        || (filter instanceof SkipFilter && mayEndScan(((SkipFilter) filter).getFilter()))
        || (filter instanceof FilterList
            && ((FilterList) filter).getFilters().stream().anyMatch(ScanPlan::mayEndScan));
  }

  /** The range without rows that a filter certainly does not pass. */
  private static KeyRange narrowed(KeyRange range, Filter filter) {
    if (filter == null) {
      return range;
    }
    if (filter.getClass() == PrefixFilter.class) {
      return range.intersect(KeyRange.ofPrefix(((PrefixFilter) filter).getPrefix()));
    }
    if (filter.getClass() == RowFilter.class) {
      RowFilter rows = (RowFilter) filter;
      boolean oneRow =
          rows.getCompareOperator() == CompareOperator.EQUAL
              && rows.getComparator().getClass() == BinaryComparator.class
              && rows.getComparator().getValue().length > 0;
      byte[] row = oneRow ? rows.getComparator().getValue() : null;
      return oneRow ? range.intersect(KeyRange.of(row, true, row, true)) : range;
    }
    KeyRange narrowed = range;
    for (Filter one : conjunction(filter)) {
      narrowed = narrowed(narrowed, one);
    }
    return narrowed;
  }

  /** The filters of a list that all have to pass; none for any other filter. */
  static List<Filter> conjunction(Filter filter) {
    return filter != null
            && filter.getClass() == FilterList.class
            && ((FilterList) filter).getOperator() == FilterList.Operator.MUST_PASS_ALL
        ? ((FilterList) filter).getFilters()
        : Collections.emptyList();
  }

  /** The page that all rows must fit into, or -1. */
  private static int pageSize(Filter filter) {
    if (filter != null && filter.getClass() == PageFilter.class) {
      return (int) Math.min(Integer.MAX_VALUE, ((PageFilter) filter).getPageSize());
    }
    int least = -1;
    for (Filter one : conjunction(filter)) {
      least = least(least, pageSize(one));
    }
    return least;
  }

  /** The filter without what {@link #pageSize} stands for; null when nothing is left. */
  static Filter withoutPages(Filter filter) {
    if (filter == null || filter.getClass() == PageFilter.class) {
      return null;
    }
    if (pageSize(filter) < 0) {
      return filter;
    }
    List<Filter> left = new ArrayList<>();
    for (Filter one : ((FilterList) filter).getFilters()) {
      Filter without = withoutPages(one);
      if (without != null) {
        left.add(without);
      }
    }
    return left.isEmpty() ? null : FilterTranslator.listOf((FilterList) filter, left);
  }

  private static int least(int a, int b) {
    return a < 0 || b < 0 ? Math.max(a, b) : Math.min(a, b);
  }

  private static String tooMany(
      Scan scan, SaltBuckets buckets, FilterRules filters, long count, int maxBuckets) {
    return "This scan would become more sub-scans than one scan may. table="
        + filters.table()
        + " buckets="
        + (count == Long.MAX_VALUE ? "over " : "")
        + count
        + " "
        + RowguardKey.SCAN_MAX_BUCKETS.key()
        + "="
        + maxBuckets
        + " startRow=\""
        + RowText.abbreviated(scan.getStartRow())
        + "\" stopRow=\""
        + RowText.abbreviated(scan.getStopRow())
        + "\". Rows of these bare keys lie under every value of "
        + buckets.freeSegments()
        + ". Scan a range in which what these are derived from is the same for all keys, read"
        + " single rows, or allow more (SaltedTableBuilder.setMaxBuckets). Layout: "
        + buckets.layout();
  }
}
