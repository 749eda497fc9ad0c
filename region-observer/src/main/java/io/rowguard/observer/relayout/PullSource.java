package io.rowguard.observer.relayout;

import io.rowguard.config.Relayout;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.LayoutChange.Place;
import io.rowguard.layout.RowText;
import io.rowguard.observer.request.InternalMutations;
import io.rowguard.relayout.RegionProgress;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse;
import io.rowguard.relayout.RelayoutResponse.Item;
import io.rowguard.relayout.RelayoutResponse.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.Region;

/**
 * Answers for old rows of a region, by its own descriptor and nothing else ({@code OldRegion} and
 * {@code Answer} of the model). It asks no other server and takes no lock of pulls, so it always
 * ends. One per region instance; thread-safe.
 *
 * <p>While rows move, the old ones are closed to writers from the moment that the region has opened
 * so; what it reads of them can only become less.
 */
public final class PullSource {
  /** Bytes of cells after which a response takes no others. */
  static final int FULL_BYTES = 4 << 20;

  /** Limit of a row that is moved: it travels in one response, and is written in one edit. */
  static final int MOST_BYTES = 64 << 20;

  private final HRegion region;
  private final TableConfig config;

  /** Null where the table's layout does not change. */
  private final Relayout relayout;

  private final InternalMutations own;
  private final GlobalMemstore memstore;
  private final OldRows rows;

  /** Null without a relayout. */
  private final MisplacedRows notAtHome;

  /** Null where no rows move. */
  private final OldRowTally tally;

  /** Whether the region may have deleted an old row since it opened. */
  private volatile boolean hasDropped;

  /**
   * The source of a region.
   *
   * @param config of the table as the region has opened with it
   * @param own marks the deletes as the region's own
   */
  public PullSource(
      HRegion region, TableConfig config, InternalMutations own, GlobalMemstore memstore) {
    this.region = region;
    this.config = config;
    this.relayout = config.relayout();
    this.own = own;
    this.memstore = memstore;
    this.rows = new OldRows(region, config.takesAnyOrder());
    this.notAtHome =
        relayout == null
            ? null
            : new MisplacedRows(
                region,
                relayout.change(),
                isMoving() ? Place.OLD : Place.NEW,
                config.takesAnyOrder());
    this.tally = isMoving() ? new OldRowTally(region, relayout.change()) : null;
  }

  /**
   * The response to any request but {@link RelayoutRequest.Kind#TOUCH}.
   *
   * @throws IOException when there is none: the region closes, its server is not sure of it any
   *     more, or the table's configuration is wrong
   */
  public RelayoutResponse answer(RelayoutRequest request) throws IOException {
    if (!config.hasLayout()) {
      throw new DoNotRetryIOException(
          config.problemMessage(table(), "nothing is answered about a change of its layout"));
    }
    switch (request.kind()) {
      case ASK:
        return answer(0, ask(request));
      case DROP:
        return answer(0, drop(request));
      case COUNT:
        return count(request);
      case STATE:
        return answer(0, Collections.emptyList());
      case PROGRESS:
        return answer(0, Collections.singletonList(progress(request)));
      case LEFTOVERS:
        return answer(0, Collections.singletonList(leftovers(request)));
      default:
        throw new IllegalArgumentException("No request to an old region: " + request);
    }
  }

  private RelayoutResponse answer(long misplacedRows, List<Item> items) {
    return RelayoutResponse.of(
        config.layoutVersion(),
        relayout == null ? 0 : relayout.generation(),
        isMoving(),
        misplacedRows,
        items);
  }

  /** Nothing is in memory that came before the region opened: that was flushed then. */
  private Item leftovers(RelayoutRequest request) throws IOException {
    // A region that closes has no files any more, long before it is gone.
    region.startRegionOperation(Region.Operation.GET);
    try {
      boolean isOfThis = relayout != null && request.generation() == relayout.generation();
      boolean mayBeThere = (isOfThis && hasDropped) || Leftovers.areInFiles(region);
      return Item.of(mayBeThere ? Outcome.DONE : Outcome.NOTHING);
    } finally {
      region.closeRegionOperation(Region.Operation.GET);
    }
  }

