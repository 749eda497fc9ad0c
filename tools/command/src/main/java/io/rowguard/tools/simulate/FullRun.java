package io.rowguard.tools.simulate;

import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.model.SimulatedRegionState;
import io.rowguard.model.SimulatedTable;
import io.rowguard.model.TableSettings;
import io.rowguard.tools.keys.KeyIntake;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A run of the full model: keys go into a table that splits, and who took them when is counted. Its
 * size depends on the regions, not on the keys. Not thread-safe.
 */
final class FullRun implements KeySink {
  private final Design design;
  private final TableSettings settings;
  private final KeyIntake intake;
  private final SimulatedTable table;
  private final Timeline regions;
  private final Timeline servers;
  private final WriteMap map;
  private long number;

  /**
   * @param keys how many keys there will be; 0 when unknown
   */
  FullRun(Design design, TableSettings settings, long keys, long seed) {
    // Layouts share hashers, and each run has a thread of its own.
    this.design = design.copy();
    this.settings = settings;
    this.intake = new KeyIntake(this.design.layout());
    this.table =
        new SimulatedTable(
            settings, LayoutBoundaries.of(this.design.group()), this.design.splitKeys(), seed);
    // Both have the same slots.
    int columns = Math.max(design.regions(), settings.servers());
    this.regions = new Timeline(columns, keys);
    this.servers = new Timeline(columns, keys);
    this.map = new WriteMap(regions, new SplittableRandom(seed));
  }

  /** The run as a source of keys takes it. */
  KeySource.Run run() {
    return new KeySource.Run(design.layout(), this);
  }

  @Override
  public void write(long index, byte[] key, int length) {
    if (intake.take(key, length)) {
      count(index, intake.row(), intake.rowLength());
    }
  }

  @Override
  public void writeRow(long index, byte[] row, int length) {
    intake.takeRow(row, length);
    count(index, row, length);
  }

  private void count(long index, byte[] row, int length) {
    number = index;
    byte[] own = Arrays.copyOf(row, length);
    table.write(index, own, this::written);
    map.add(regions, index, own);
  }

  private void written(int regionId, int server) {
    regions.add(number, regionId);
    servers.add(number, server);
  }

  /** The result, when all keys are written. */
  SimulationResult result() {
    table.close();
    List<SimulatedRegionState> states = table.regions();
    List<byte[]> splitKeys = states.stream().skip(1).map(SimulatedRegionState::start).toList();
    Growth growth =
        new Growth(settings, design, states, regions, servers, table.splitTimes(), table.work());
    Design end = new Design(design.group(), splitKeys, design.splitBy());
    return new SimulationResult(end, intake, map.by(splitKeys), growth);
  }
}
