package io.rowguard.tools.simulate;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cli.Terminal;
import java.util.List;

/** The source of a run's keys. */
interface KeySource {
  /** How many keys at most a sample of the source holds. */
  int SAMPLE = 100_000;

  /** In words, for the report. */
  String description();

  /**
   * Some of its keys, in no order, evenly from all of them: to pre-split by.
   *
   * @throws CommandFailure when they can be read only once
   */
  List<byte[]> sample(RowkeyLayout layout);

  /** How many keys there will be; 0 when unknown. */
  long count();

  /**
   * Writes all keys into each design.
   *
   * @return one tally per design
   */
  List<Tally> run(List<Design> designs, Terminal terminal);

  /** A design, and who takes its keys. */
  record Run(RowkeyLayout layout, KeySink sink) {}

  /** Writes all keys in their order into each sink, each from one thread. */
  void runInOrder(List<Run> runs, Terminal terminal);
}