  private boolean isMoving() {
    return relayout != null && relayout.phase() == Relayout.Phase.MOVING;
  }

  private List<Item> ask(RelayoutRequest request) throws IOException {
    // A region that has closed since it read must not answer: it may be open elsewhere by then.
    region.startRegionOperation(Region.Operation.GET);
    try {
      List<Item> items = new ArrayList<>();
      boolean hasCells = false;
      boolean toldOfOthers = false;
      long bytes = 0;
      for (byte[] row : request.rows()) {
        Item item = ask(request, row, FULL_BYTES - bytes, bytes == 0);
        if (!toldOfOthers && item.outcome() == Outcome.NOTHING && isGone(row)) {
          item = notAtHome.gone().toItem();
          toldOfOthers = true;
        }
        hasCells |= item.outcome() == Outcome.CELLS;
        bytes += item.outcome() == Outcome.CELLS ? item.bytes().length : 0;
        items.add(item);
      }
      if (hasCells) {
        LogFence.pass(region);
      }
      return items;
    } finally {
      region.closeRegionOperation(Region.Operation.GET);
    }
  }

  private Item ask(RelayoutRequest request, byte[] row, long room, boolean first)
      throws IOException {
    if (!isHere(row)) {
      return Item.of(Outcome.NOT_HERE);
    }
    if (relayout == null) {
      return isOver(request, row) ? Item.of(Outcome.NOTHING) : refusal(request);
    }
    if (request.generation() != relayout.generation() || !isOld(row)) {
      return refusal(request);
    }
    if (!isMoving()) {
      return Item.of(Outcome.NOT_YET);
    }
    return read(row, room, first);
  }

  /**
   * Whether the relayout that is asked about is over, with its rows in this table's layout: each
   * step has a higher version than the generation of the relayout that it is of, and the row of a
   * layout that has been left cannot have been written since.
   */
  private boolean isOver(RelayoutRequest request, byte[] row) {
    return request.generation() < config.layoutVersion()
        && !config.layout().check(row, 0, row.length).conforms();
  }

  private Item read(byte[] row, long room, boolean first) throws IOException {
    if (isGone(row)) {
      return Item.of(Outcome.NOTHING);
    }
    String full = memstore.obstacle();
    if ((full != null || room <= 0) && rows.isEmpty(row)) {
      return Item.of(Outcome.NOTHING);
    }
    if (full != null) {
      return Item.of(Outcome.FAILED, full); // once copied, the row could not be deleted here
    }
    if (room <= 0) {
      return Item.of(Outcome.LATER);
    }
    byte[] cells = rows.content(row, first ? MOST_BYTES : (int) room);
    if (cells != null) {
      return cells.length == 0 ? Item.of(Outcome.NOTHING) : Item.of(Outcome.CELLS, cells);
    }
    return first ? Item.of(Outcome.FAILED, tooLarge(row)) : Item.of(Outcome.LATER);
  }

  private boolean isGone(byte[] row) {
    return isMoving() && notAtHome.isGone(row);
  }

  private String tooLarge(byte[] row) {
    return "A row is too large to be moved, with its old versions and delete markers. table="
        + table()
        + " row=\""
        + RowText.abbreviated(row)
        + "\" most="
        + MOST_BYTES
        + " bytes. A major compaction may make it smaller.";
  }

  private List<Item> drop(RelayoutRequest request) throws IOException {
    List<Item> items = new ArrayList<>();
    List<Mutation> deletes = new ArrayList<>();
    String full = memstore.obstacle();
    for (int i = 0; i < request.rows().size(); i++) {
      byte[] row = request.rows().get(i);
      long timestamp = request.timestamps().get(i);
      boolean right =
          isMoving()
              && request.generation() == relayout.generation()
              && timestamp >= 0
              && timestamp < HConstants.LATEST_TIMESTAMP;
      if (!isHere(row)) {
        items.add(Item.of(Outcome.NOT_HERE));
      } else if (!right || !isOld(row)) {
        items.add(refusal(request));
      } else if (full != null) {
        items.add(Item.of(Outcome.FAILED, full));
      } else {
        items.add(Item.of(Outcome.DONE));
        deletes.add(deleteOf(row, timestamp));
      }
    }
    if (!deletes.isEmpty()) {
      tally.going().lock();
      try {
        carryOut(deletes, request, items);
      } finally {
        tally.going().unlock();
      }
    }
    return items;
  }

