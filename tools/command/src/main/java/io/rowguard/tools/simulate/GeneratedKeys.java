package io.rowguard.tools.simulate;

import io.rowguard.layout.FailureText;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.model.SimulationException;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cli.ProgressLine;
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
 * and has a tally of its own. The result does not depend on how they share the work.
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
    return ProgressLine.during(
        terminal,
        "simulating",
        count * designs.size(),
        done::get,
        () -> designs.stream().map(design -> run(design, done)).toList());
  }

  @Override
  public long count() {
    return count;
  }

  @Override
  public void runInOrder(List<Run> runs, Terminal terminal) {
    AtomicLong done = new AtomicLong();
    ProgressLine.during(
        terminal,
        "simulating",
        count * runs.size(),
        done::get,
        () ->
            inParallel(
                runs.stream().map(run -> (Callable<KeySink>) () -> inOrder(run, done)).toList()));
  }

  private KeySink inOrder(Run run, AtomicLong done) {
    RowKeys keys = open(run.layout());
    byte[] target = new byte[keys.maxLength()];
    for (long from = 0; from < count; from += INDEXES_AT_ONCE) {
      long to = Math.min(count, from + INDEXES_AT_ONCE);
      write(keys, target, from, to, run.sink());
      done.addAndGet(to - from);
    }
    return run.sink();
  }

  private static void write(RowKeys keys, byte[] target, long from, long to, KeySink sink) {
    boolean areRows = keys.areRows();
    for (long index = from; index < to; index++) {
      int length = keys.write(index, target);
      if (areRows) {
        sink.writeRow(index, target, length);
      } else {
        sink.write(index, target, length);
      }
    }
  }

  private Tally run(Design design, AtomicLong done) {
    // Opened once for its refusals, before there are threads.
    open(design.layout());
    AtomicLong next = new AtomicLong();
    List<Callable<Tally>> workers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      workers.add(() -> work(design.copy(), next, done));
    }
    List<Tally> tallies = inParallel(workers);
    tallies.subList(1, threads).forEach(tallies.get(0)::add);
    return tallies.get(0);
  }

  private <T> List<T> inParallel(List<Callable<T>> workers) {
    ExecutorService pool = Executors.newFixedThreadPool(Math.min(threads, workers.size()));
    try {
      List<T> results = new ArrayList<>();
      for (Future<T> worker : pool.invokeAll(workers)) {
        results.add(worker.get());
      }
      return results;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("Interrupted.", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof CommandFailure failure) {
        throw failure;
      }
      if (e.getCause() instanceof SimulationException failure) {
        throw failure;
      }
      throw new CommandFailure(
          "The generator failed. generator=" + name() + " why=" + FailureText.of(e), e);
    } finally {
      pool.shutdownNow();
    }
  }

  private Tally work(Design design, AtomicLong next, AtomicLong done) {
    RowKeys keys = open(design.layout());
    byte[] target = new byte[keys.maxLength()];
    Tally tally = new Tally(design, count);
    while (true) {
      long from = next.getAndAdd(INDEXES_AT_ONCE);
      if (from >= count) {
        return tally;
      }
      long to = Math.min(count, from + INDEXES_AT_ONCE);
      write(keys, target, from, to, tally);
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
