package io.rowguard.soak.torture;

import io.rowguard.checker.NaiveLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Holds the stored rows of a table to what a tool has written: each key once, in its bucket, and
 * nothing else; counters that clients have counted up have counted each of them once. For one
 * thread.
 */
final class TortureLook {
  private static final int MOST_SHOWN = 20;
  private static final byte[] COUNTERS = Bytes.toBytes("info0");
  private static final byte[] COUNTER = Bytes.toBytes("IncrementTest");
  private static final byte[] APPENDED = Bytes.toBytes("AppendTest");

  private final TortureTool tool;
  private final TortureGuard guard;
  private final int expected;
  private final BitSet seen = new BitSet();
  private final List<String> complaints = new ArrayList<>();
  private int rows;
  private int right;
  private int wrong;
  private int miscounted;

  /**
   * A look at an empty table.
   *
   * @param expected how many rows the tool has written
   */
  TortureLook(TortureTool tool, TortureGuard guard, int expected) {
    this.tool = tool;
    this.guard = guard;
    this.expected = expected;
  }

  /** Adds a row as it is stored; the rows come in any order, each once. */
  void add(Result result) {
    rows++;
    byte[] row = result.getRow();
    byte[] key = guard.isSalted() ? Arrays.copyOfRange(row, 1, row.length) : row;
    int number = tool.number(key);
    if (number == TortureTool.NONE || number >= expected) {
      wrong(row, "it is none of the tool's keys");
    } else if (guard.isSalted() && row[0] != bucket(key)) {
      wrong(row, "its salt should be " + bucket(key));
    } else if (number >= 0 && seen.get(number)) {
      wrong(row, "its key is stored twice");
    } else {
      right++;
      if (number >= 0) {
        seen.set(number);
      }
      count(result, number);
    }
  }

  private static int bucket(byte[] key) {
    return Integer.remainderUnsigned(NaiveLayout.murmur3(key), TortureTool.BUCKETS);
  }

  private void wrong(byte[] row, String why) {
    wrong++;
    complain(row, why);
  }

  private void count(Result result, int number) {
    if (tool != TortureTool.PERFORMANCE || number >= expected / TortureTool.CLIENTS) {
      return;
    }
    byte[] sum = result.getValue(COUNTERS, COUNTER);
    byte[] appended = result.getValue(COUNTERS, APPENDED);
    if (sum == null || Bytes.toLong(sum) != TortureTool.CLIENTS) {
      miscounted++;
      complain(result.getRow(), "it was counted up " + (sum == null ? 0 : Bytes.toLong(sum)));
    }
    if (appended == null || appended.length != TortureTool.CLIENTS * TortureTool.APPENDED) {
      miscounted++;
      complain(result.getRow(), "appended bytes: " + (appended == null ? 0 : appended.length));
    }
  }

  private void complain(byte[] row, String why) {
    if (complaints.size() < MOST_SHOWN) {
      complaints.add(Bytes.toStringBinary(row) + ": " + why);
    }
  }

  /** Whether all is there, and nothing else. */
  boolean isWhole() {
    return right == expected && wrong == 0 && miscounted == 0;
  }

  /** The counts of the rows that are stored, in words for the user. */
  String counts() {
    return "rows=" + rows + " missing=" + (expected - right) + " wrong=" + (wrong + miscounted);
  }

  /** The first rows that are wrong, and why. */
  List<String> complaints() {
    return complaints;
  }
}
