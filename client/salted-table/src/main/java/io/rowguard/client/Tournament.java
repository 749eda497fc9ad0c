package io.rowguard.client;

import java.util.List;

/**
 * Says which of several buckets has the next row. For one thread.
 *
 * <p>A tree of matches, which keeps who lost each: when the winner goes on to its next row, only
 * the matches on its way are played again, log2(n) comparisons where a heap takes twice as many.
 * They are most of what a merge does.
 */
final class Tournament {
  private final BucketScan[] players;
  private final boolean reversed;
  // The players are leaves, from players.length on; the matches are the nodes from 1 on.
  private final int[] losers;
  private int winner;

  /**
   * @param players each at its next row, or at its end
   * @param reversed whether the largest row is the next
   */
  Tournament(List<BucketScan> players, boolean reversed) {
    this.players = players.toArray(new BucketScan[0]);
    this.reversed = reversed;
    this.losers = new int[this.players.length];
    this.winner = this.players.length == 0 ? -1 : played(1);
  }

  private int played(int node) {
    if (node >= players.length) {
      return node - players.length;
    }
    int left = played(2 * node);
    int right = played(2 * node + 1);
    boolean leftWins = beats(left, right);
    losers[node] = leftWins ? right : left;
    return leftWins ? left : right;
  }

  /** The bucket at the next row, or null when all are at their end. */
  BucketScan winner() {
    return winner < 0 || players[winner].head() == null ? null : players[winner];
  }

  /** To be called when the winner, and no one else, has gone on. */
  void replay() {
    for (int node = (winner + players.length) / 2; node >= 1; node /= 2) {
      if (beats(losers[node], winner)) {
        int loser = winner;
        winner = losers[node];
        losers[node] = loser;
      }
    }
  }

  private boolean beats(int a, int b) {
    if (players[a].head() == null || players[b].head() == null) {
      return players[a].head() != null;
    }
    int order = players[a].compareRows(players[b]);
    return reversed ? order > 0 : order < 0;
  }
}
