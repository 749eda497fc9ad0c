package io.rowguard.observer.relayout;

import io.rowguard.layout.FailureText;
import io.rowguard.observer.peers.PeerFailures;
import io.rowguard.observer.peers.PeerHealth;
import io.rowguard.observer.peers.TablePeers;
import io.rowguard.observer.request.InternalRpcCall;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse;
import io.rowguard.relayout.RelayoutResponse.Item;
import io.rowguard.relayout.RelayoutResponse.Outcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;

/**
 * Asks the regions of rows, all at the same time, and waits for their responses. Thread-safe.
 *
 * <p>Requests travel with a priority of their own, so the handlers that answer them wait for no
 * other. A region of this very server is asked at once, in the thread that asks.
 */
final class PullClient {
  /** Limit in characters: the words may go to a client once per row. */
  private static final int LONGEST_WORDS = 300;

  private static final long SLICE_MILLIS = 50;

  /**
   * Limit for locating a region, which is mostly known: a slow hbase:meta must not hold up all
   * handlers.
   */
  private static final long LOCATING_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final TablePeers peers;
  private final Region self;

  /**
   * @param self the region that asks: when it closes, answers are not waited for any more
   */
  PullClient(TablePeers peers, Region self) {
    this.peers = peers;
    this.self = self;
  }

  /** The answer for one row. */
  static final class Reply {
    private final Item item;
    private final long clock;

    private Reply(Item item, long clock) {
      this.item = item;
      this.clock = clock;
    }

    Outcome outcome() {
      return item.outcome();
    }

    /** The cells of a row, or words. */
    Item item() {
      return item;
    }

    /** The clock of the server that answered, when it did. */
    long clock() {
      return clock;
    }
  }

  /** Makes the request for some of the rows. */
  interface Asking {
    /**
     * The request.
     *
     * @param indexes of the rows, as they are counted in the list of all
     */
    RelayoutRequest of(List<Integer> indexes);
  }

