package io.rowguard.client;

import io.rowguard.layout.SaltBucket;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.DependentColumnFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RandomRowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;

/**
 * The filters that travel to the servers as they are: those that look at one row's columns, values
 * and timestamps, never at the row itself or from row to row. Immutable and thread-safe.
 *
 * <p>Classes are compared exactly: a subclass may look at whatever it likes.
 */
final class FilterRules {
  private static final Set<Class<?>> ROW_BLIND =
      Collections.unmodifiableSet(
          new HashSet<>(
              Arrays.asList(
                  ColumnPaginationFilter.class,
                  ColumnPrefixFilter.class,
                  ColumnRangeFilter.class,
                  ColumnValueFilter.class,
                  DependentColumnFilter.class,
                  FamilyFilter.class,
                  FirstKeyOnlyFilter.class,
                  KeyOnlyFilter.class,
                  MultipleColumnPrefixFilter.class,
                  QualifierFilter.class,
                  RandomRowFilter.class,
                  SingleColumnValueExcludeFilter.class,
                  SingleColumnValueFilter.class,
                  TimestampsFilter.class,
                  ValueFilter.class)));

  private final TableName table;
  private final Set<String> trusted;

  /**
   * @param trusted names of classes of which their user says that they travel as they are
   */
  FilterRules(TableName table, Set<String> trusted) {
    this.table = table;
    this.trusted = new HashSet<>(trusted);
  }

  /** The same with more trusted classes. */
  FilterRules with(Set<String> more) {
    if (trusted.containsAll(more)) {
      return this;
    }
    FilterRules rules = new FilterRules(table, trusted);
    rules.trusted.addAll(more);
    return rules;
  }

  /** Whether both let the same filters travel. */
  boolean isSameAs(FilterRules that) {
    return trusted.equals(that.trusted);
  }

  boolean travels(Filter filter) {
    return ROW_BLIND.contains(filter.getClass()) || trusted.contains(filter.getClass().getName());
  }

  TableName table() {
    return table;
  }

  /** For reads of rows of one bucket in one stream, such as a Get. */
  FilterTranslator ofOneStream(SaltBucket bucket) {
    return new FilterTranslator(this, bucket, true);
  }

  /** For one of several sub-scans that together answer a scan. */
  FilterTranslator ofOneOfMany(SaltBucket bucket) {
    return new FilterTranslator(this, bucket, false);
  }
}
