package io.rowguard.observer.relayout;

import io.rowguard.relayout.Answer.Outcome;
import io.rowguard.relayout.Question;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Rows of one region of this server, or of several, that are pulled together. The steps are those
 * of {@code PullSteps} of {@code testing/relayout-model}. Of one thread.
 *
 * <p>Whoever pulls from here on locks all keys at first, region after region and row after row in
 * their order, so that nobody waits in a circle.
 */
final class PullWork {
  private final Puller caller;
  private final boolean byTouch;
  private final List<Row> rows = new ArrayList<>();
  private final Map<Puller, TreeMap<byte[], Row>> bySide = new HashMap<>();
  private final List<Puller> sides;

  /** A row, and what its pull comes to. */
  private static final class Row {
    private final Puller side;
    private final byte[] newRow;
    private Copy copy;
    private Pulled result;

    Row(Puller side, byte[] newRow) {
      this.side = side;
      this.newRow = newRow;
    }
  }

  /**
   * @param caller in whose region's operation the thread is
   * @param newRows of each region in any order; those that are known to be pulled are left out
   */
  PullWork(Puller caller, Map<Puller, List<byte[]>> newRows, boolean byTouch) {
    this.caller = caller;
    this.byTouch = byTouch;
    this.sides = new ArrayList<>(newRows.keySet());
    sides.sort(Comparator.comparing(Puller::region, RegionInfo.COMPARATOR));
    for (Puller side : sides) {
      TreeMap<byte[], Row> own = new TreeMap<>(Bytes.BYTES_COMPARATOR);
      for (byte[] newRow : side.pulledRows().missing(newRows.get(side))) {
        own.put(newRow, new Row(side, newRow));
      }
      bySide.put(side, own);
      rows.addAll(own.values());
    }
  }

  /** Whether all of it was pulled before. */
  boolean isEmpty() {
    return rows.isEmpty();
  }

  /** What became of some rows of a region. */
  List<Pulled> of(Puller side, List<byte[]> newRows) {
    List<Pulled> pulled = new ArrayList<>(newRows.size());
    for (byte[] newRow : newRows) {
      Row row = bySide.get(side).get(newRow);
      pulled.add(row == null ? Pulled.UNMOVED : row.result);
    }
    return pulled;
  }

  /** Steps 1 and 8; between them each round pulls what fits into one answer. */
  void run(long until) throws InterruptedException {
    if (!caller.wire().hasRoom()) {
      fail(rows, "Too much is being moved by this server.");
      return;
    }
    List<KeyLocks.Held> held = new ArrayList<>(sides.size());
    try {
      boolean waited = false;
      for (Puller side : sides) {
        List<byte[]> keys = new ArrayList<>(bySide.get(side).keySet());
        KeyLocks.Held own = side.locks().lock(keys, until - System.nanoTime());
        if (own == null) {
          fail(rows, "Others are pulling the same rows.");
          return;
        }
        held.add(own);
        waited |= own.waited();
      }
      if (waited) {
        caller.metrics().waited();
      }
      List<Row> left = new ArrayList<>(rows.size());
      for (Row row : rows) {
        if (waited && row.side.pulledRows().contains(row.newRow)) {
          row.result = Pulled.UNMOVED;
        } else {
          left.add(row);
        }
      }
      while (!left.isEmpty()) {
        left = round(left, until);
      }
      remember();
    } finally {
      held.forEach(KeyLocks.Held::close);
    }
  }

