package io.rowguard.tools.simulate;

import io.rowguard.layout.FailureText;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cli.ProgressLine;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.keys.KeyFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/** The keys of a file, in its order, read once for all designs. */
final class FileKeys implements KeySource {
  private final String file;
  private final Terminal terminal;

  FileKeys(String file, Terminal terminal) {
    this.file = file;
    this.terminal = terminal;
  }

  @Override
  public String description() {
    return file.equals("-") ? "keys of standard input" : "keys of " + file;
  }

  /** Every key of the file is in it with the same probability (Vitter's algorithm R). */
  @Override
  public List<byte[]> sample(RowkeyLayout layout) {
    if (file.equals("-")) {
      throw new CommandFailure(
          "The layout cannot be divided evenly, and standard input cannot be read twice to divide"
              + " its keys. Give --splits FILE, or the keys as a file.");
    }
    List<byte[]> sample = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(1);
    forEach(
        (number, key) -> {
          if (number < SAMPLE) {
            sample.add(key);
          } else {
            long place = random.nextLong(number + 1);
            if (place < SAMPLE) {
              sample.set((int) place, key);
            }
          }
        });
    return sample;
  }

  @Override
  public long count() {
    return 0;
  }

  @Override
  public List<Tally> run(List<Design> designs, Terminal onTerminal) {
    List<Tally> tallies = designs.stream().map(design -> new Tally(design, 0)).toList();
    write(tallies, onTerminal);
    return tallies;
  }

  @Override
  public void runInOrder(List<Run> runs, Terminal onTerminal) {
    write(runs.stream().map(Run::sink).toList(), onTerminal);
  }

  private void write(List<? extends KeySink> sinks, Terminal onTerminal) {
    AtomicLong done = new AtomicLong();
    ProgressLine.during(
        onTerminal,
        "simulating",
        0,
        done::get,
        () -> {
          forEach(
              (number, key) -> {
                sinks.forEach(sink -> sink.write(number, key, key.length));
                done.lazySet(number + 1);
              });
          return sinks;
        });
  }

  private interface Taker {
    void take(long number, byte[] key);
  }

  private void forEach(Taker taker) {
    try (KeyFile keys = KeyFile.open(file, terminal.in())) {
      long number = 0;
      for (byte[] key = keys.next(); key != null; key = keys.next()) {
        taker.take(number++, key);
      }
    } catch (IOException e) {
      throw new CommandFailure(
          "The file cannot be read. file=" + file + " why=" + FailureText.of(e), e);
    }
  }
}
