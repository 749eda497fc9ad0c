package io.rowguard.benchmarks.layout;

import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.LegalBoundaries;
import io.rowguard.layout.PrefixBoundaries;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.workload.KeySets;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The legal boundaries next to real keys: what a split policy asks for a few times per split. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class BoundariesBenchmark {
  private static final long SEED = 1;
  private static final int KEYS = 1 << 10;

  /** The layout and its group, or a prefix of HBase's. */
  @Param({"country", "each place", "package", "prefix up to |"})
  public String kind;

  private LegalBoundaries boundaries;
  private List<byte[]> keys;
  private int next;

  /** Takes some keys at random. */
  @Setup
  public void setUp() {
    String places = "{country:text(2)}|{admin:text}|{id:digits(8)}";
    keys = KeySets.geonames();
    switch (kind) {
      case "country" -> boundaries = LayoutBoundaries.of(RowkeyLayout.parse(places), "country");
      case "each place" -> boundaries = LayoutBoundaries.of(RowkeyLayout.parse(places), null);
      case "package" -> {
        boundaries =
            LayoutBoundaries.of(RowkeyLayout.parse("{package:text}|{class:text}"), "package");
        keys = KeySets.jvmclasses();
      }
      default -> boundaries = PrefixBoundaries.ofDelimiter(new byte[] {'|'});
    }
    Collections.shuffle(keys, new Random(SEED));
    keys = keys.subList(0, KEYS);
  }

  private byte[] key() {
    return keys.get(next++ & (KEYS - 1));
  }

  /** The largest boundary at or below a key. */
  @Benchmark
  public byte[] floor() {
    return boundaries.floor(key());
  }

  /** The smallest boundary above a key. */
  @Benchmark
  public byte[] ceiling() {
    return boundaries.ceiling(key());
  }
}
