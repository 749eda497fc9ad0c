package io.rowguard.client;

import io.rowguard.config.LayoutStamp;
import io.rowguard.config.Relayout;
import io.rowguard.config.RowguardKey;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.RowText;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.routing.RowRouter;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Row;

/**
 * The layouts of a table as a client knows them at one moment, and the rows of its bare keys under
 * them. Immutable but for the {@link Turns}, and thread-safe.
 *
 * <p>While the layout changes each bare key has two rows, an old and a new one, and one of them is
 * its <em>primary</em> row, which takes the writes. {@link RowRouter} says which.
 *
 * <p>Where writers {@linkplain #hasChoice choose} the bucket each bare key has several rows, in
 * which the cells of one row lie. This client takes them in turns: a put goes to one of them, the
 * next put of the key to another, Gets and deletes to all ({@link #addOnRows}), and {@link
 * RowMerge} makes one row of what they find.
 *
 * <p>Where nothing {@linkplain #isDeriving is derived}, each key is its own row, also one that does
 * not conform, and everything else is as it is given: only the stamp is added, so that servers say
 * when that has changed.
 */
final class TableLayouts {
  private final RowRouter router;
  private final LayoutSide target;
  private final LayoutSide source;
  private final int maxBuckets;
  private final FilterRules filters;
  private final SortedMap<byte[], Integer> maxVersions;
  private final SortedMap<byte[], Integer> timesToLive;
  private final SaltedActions actions;

  /** The segment that ends the entity groups; null for none that bare keys have. */
  private final String groupSegment;

  /** Made when asked for, maybe by several threads, of which each gets an equal one. */
  private EntityGroup bareGroup;

  /** For writers that choose. */
  private final Turns turns = new Turns();

  private TableLayouts(
      RowRouter router,
      LayoutSide target,
      LayoutSide source,
      String groupSegment,
      int maxBuckets,
      FilterRules filters,
      SortedMap<byte[], Integer> maxVersions,
      SortedMap<byte[], Integer> timesToLive) {
    this.router = router;
    this.target = target;
    this.source = source;
    this.groupSegment = groupSegment;
    this.maxBuckets = maxBuckets;
    this.filters = filters;
    this.maxVersions = maxVersions;
    this.timesToLive = timesToLive;
    this.actions = new SaltedActions(target, source, filters, isDeriving());
  }

  /** A layout that is given by hand, and stays; for a table whose families keep all versions. */
  static TableLayouts byHand(RowkeyLayout layout, int maxBuckets, FilterRules filters) {
    return byHand(layout, maxBuckets, filters, RowMerge.ALL_VERSIONS);
  }

  /**
   * A layout that is given by hand, and stays.
   *
   * @param maxVersions as {@link TableConfig#maxVersions} has them
   */
  static TableLayouts byHand(
      RowkeyLayout layout,
      int maxBuckets,
      FilterRules filters,
      SortedMap<byte[], Integer> maxVersions) {
    return new TableLayouts(
        RowRouter.of(layout),
        LayoutSide.byHand(layout),
        null,
        null,
        maxBuckets,
        filters,
        maxVersions,
        Collections.emptySortedMap());
  }

  /**
   * The layouts that a table declares.
   *
   * @param config with a layout
   * @param rules to which the table may add filters of its own
   */
  static TableLayouts declared(TableConfig config, int maxBuckets, FilterRules rules) {
    FilterRules filters = rules.with(config.rowBlindFilters());
    Relayout relayout = config.relayout();
    LayoutStamp stamp = LayoutStamp.of(config);
    return relayout == null
        ? new TableLayouts(
            config.router(),
            LayoutSide.only(config.layout(), stamp),
            null,
            groupSegment(config),
            maxBuckets,
            filters,
            config.maxVersions(),
            config.timesToLive())
        : new TableLayouts(
            config.router(),
            LayoutSide.target(relayout.change(), stamp),
            LayoutSide.source(relayout.change(), stamp),
            groupSegment(config),
            maxBuckets,
            filters,
            config.maxVersions(),
            config.timesToLive());
  }

