package io.rowguard.tools.simulate;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cli.Progress;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.keys.GeneratorText;
import io.rowguard.tools.keys.Generators;
import io.rowguard.tools.keys.RowKeys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The keys of a generator, made by all processors: each thread takes the next few thousand indexes
 * and has a tally of its own. What comes out does not depend on how they share the work.
 */
final class GeneratedKeys implements KeySource {
  private static final int INDEXES_AT_ONCE = 8192;

  private final GeneratorText generator;
  private final long count;
  private final long seed;
  private final int threads;

  /**
   * @param count how many keys, 1 or more
   */
  GeneratedKeys(GeneratorText generator, long count, long seed, int threads) {
    this.generator = generator;
    this.count = count;
    this.seed = seed;
    this.threads = threads;
  }

  @Override
  public String description() {
    return Terminal.count(count) + " keys of the generator " + name();
  }

  @Override
  public List<byte[]> sample(RowkeyLayout layout) {
    RowKeys keys = open(layout);
    byte[] target = new byte[keys.maxLength()];
    long size = Math.min(count, SAMPLE);
    List<byte[]> sample = new ArrayList<>();
    for (long i = 0; i < size; i++) {
      int length = keys.write(Math.floorDiv(Math.multiplyExact(i, count), size), target);
      sample.add(Arrays.copyOf(target, length));
    }
    return sample;
  }

  @Override
  public List<Tally> run(List<Design> designs, Terminal terminal) {
    AtomicLong done = new AtomicLong();
    return Progress.during(
        terminal,
        "simulating",
        count * designs.size(),
        done::get,
        () -> designs.stream().map(design -> run(design, done)).toList());
  }

  private Tally run(Design design, AtomicLong done) {
    // Opened once for its refusals, before there are threads.
    open(design.layout());
    AtomicLong next = new AtomicLong();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Callable<Tally>> workers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        workers.add(() -> work(design.copy(), next, done));
      }
      Tally all = null;
      for (Future<Tally> worker : pool.invokeAll(workers)) {
        Tally one = worker.get();
        if (all == null) {
          all = one;
        } else {
          all.add(one);
        }
      }
      return all;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("Interrupted.", e);
    } catch (ExecutionException e) {
      throw new CommandFailure(
          "The generator failed. generator=" + name() + " why=" + e.getCause(), e);
    } finally {
      pool.shutdownNow();
    }
  }

  private Tally work(Design design, AtomicLong next, AtomicLong done) {
    RowKeys keys = open(design.layout());
    boolean areRows = keys.areRows();
    byte[] target = new byte[keys.maxLength()];
    Tally tally = new Tally(design, count);
    while (true) {
      long from = next.getAndAdd(INDEXES_AT_ONCE);
      if (from >= count) {
        return tally;
      }
      long to = Math.min(count, from + INDEXES_AT_ONCE);
      for (long index = from; index < to; index++) {
        int length = keys.write(index, target);
        if (areRows) {
          tally.writeRow(index, target, length);
        } else {
          tally.write(index, target, length);
        }
      }
      done.addAndGet(to - from);
    }
  }

  private RowKeys open(RowkeyLayout layout) {
    return Generators.open(generator, layout, count, seed);
  }

  private String name() {
    return generator.generator().name();
  }
}
