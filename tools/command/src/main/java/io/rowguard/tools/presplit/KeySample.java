package io.rowguard.tools.presplit;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.keys.KeyFile;
import io.rowguard.tools.keys.KeyIntake;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Real rows with their weights, in HBase's order; bare keys are completed, what else does not
 * conform is left out. Immutable. All of it is in memory: some 50 bytes per row.
 */
final class KeySample {
  private final List<byte[]> rows;
  private final long[] weights;
  private final KeyIntake intake;

  private KeySample(List<byte[]> rows, long[] weights, KeyIntake intake) {
    this.rows = rows;
    this.weights = weights;
    this.intake = intake;
  }

  private static final class WeightedRow {
    private final byte[] row;
    private final long weight;

    WeightedRow(byte[] row, long weight) {
      this.row = row;
      this.weight = weight;
    }
  }

  /**
   * Reads a sample.
   *
   * @param weightsFile one weight per line of {@code keysFile}; null when all weigh the same
   * @throws CommandFailure when a file cannot be read, the two do not fit, or no row conforms
   */
  static KeySample read(
      RowkeyLayout layout, String keysFile, String weightsFile, Terminal terminal) {
    List<byte[]> keys = KeyFile.readAll(keysFile, terminal.in());
    long[] weights = null;
    if (weightsFile != null) {
      weights = KeyFile.readWeights(weightsFile, terminal.in());
      if (weights.length != keys.size()) {
        throw new CommandFailure(
            "There must be one weight per key. keys=" + keys.size() + " weights=" + weights.length);
      }
    }
    KeyIntake intake = new KeyIntake(layout);
    List<WeightedRow> rows = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      if (intake.take(keys.get(i), keys.get(i).length)) {
        rows.add(new WeightedRow(intake.row(), weights == null ? 1 : weights[i]));
      }
    }
    if (rows.isEmpty()) {
      throw new CommandFailure(
          "No key of the sample fits the layout. file="
              + keysFile
              + " refused=\""
              + intake.refusals()
              + "\". See: rowguard explain '"
              + layout
              + "' KEY");
    }
    rows.sort(Comparator.comparing(each -> each.row, Arrays::compareUnsigned));
    return new KeySample(
        rows.stream().map(each -> each.row).toList(),
        rows.stream().mapToLong(each -> each.weight).toArray(),
        intake);
  }

  /** The rows, ascending. */
  List<byte[]> rows() {
    return rows;
  }

  /** One weight per row. */
  long[] weights() {
    return weights;
  }

  /** Says on standard error what was completed and what was left out. */
  void noteWhatWasTaken(Terminal terminal) {
    if (intake.completed() > 0) {
      terminal.note(
          "Bare keys in the sample, taken as their rows: "
              + Terminal.count(intake.completed())
              + ".");
    }
    if (intake.refused() > 0) {
      terminal.note(
          "Left out of the sample, as they do not fit the layout: " + intake.refusals() + ".");
    }
  }

  /** The weight in each region that split keys make. */
  long[] weightPerRegion(List<byte[]> splitKeys) {
    long[] regions = new long[splitKeys.size() + 1];
    int region = 0;
    for (int i = 0; i < weights.length; i++) {
      while (region < splitKeys.size()
          && Arrays.compareUnsigned(splitKeys.get(region), rows.get(i)) <= 0) {
        region++;
      }
      regions[region] += weights[i];
    }
    return regions;
  }
}