  /** Null also for a group that ends with what is derived: bare keys do not have that. */
  private static String groupSegment(TableConfig config) {
    String segment = config.group().segment();
    return segment == null || config.layout().segment(segment).isDerived() ? null : segment;
  }

  /** Whether rows stand under two layouts. */
  boolean isChanging() {
    return source != null;
  }

  /** Whether requests tell servers what they are planned with, so that these may refuse them. */
  boolean isStamped() {
    return target.stamp() != null;
  }

  /** The rows under {@code rowguard.layout}. */
  LayoutSide target() {
    return target;
  }

  /** The rows under {@code rowguard.layout.previous}; null unless {@link #isChanging()}. */
  LayoutSide source() {
    return source;
  }

  /**
   * The entity groups as bare keys have them, the same under both layouts; null where the table
   * declares none that bare keys have.
   */
  EntityGroup bareGroup() {
    EntityGroup group = bareGroup;
    if (group == null && groupSegment != null) {
      group = EntityGroup.of(primary().bare(), groupSegment);
      bareGroup = group;
    }
    return group;
  }

  /** The most sub-scans of one scan under one layout. */
  int maxBuckets() {
    return maxBuckets;
  }

  /** The filters that may be used. */
  FilterRules filters() {
    return filters;
  }

  /**
   * Whether rows have something that bare keys lack, under either layout. If not, HBase's own table
   * does what is wanted.
   */
  boolean isDeriving() {
    return target.layout().hasDerivedSegments()
        || (isChanging() && source.layout().hasDerivedSegments());
  }

  /** Whether a bare key has several rows at a time, each with a part of its cells. */
  boolean hasChoice() {
    return primary().hasChoice();
  }

  /**
   * Returns if a bare key has one row at a time.
   *
   * @param wayOut a sentence on what to do else
   * @throws DoNotRetryIOException where writers choose
   */
  void requireOneRow(String wayOut) throws DoNotRetryIOException {
    if (hasChoice()) {
      throw new DoNotRetryIOException(
          "Writers choose the bucket of a row in this table, so its cells may lie in several"
              + " regions. table="
              + filters.table()
              + ". "
              + wayOut
              + " Layout: "
              + primary());
    }
  }

  /** Whether an action may have to be sent to more than one row. */
  boolean needsRounds() {
    return isChanging() || hasChoice();
  }

  /** The versions that each family keeps, by its name; one that is not named keeps all. */
  SortedMap<byte[], Integer> maxVersions() {
    return maxVersions;
  }

  /** As {@link TableConfig#timesToLive}; empty where the layout is given by hand. */
  SortedMap<byte[], Integer> timesToLive() {
    return timesToLive;
  }

  /** The layout of the primary rows. */
  RowkeyLayout primary() {
    return router.primary();
  }

  /**
   * The row of a bare key that takes its writes; where writers choose, the first.
   *
   * @throws DoNotRetryIOException when it is no bare key of the table
   */
  byte[] primaryRow(byte[] bareKey) throws DoNotRetryIOException {
    if (!isDeriving()) {
      return bareKey;
    }
    try {
      return primary().complete(bareKey);
    } catch (IllegalArgumentException e) {
      throw refusal(bareKey, e);
    }
  }

  /**
   * The row of a bare key that takes one write: the primary one; where writers choose, another at
   * each call, in turns.
   *
   * @throws DoNotRetryIOException when it is no bare key of the table
   */
  byte[] rowToWrite(byte[] bareKey) throws DoNotRetryIOException {
    byte[] chosen = hasChoice() ? primary().completeIfBare(bareKey, turns.next(bareKey)) : null;
    return chosen == null ? primaryRow(bareKey) : chosen;
  }

