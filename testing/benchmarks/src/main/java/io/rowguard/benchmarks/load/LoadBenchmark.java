package io.rowguard.benchmarks.load;

import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.KeyRange;
import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.load.LoadFinding;
import io.rowguard.load.LoadSummary;
import io.rowguard.load.OneIn;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The cost to an operation of counting its region's load. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class LoadBenchmark {
  private static final int ROWS = 1 << 16;
  private static final int USERS = 10_000;
  private static final int DEFAULT_SAMPLE = 100;
  private static final int HALF_LIFE = 60;
  private static final long SEED = 1;

  private final OneIn sample = OneIn.of(DEFAULT_SAMPLE);
  private EntityGroup group;
  private LayoutBoundaries boundaries;
  private LoadSummary summary;
  private byte[][] rows;

  /** Where a thread is among the rows. */
  @State(Scope.Thread)
  public static class Place {
    private int next;

    private int next() {
      next = next + 1 & ROWS - 1;
      return next;
    }
  }

  /** Draws rows of 10,000 users, few of them often. */
  @Setup
  public void setUp() {
    RowkeyLayout layout =
        RowkeyLayout.parse("{salt:digits(2)=murmur3(user)%16}-{user:word}|{item:digits(12)}");
    group = EntityGroup.of(layout, "user");
    boundaries = LayoutBoundaries.of(group);
    summary = LoadSummary.of(group, HALF_LIFE, System.nanoTime(), SEED);
    SplittableRandom random = new SplittableRandom(SEED);
    rows = new byte[ROWS][];
    for (int i = 0; i < ROWS; i++) {
      int user = (int) (USERS * Math.pow(random.nextDouble(), 3));
      String bare = String.format("user%06d|%012d", user, random.nextInt(1_000));
      rows[i] = layout.complete(bare.getBytes(StandardCharsets.UTF_8));
    }
    for (byte[] row : rows) {
      summary.record(row, 0, row.length, 1, /* isWrite= */ true, System.nanoTime());
    }
  }

  /** An operation, as the observer counts it: mostly not. */
  @Benchmark
  public boolean operation(Place place) {
    byte[] row = rows[place.next()];
    boolean due = sample.isDue();
    if (due) {
      summary.record(row, 0, row.length, 1, /* isWrite= */ true, System.nanoTime());
    }
    return due;
  }

  /** An operation that is counted. */
  @Benchmark
  public byte[] counted(Place place) {
    byte[] row = rows[place.next()];
    summary.record(row, 0, row.length, 1, /* isWrite= */ true, System.nanoTime());
    return row;
  }

  /** The same without counting it. */
  @Benchmark
  public byte[] nothing(Place place) {
    return rows[place.next()];
  }

  /** The report of the load, which is worked out on demand. */
  @Benchmark
  public LoadFinding finding() {
    return LoadFinding.of(summary.snapshot(System.nanoTime()), boundaries, KeyRange.all());
  }
}