  /**
   * Asks about rows; answers the reply for each, {@link Outcome#FAILED} where none came.
   *
   * @param until when the wait ends, as {@link System#nanoTime} has it
   */
  List<Reply> ask(List<byte[]> rows, Asking asking, long until) throws InterruptedException {
    List<Integer> all = new ArrayList<>(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      all.add(i);
    }
    all.sort((a, b) -> Bytes.compareTo(rows.get(a), rows.get(b)));
    Round round = new Round(rows, asking, until);
    round.run(all, false);
    all.removeIf(i -> round.replies[i].outcome() != Outcome.NOT_HERE);
    if (!all.isEmpty()) {
      round.run(all, true); // a region has been split or merged since
    }
    List<Reply> replies = new ArrayList<>(rows.size());
    List<byte[]> lost = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      if (round.replies[i].outcome() == Outcome.NOT_HERE) {
        lost.add(rows.get(i));
        round.replies[i] = failed("The region of the old row is not where it should be.");
      }
      replies.add(round.replies[i]);
    }
    if (!lost.isEmpty()) {
      peers.refresh(lost);
    }
    return replies;
  }

  /** A request to one region, under way. */
  private static final class Group {
    private final HRegionLocation location;
    private final List<Integer> indexes = new ArrayList<>();
    private PeerHealth.Attempt attempt;
    private boolean over;
    private Result result;
    private Throwable error;

    Group(HRegionLocation location) {
      this.location = location;
    }
  }

  /** The rows, asked about once. */
  private final class Round {
    private final List<byte[]> rows;
    private final Asking asking;
    private final long until;
    private final Reply[] replies;

    Round(List<byte[]> rows, Asking asking, long until) {
      this.rows = rows;
      this.asking = asking;
      this.until = until;
      this.replies = new Reply[rows.size()];
    }

    void run(List<Integer> sorted, boolean anew) throws InterruptedException {
      Map<String, Group> groups = grouped(sorted, anew);
      List<Group> here = new ArrayList<>();
      for (Group group : groups.values()) {
        if (peers.here(group.location) == null) {
          send(group);
        } else {
          here.add(group);
        }
      }
      for (Group group : here) {
        askHere(group);
      }
      await(groups.values());
      for (Group group : groups.values()) {
        read(group);
      }
    }

    private Map<String, Group> grouped(List<Integer> sorted, boolean anew)
        throws InterruptedException {
      Map<String, Group> groups = new LinkedHashMap<>();
      Group latest = null;
      for (int index : sorted) {
        byte[] row = rows.get(index);
        if (latest == null || !latest.location.getRegion().containsRow(row)) {
          try {
            HRegionLocation found =
                peers
                    .locate(row, anew)
                    .get(Math.max(0, Math.min(left(), LOCATING_NANOS)), TimeUnit.NANOSECONDS);
            latest =
                groups.computeIfAbsent(
                    found.getRegion().getEncodedName(), name -> new Group(found));
          } catch (InterruptedException e) {
            throw e;
          } catch (Exception e) {
            replies[index] = failed("The region of the old row cannot be found: " + words(e));
            continue;
          }
        }
        latest.indexes.add(index);
      }
      return groups;
    }

    private long left() {
      return until - System.nanoTime();
    }

    private Get get(Group group) {
      Get get = asking.of(group.indexes).toGet(rows.get(group.indexes.get(0)));
      get.setPriority(HConstants.HIGH_QOS);
      return get;
    }

    private void send(Group group) {
      long millis = TimeUnit.NANOSECONDS.toMillis(left());
      if (millis <= 0) {
        return;
      }
      group.attempt =
          peers
              .ofServer()
              .health()
              .begin(group.location.getServerName(), group.location.getRegion().getEncodedName());
      if (group.attempt == null) {
        synchronized (this) {
          group.over = true;
          group.error = new IOException("It does not answer.");
        }
        return;
      }
      try {
        FutureUtils.addListener(
            peers.ask(get(group), millis), (result, error) -> ended(group, result, error));
      } catch (Throwable e) {
        ended(group, null, e);
      }
    }

    private void askHere(Group group) {
      Region region = peers.here(group.location);
      long millis = TimeUnit.NANOSECONDS.toMillis(left());
      if (region != null && millis > 0) {
        try {
          Result result =
              InternalRpcCall.run(millis, Collections.emptyList(), () -> region.get(get(group)));
          ended(group, result, null);
          return;
        } catch (DoNotRetryIOException e) {
          ended(group, null, e);
          return;
        } catch (IOException e) {
          // It closes, say: the client finds out where it goes.
        }
      }
      send(group);
    }

    private void ended(Group group, Result result, Throwable error) {
      Throwable reason = error == null ? null : PeerFailures.reasonOf(error);
      synchronized (this) {
        if (!group.over) {
          group.over = true;
          group.result = result;
          group.error = reason;
          notifyAll();
        }
      }
      if (group.attempt != null) {
        group.attempt.ended(reason);
      }
    }

    private synchronized void await(Iterable<Group> groups) throws InterruptedException {
      while (true) {
        boolean over = true;
        boolean late = left() <= 0 || self.isClosing();
        for (Group group : groups) {
          if (!group.over && (late || group.attempt == null || !group.attempt.mayWait())) {
            group.over = true;
            group.error = new IOException(late ? "No answer in time." : "It does not answer.");
            if (group.attempt != null) {
              group.attempt.givenUp();
            }
          }
          over &= group.over;
        }
        if (over) {
          return;
        }
        wait(Math.max(1, Math.min(SLICE_MILLIS, TimeUnit.NANOSECONDS.toMillis(left()))));
      }
    }

    private synchronized void read(Group group) {
      Throwable error = group.error;
      if (error == null) {
        try {
          RelayoutResponse response = RelayoutResponse.of(group.result);
          List<Item> answers = response.items();
          if (answers.size() != group.indexes.size()) {
            throw new IOException("It answers of other rows than it was asked about.");
          }
          for (int i = 0; i < answers.size(); i++) {
            replies[group.indexes.get(i)] = new Reply(answers.get(i), response.clock());
          }
          return;
        } catch (IOException e) {
          error = e;
        }
      }
      Reply failed =
          failed(
              "The region of the old row gives no response. region="
                  + group.location.getRegion().getEncodedName()
                  + " server="
                  + group.location.getServerName()
                  + " why=\""
                  + words(error)
                  + "\".");
      for (int index : group.indexes) {
        replies[index] = failed;
      }
    }
  }

  private static Reply failed(String words) {
    return new Reply(Item.of(Outcome.FAILED, words), 0);
  }

  /** Describes an error in one short line. */
  static String words(Throwable error) {
    return FailureText.abbreviated(error, LONGEST_WORDS);
  }
}