  /** All rows of a bare key, where writers choose. */
  private List<byte[]> rows(byte[] bareKey) throws DoNotRetryIOException {
    primaryRow(bareKey); // says what is wrong with it
    long count = target.buckets().rowCount(bareKey);
    if (count > maxBuckets) {
      throw new DoNotRetryIOException(
          "Writers choose among more rows of this bare key than a client reads. table="
              + filters.table()
              + " rows="
              + count
              + " "
              + RowguardKey.SCAN_MAX_BUCKETS.key()
              + "="
              + maxBuckets
              + " key=\""
              + RowText.abbreviated(bareKey)
              + "\". Allow more (SaltedTableBuilder.setMaxBuckets). Layout: "
              + primary());
    }
    return target.buckets().rows(bareKey);
  }

  /**
   * The other row of the same bare key, for a write that a server does not take at this one; null
   * where there is none.
   */
  byte[] counterpart(byte[] row) {
    return router.counterpart(row);
  }

  /**
   * The rows of a bare key to read, in this order, until one of them shows something.
   *
   * @throws DoNotRetryIOException when it is no bare key of the table
   */
  List<byte[]> rowsToRead(byte[] bareKey) throws DoNotRetryIOException {
    if (!isDeriving()) {
      return Collections.singletonList(bareKey);
    }
    try {
      return router.rowsToRead(bareKey);
    } catch (IllegalArgumentException e) {
      throw refusal(bareKey, e);
    }
  }

  private DoNotRetryIOException refusal(byte[] row, IllegalArgumentException reason) {
    byte[] bareKey = bareKeyOf(row);
    return new DoNotRetryIOException(
        "A SaltedTable takes bare keys. table="
            + filters.table()
            + "."
            + (bareKey == null
                ? ""
                : " It is a salted row, whose bare key is \""
                    + RowText.abbreviated(bareKey)
                    + "\".")
            + " "
            + reason.getMessage());
  }

  /** The bare key of a salted row of the table; null where it is none. */
  byte[] bareKeyOf(byte[] row) {
    if (!isDeriving()) {
      return row;
    }
    byte[] bareKey = target.buckets().bareKeyOf(row, 0, row.length);
    return bareKey == null && isChanging()
        ? source.buckets().bareKeyOf(row, 0, row.length)
        : bareKey;
  }

  /** Makes actions on salted rows, for these layouts. */
  SaltedActions actions() {
    return actions;
  }

  /**
   * The same action on its primary row; where writers choose, on the one whose turn it is; null for
   * null, which HBase's own methods are to refuse.
   */
  <R extends Row> R onPrimary(R given) throws IOException {
    return given == null ? null : actions.on(rowToWrite(given.getRow()), given);
  }

  /**
   * Adds the same action on each row that it is to be sent to: where writers choose, a Get or a
   * Delete on all rows of its bare key; else as {@link #onPrimary}.
   */
  <R extends Row> void addOnRows(R given, List<? super R> salted) throws IOException {
    if (hasChoice() && (given instanceof Get || given instanceof Delete)) {
      for (byte[] row : rows(given.getRow())) {
        salted.add(actions.on(row, given));
      }
    } else {
      salted.add(onPrimary(given));
    }
  }

  /** Whether both say the same. */
  boolean isSameAs(TableLayouts that) {
    return Objects.equals(target.stamp(), that.target.stamp())
        && isChanging() == that.isChanging()
        && maxBuckets == that.maxBuckets
        && filters.isSameAs(that.filters)
        && Objects.equals(groupSegment, that.groupSegment)
        && maxVersions.equals(that.maxVersions)
        && timesToLive.equals(that.timesToLive)
        && primary().equals(that.primary())
        && target.layout().equals(that.target.layout())
        && (!isChanging() || source.layout().equals(that.source.layout()));
  }

  /** For people. */
  @Override
  public String toString() {
    return (isStamped() ? "version=" + target.stamp().version() : "given by hand")
        + (isChanging() ? " previous=" + source.layout() : "")
        + " layout="
        + target.layout()
        + (isChanging() ? " writes to " + primary() : "");
  }
}
