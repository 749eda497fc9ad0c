package io.rowguard.benchmarks.salt;

import io.rowguard.benchmarks.Benchmark;
import io.rowguard.benchmarks.MarkdownTable;
import io.rowguard.benchmarks.Quantiles;
import io.rowguard.layout.RowkeyLayout;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;
import org.apache.hadoop.hbase.util.Bytes;

/** Counts how evenly hashes spread regular ids over buckets. Nothing is timed. */
public final class SaltHashes implements Benchmark {
  private static final int IDS = 100_000;
  private static final int WINDOW = 1_000;
  private static final int[] BUCKETS = {16, 20, 31, 64, 100, 256};
  private static final List<String> HASHES = List.of("murmur3", "java31", "crc32", "md5");

  /**
   * Ids as programs make them.
   *
   * @param words for a report
   * @param bareLayout of the ids
   * @param key the i-th of them
   */
  private record Ids(String words, String bareLayout, LongFunction<byte[]> key) {
    static final List<Ids> ALL =
        List.of(
            new Ids("`{id:digits(10)}`, one after the other", "{id:digits(10)}", i -> digits(i)),
            new Ids("`{id:digits(10)}`, every second", "{id:digits(10)}", i -> digits(2 * i)),
            new Ids("`{id:digits(10)}`, every 16th", "{id:digits(10)}", i -> digits(16 * i)),
            new Ids("`{id:uint64}`, one after the other", "{id:uint64}", i -> Bytes.toBytes(i)),
            new Ids("`{id:uint64}`, every 256th", "{id:uint64}", i -> Bytes.toBytes(256 * i)),
            new Ids("`{hour:uint32}`, every 3,600th", "{hour:uint32}", i -> hour(i)),
            new Ids(
                "`{user:word}`, user0, user1, ...", "{user:word}", i -> Bytes.toBytes("user" + i)));
  }

  /** Made by name. */
  public SaltHashes() {}

  @Override
  public void run(PrintStream out) {
    for (int buckets : BUCKETS) {
      out.printf("### %d buckets%n%n", buckets);
      List<String> head = new ArrayList<>(List.of("ids"));
      head.addAll(HASHES);
      MarkdownTable table = new MarkdownTable(head.toArray(String[]::new));
      for (Ids ids : Ids.ALL) {
        List<String> cells = new ArrayList<>(List.of(ids.words));
        HASHES.forEach(hash -> cells.add(spread(ids, hash, buckets)));
        table.add(cells);
      }
      table.print(out);
    }
  }

  /**
   * The fullest bucket by the mean: of all ids, then of those that are written at about the same
   * time; and how many buckets stay empty.
   */
  private static String spread(Ids ids, String hash, int buckets) {
    RowkeyLayout layout =
        RowkeyLayout.parse("{salt:uint16=" + hash + "(*)%" + buckets + "}" + ids.bareLayout);
    int[] rows = new int[buckets];
    double[] windows = new double[IDS / WINDOW];
    for (int window = 0; window < windows.length; window++) {
      int[] now = new int[buckets];
      for (long i = 0; i < WINDOW; i++) {
        byte[] row = layout.complete(ids.key.apply((long) window * WINDOW + i));
        now[ByteBuffer.wrap(row).getShort()]++;
      }
      windows[window] = fullest(now);
      Arrays.setAll(rows, bucket -> rows[bucket] + now[bucket]);
    }
    long empty = Arrays.stream(rows).filter(count -> count == 0).count();
    return String.format(
        Locale.ROOT,
        "%.2f, %.2f%s",
        fullest(rows),
        Quantiles.of(windows).median(),
        empty == 0 ? "" : ", " + empty + " empty");
  }

  private static double fullest(int[] rows) {
    return (double) Arrays.stream(rows).max().orElseThrow()
        * rows.length
        / Arrays.stream(rows).sum();
  }

  private static byte[] digits(long number) {
    return Bytes.toBytes(String.format(Locale.ROOT, "%010d", number));
  }

  private static byte[] hour(long number) {
    return Bytes.toBytes((int) (number * 3600));
  }
}