  /** Steps 2 to 7 for some rows; answers which are to be asked about again. */
  private List<Row> round(List<Row> asked, long until) throws InterruptedException {
    List<byte[]> oldRows = new ArrayList<>(asked.size());
    for (Row row : asked) {
      oldRows.add(row.side.oldRow(row.newRow));
    }
    List<Questioner.Said> said =
        caller
            .questioner()
            .ask(oldRows, some -> Question.ask(caller.generation(), pick(oldRows, some)), until);
    List<Row> later = new ArrayList<>();
    List<Row> found = new ArrayList<>(asked.size());
    boolean progress = false;
    long bytes = 0;
    for (int i = 0; i < asked.size(); i++) {
      Row row = asked.get(i);
      Questioner.Said item = said.get(i);
      switch (item.outcome()) {
        case NOTHING:
          row.copy = Copy.ofNothing(row.newRow);
          found.add(row);
          break;
        case CELLS:
          bytes += item.item().bytes().length;
          addCopy(found, row, oldRows.get(i), item);
          break;
        case LATER:
          later.add(row);
          continue;
        case NOT_YET:
          row.result = Pulled.NOT_YET;
          break;
        default:
          fail(row, item.item().words());
          break;
      }
      progress = true;
    }
    caller.wire().hold(bytes);
    try {
      write(found, until);
      drop(found, until);
    } finally {
      caller.wire().hold(-bytes);
    }
    conclude(found);
    if (!later.isEmpty() && (!progress || System.nanoTime() - until >= 0)) {
      fail(later, "There is more to be moved than the time allows.");
      later.clear();
    }
    return later;
  }

  private void addCopy(List<Row> found, Row row, byte[] oldRow, Questioner.Said said) {
    try {
      List<Cell> cells = CellCodec.read(said.item().bytes(), row.newRow);
      row.copy = Copy.of(row.newRow, oldRow, cells, said.clock());
      found.add(row);
    } catch (IOException e) {
      fail(row, "The cells of the old row cannot be read: " + Questioner.words(e));
    }
  }

  /** Steps 4 and 5, in each region by itself. */
  private void write(List<Row> found, long until) throws InterruptedException {
    for (Puller side : sides) {
      List<Copy> own = new ArrayList<>();
      for (Row row : found) {
        if (row.side == side) {
          own.add(row.copy);
        }
      }
      if (!own.isEmpty()) {
        side.copies().write(own, until);
      }
    }
  }

  /** Steps 6 and 7, of what is copied. */
  private void drop(List<Row> found, long until) throws InterruptedException {
    List<Copy> copied = new ArrayList<>();
    List<byte[]> oldRows = new ArrayList<>();
    for (Row row : found) {
      if (row.copy.isToBeDropped()) {
        copied.add(row.copy);
        oldRows.add(row.copy.oldRow());
      }
    }
    if (copied.isEmpty()) {
      return;
    }
    List<Questioner.Said> said =
        caller
            .questioner()
            .ask(
                oldRows,
                some -> {
                  List<Long> timestamps = new ArrayList<>(some.size());
                  some.forEach(i -> timestamps.add(copied.get(i).newest()));
                  return Question.drop(caller.generation(), pick(oldRows, some), timestamps);
                },
                until);
    for (int i = 0; i < copied.size(); i++) {
      if (said.get(i).outcome() != Outcome.DONE) {
        copied.get(i).fail("What is copied cannot be removed there: " + said.get(i).item().words());
      }
    }
  }

  private void conclude(List<Row> found) {
    int moved = 0;
    for (Row row : found) {
      Copy copy = row.copy;
      row.copy = null; // which may be large
      if (copy.failure() != null) {
        fail(row, copy.failure());
      } else {
        row.result = copy.isToBeDropped() ? Pulled.MOVED : Pulled.UNMOVED;
        moved += copy.isToBeDropped() ? 1 : 0;
      }
    }
    if (moved > 0) {
      caller.metrics().moved(moved, byTouch);
    }
  }

  private void remember() {
    for (Puller side : sides) {
      List<byte[]> pulled = new ArrayList<>();
      for (Row row : bySide.get(side).values()) {
        if (row.result.isPulled()) {
          pulled.add(row.newRow);
        }
      }
      side.pulledRows().add(pulled);
    }
  }

  private void fail(List<Row> some, String words) {
    some.forEach(row -> fail(row, words));
  }

  private void fail(Row row, String words) {
    row.result = Pulled.failed(words);
    caller.metrics().failed(1);
  }

  private static List<byte[]> pick(List<byte[]> rows, List<Integer> places) {
    List<byte[]> some = new ArrayList<>(places.size());
    for (int place : places) {
      some.add(rows.get(place));
    }
    return some;
  }
}
