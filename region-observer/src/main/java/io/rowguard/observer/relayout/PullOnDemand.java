package io.rowguard.observer.relayout;

import io.rowguard.config.Relayout;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.LayoutChange.Place;
import io.rowguard.layout.RowText;
import io.rowguard.layout.Verdict;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse;
import io.rowguard.relayout.RelayoutResponse.Item;
import io.rowguard.relayout.RelayoutResponse.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Pulls new rows of a region on demand, without a write of them, unless that is paused. A pause is
 * in memory only: it ends with the region instance. One per region instance; thread-safe.
 */
public final class PullOnDemand {
  private final RegionInfo region;
  private final TableConfig config;

  /** Null where the table's layout does not change. */
  private final Puller puller;

  private volatile boolean isPaused;

  /**
   * The pulls of a region.
   *
   * @param config of the table as the region has opened with it
   * @param puller null where the table's layout does not change
   */
  public PullOnDemand(RegionInfo region, TableConfig config, Puller puller) {
    this.region = region;
    this.config = config;
    this.puller = puller;
  }

  /** Whether nothing is pulled on demand until it is resumed. */
  public boolean isPaused() {
    return isPaused;
  }

  /**
   * Takes a {@link RelayoutRequest.Kind#PAUSE} or {@link RelayoutRequest.Kind#RESUME}. Rows that
   * are being pulled are pulled.
   */
  public RelayoutResponse pause(RelayoutRequest request) {
    Relayout relayout = config.relayout();
    if (relayout == null || request.generation() != relayout.generation()) {
      return response(
          Collections.singletonList(
              Item.of(
                  Outcome.REFUSED,
                  "The region is not in that change of the layout." + where(request))));
    }
    isPaused = request.kind() == RelayoutRequest.Kind.PAUSE;
    return response(Collections.singletonList(Item.of(Outcome.DONE)));
  }

  /**
   * Pulls the rows of a {@link RelayoutRequest.Kind#TOUCH}.
   *
   * @param millis how long it may take
   */
  public RelayoutResponse answer(RelayoutRequest request, long millis) throws IOException {
    Relayout relayout = config.relayout();
    List<byte[]> rows = request.rows();
    List<byte[]> toPull = new ArrayList<>(rows.size());
    boolean paused = isPaused; // of all rows, or of none
    Item[] items = new Item[rows.size()];
    for (int i = 0; i < items.length; i++) {
      byte[] row = rows.get(i);
      if (!region.containsRow(row)) {
        items[i] = Item.of(Outcome.NOT_HERE);
      } else if (relayout == null
          || request.generation() != relayout.generation()
          || relayout.change().place(row) != Place.NEW) {
        items[i] = Item.of(Outcome.REFUSED, refusal(request, relayout, row));
      } else if (paused) {
        items[i] = Item.of(Outcome.PAUSED);
      } else {
        toPull.add(row);
      }
    }
    List<Pulled> pulled = puller == null ? new ArrayList<>() : puller.pull(toPull, millis, true);
    int next = 0;
    for (int i = 0; i < items.length; i++) {
      items[i] = items[i] == null ? itemOf(pulled.get(next++)) : items[i];
    }
    List<Item> all = new ArrayList<>(items.length);
    for (Item item : items) {
      all.add(item);
    }
    return response(all);
  }

  private RelayoutResponse response(List<Item> items) {
    Relayout relayout = config.relayout();
    return RelayoutResponse.of(
        config.layoutVersion(),
        relayout == null ? 0 : relayout.generation(),
        relayout != null && relayout.phase() == Relayout.Phase.MOVING,
        0,
        items);
  }

  private static Item itemOf(Pulled pulled) {
    switch (pulled.outcome()) {
      case MOVED:
        return Item.of(Outcome.DONE);
      case UNMOVED:
        return Item.of(Outcome.UNMOVED);
      case NOT_YET:
        return Item.of(Outcome.FAILED, "The old row takes the writes for now.");
      default:
        return Item.of(Outcome.FAILED, pulled.words());
    }
  }

  private String refusal(RelayoutRequest request, Relayout relayout, byte[] row) {
    if (relayout != null && relayout.change().to().check(row) == Verdict.TOO_LONG) {
      return "No row as long as that can be moved here. table="
          + region.getTable()
          + " row=\""
          + RowText.abbreviated(row)
          + "\" length="
          + row.length
          + " most="
          + relayout.change().to().rowLengthLimit()
          + ".";
    }
    return "The region has no such new row, or not in that change of the layout." + where(request);
  }

  private String where(RelayoutRequest request) {
    return " table="
        + region.getTable()
        + " region="
        + region.getEncodedName()
        + " asked="
        + request
        + " version="
        + config.layoutVersion()
        + ".";
  }
}
