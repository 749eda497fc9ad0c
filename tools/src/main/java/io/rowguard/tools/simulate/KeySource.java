package io.rowguard.tools.simulate;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cli.Terminal;
import java.util.List;

/** Where the keys of a run come from. */
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

  /**
   * Writes all keys into each design.
   *
   * @return one tally per design
   */
  List<Tally> run(List<Design> designs, Terminal terminal);
}