  /** Deletes; turns the items of those that do not go thereby into failures. */
  private void carryOut(List<Mutation> deletes, RelayoutRequest request, List<Item> items)
      throws IOException {
    hasDropped = true;
    String busy = busy(deletes);
    List<byte[]> gone = new ArrayList<>(deletes.size());
    for (int i = 0; i < items.size(); i++) {
      byte[] row = request.rows().get(i);
      if (items.get(i).outcome() == Outcome.DONE) {
        if (rows.isEmpty(row)) {
          gone.add(row);
        } else {
          String words = busy == null ? somethingLeft(row, request.timestamps().get(i)) : busy;
          items.set(i, Item.of(Outcome.FAILED, words));
        }
      }
    }
    tally.gone(gone);
  }

  /** Deletes, unless the region's own memstore is full; answers why then, else null. */
  private String busy(List<Mutation> deletes) throws IOException {
    try {
      region.batchMutate(deletes.toArray(new Mutation[0]));
      return null;
    } catch (RegionTooBusyException e) { // the asker's client would wait for it in a handler
      return "The region of the old row takes no deletes now: " + PullClient.words(e);
    }
  }

  private Delete deleteOf(byte[] row, long timestamp) throws IOException {
    Delete delete = new Delete(row).setDurability(LogSync.of(region));
    for (ColumnFamilyDescriptor family : region.getTableDescriptor().getColumnFamilies()) {
      delete.add(Leftovers.marker(row, family.getName(), timestamp));
    }
    own.mark(delete);
    return delete;
  }

  private String somethingLeft(byte[] row, long timestamp) {
    return "Something is left of a row that was to be deleted. table="
        + table()
        + " row=\""
        + RowText.abbreviated(row)
        + "\" timestamp="
        + timestamp
        + ". The next pull takes it along.";
  }

  private RelayoutResponse count(RelayoutRequest request) throws IOException {
    if (relayout == null || request.generation() != relayout.generation()) {
      return answer(0, Collections.singletonList(refusal(request)));
    }
    byte[] from = request.rows().isEmpty() ? new byte[0] : request.rows().get(0);
    if (from.length > 0 && !isHere(from)) {
      return answer(0, Collections.singletonList(Item.of(Outcome.NOT_HERE)));
    }
    MisplacedRows.Count count = notAtHome.count(from);
    return answer(count.rows(), count.items());
  }

  private Item progress(RelayoutRequest request) throws IOException {
    if (tally == null || request.generation() != relayout.generation()) {
      return refusal(request);
    }
    RegionProgress progress = tally.progress();
    if (tally.comesToNone()) {
      notAtHome.findGone(); // by a scan: the tally may be too low
    }
    return progress.toItem();
  }

  private boolean isHere(byte[] row) {
    return region.getRegionInfo().containsRow(row);
  }

  private boolean isOld(byte[] row) {
    return relayout.change().place(row) == Place.OLD;
  }

  private Item refusal(RelayoutRequest request) {
    return Item.of(
        Outcome.REFUSED,
        "The region is not the one to ask that, about that change of the layout. table="
            + table()
            + " region="
            + region.getRegionInfo().getEncodedName()
            + " asked="
            + request
            + " version="
            + config.layoutVersion()
            + (relayout == null
                ? ""
                : " generation="
                    + relayout.generation()
                    + " phase="
                    + (isMoving() ? "moving" : "prepared"))
            + ".");
  }

  private String table() {
    return region.getTableDescriptor().getTableName().getNameAsString();
  }
}
