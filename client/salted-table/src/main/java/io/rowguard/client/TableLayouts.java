package io.rowguard.client;

import io.rowguard.config.LayoutStamp;
import io.rowguard.config.Relayout;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.RowkeyLayout;
import java.util.Objects;

/**
 * The layouts of a table as a client knows them at one moment. Immutable and thread-safe.
 *
 * <p>While the layout changes each bare key has two rows, an old and a new one, and one of them is
 * its <em>home</em>, which takes the writes.
 */
final class TableLayouts {
  private final LayoutSide current;
  private final LayoutSide leaving;
  private final boolean atHomeInLeaving;
  private final int maxBuckets;
  private final SaltedActions onCurrent;
  private final SaltedActions onLeaving;

  private TableLayouts(
      LayoutSide current,
      LayoutSide leaving,
      boolean atHomeInLeaving,
      int maxBuckets,
      FilterRules filters) {
    this.current = current;
    this.leaving = leaving;
    this.atHomeInLeaving = atHomeInLeaving;
    this.maxBuckets = maxBuckets;
    this.onCurrent = new SaltedActions(current, filters);
    this.onLeaving = leaving == null ? null : new SaltedActions(leaving, filters);
  }

  /** A layout that is given by hand, and stays. */
  static TableLayouts byHand(RowkeyLayout layout, int maxBuckets, FilterRules filters) {
    return new TableLayouts(LayoutSide.byHand(layout), null, false, maxBuckets, filters);
  }

  /**
   * The layouts that a table declares.
   *
   * @param config with a layout
   */
  static TableLayouts declared(TableConfig config, int maxBuckets, FilterRules filters) {
    Relayout relayout = config.relayout();
    LayoutStamp stamp = LayoutStamp.of(config);
    if (relayout == null) {
      return new TableLayouts(
          LayoutSide.only(config.layout(), stamp), null, false, maxBuckets, filters);
    }
    return new TableLayouts(
        LayoutSide.coming(relayout.change(), stamp),
        LayoutSide.leaving(relayout.change(), stamp),
        relayout.phase() == Relayout.Phase.PREPARED,
        maxBuckets,
        filters);
  }

  /** Whether rows stand under two layouts. */
  boolean isChanging() {
    return leaving != null;
  }

  /** Whether servers are told what is planned with, and so may refuse it. */
  boolean isStamped() {
    return current.stamp() != null;
  }

  /** The rows under {@code rowguard.layout}. */
  LayoutSide current() {
    return current;
  }

  /** The rows under {@code rowguard.layout.previous}; null unless {@link #isChanging()}. */
  LayoutSide leaving() {
    return leaving;
  }

  /** The most sub-scans of one scan under one layout. */
  int maxBuckets() {
    return maxBuckets;
  }

  /** Actions on the rows that take the writes. */
  SaltedActions home() {
    return atHomeInLeaving ? onLeaving : onCurrent;
  }

  /** Actions on the other rows of the same keys; null unless {@link #isChanging()}. */
  SaltedActions away() {
    return atHomeInLeaving ? onCurrent : onLeaving;
  }

  /** The layout of the rows that take the writes. */
  RowkeyLayout homeLayout() {
    return (atHomeInLeaving ? leaving : current).buckets().layout();
  }

  /** Reads of new rows; of all rows unless {@link #isChanging()}. */
  SaltedActions onCurrent() {
    return onCurrent;
  }

  /** Reads of old rows; null unless {@link #isChanging()}. */
  SaltedActions onLeaving() {
    return onLeaving;
  }

  /** Whether both say the same. */
  boolean isSameAs(TableLayouts that) {
    return Objects.equals(current.stamp(), that.current.stamp())
        && isChanging() == that.isChanging()
        && atHomeInLeaving == that.atHomeInLeaving
        && maxBuckets == that.maxBuckets
        && layoutOf(current).equals(layoutOf(that.current))
        && (!isChanging() || layoutOf(leaving).equals(layoutOf(that.leaving)));
  }

  private static RowkeyLayout layoutOf(LayoutSide side) {
    return side.buckets().layout();
  }

  /** For people. */
  @Override
  public String toString() {
    return (isStamped() ? "version=" + current.stamp().version() : "given by hand")
        + (isChanging() ? " previous=" + layoutOf(leaving) : "")
        + " layout="
        + layoutOf(current)
        + (isChanging() ? " writes to " + homeLayout() : "");
  }
}
