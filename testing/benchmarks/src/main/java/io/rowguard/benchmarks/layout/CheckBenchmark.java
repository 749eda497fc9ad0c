package io.rowguard.benchmarks.layout;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Verdict;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.constraint.Constraint;
import org.apache.hadoop.hbase.constraint.ConstraintException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of checking a row, by Rowguard and by the alternatives without it. An operation is one
 * row; an invocation goes through many rows, so that no branch can be predicted by heart.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(CheckBenchmark.ROWS)
@Warmup(iterations = 3, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 100, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class CheckBenchmark {
  static final int ROWS = 1 << 10;

  private static final long SEED = 1;
  // Enough for the compiler to take the code for one that sees many layouts.
  private static final int ROUNDS_OF_OTHERS = 30;

  /** The layout. */
  @Param public CookbookLayout use;

  /** Whether the JVM checked rows of all the other layouts before. */
  @Param("false")
  public boolean amongOthers;

  private RowkeyLayout layout;
  private RowkeyLayout structure;
  private List<byte[]> rows;
  private List<byte[]> bad;
  private Matcher matcher;
  private final Latin1View view = new Latin1View();
  private Constraint constraint;
  private List<Put> puts;

  /** Draws the rows. */
  @Setup
  public void setUp() {
    layout = use.layout();
    structure = use.structure();
    rows = new SampleRows(layout, use.rowLength(), SEED).conforming(ROWS);
    bad = new SampleRows(layout, use.rowLength(), SEED).refused(ROWS);
    matcher = use.pattern().matcher("");
    constraint = use.constraint().orElse(null);
    puts = rows.stream().map(Put::new).toList();
    if (amongOthers) {
      for (CookbookLayout other : CookbookLayout.values()) {
        checkRowsOf(other);
      }
    }
    require(structure() == ROWS && regex() == ROWS, "a conforming row");
    require(count(layout, rows) == ROWS && count(layout, bad) == 0, "a row");
  }

  private static void checkRowsOf(CookbookLayout other) {
    List<byte[]> others = new SampleRows(other.layout(), other.rowLength(), SEED).conforming(ROWS);
    for (int round = 0; round < ROUNDS_OF_OTHERS; round++) {
      require(count(other.layout(), others) == ROWS, "another layout's row");
    }
  }

  private static void require(boolean right, String what) {
    if (!right) {
      throw new IllegalStateException("judged wrongly: " + what);
    }
  }

  private static int count(RowkeyLayout layout, List<byte[]> rows) {
    int conforming = 0;
    for (byte[] row : rows) {
      conforming += layout.check(row, 0, row.length) == Verdict.CONFORMS ? 1 : 0;
    }
    return conforming;
  }

  /** Rows that conform, with their salts. */
  @Benchmark
  public int check() {
    return count(layout, rows);
  }

  /** Rows that do not. */
  @Benchmark
  public int refused() {
    return count(layout, bad);
  }

  /** Rows that conform, against a layout whose salts are any digits. */
  @Benchmark
  public int structure() {
    return count(structure, rows);
  }

  /** Every byte read once. */
  @Benchmark
  public int emptyLoop() {
    int sum = 0;
    for (byte[] row : rows) {
      for (byte b : row) {
        sum += b;
      }
    }
    return sum;
  }

  /** The structure as a regular expression, on a view of the bytes. */
  @Benchmark
  public int regex() {
    int matching = 0;
    for (byte[] row : rows) {
      matching += matcher.reset(view.of(row)).matches() ? 1 : 0;
    }
    return matching;
  }

  /** A constraint as HBase calls it, written by hand. */
  @Benchmark
  public int constraint() throws ConstraintException {
    for (Put put : puts) {
      constraint.check(put);
    }
    return puts.size();
  }
}
