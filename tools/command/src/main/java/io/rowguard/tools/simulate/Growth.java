package io.rowguard.tools.simulate;

import io.rowguard.model.SimulatedRegionState;
import io.rowguard.model.SimulatedTable;
import io.rowguard.model.TableSettings;
import java.util.List;

/**
 * How a table of the full model became what it is.
 *
 * @param settings what it depends on
 * @param begin the design that it began with
 * @param states its regions in the end
 * @param regions the writes of each region that ever was, by the moments of the run
 * @param servers the writes of each server, by the same moments
 * @param splitTimes the number of the key with which each split began, ascending
 * @param work what its servers did
 */
record Growth(
    TableSettings settings,
    Design begin,
    List<SimulatedRegionState> states,
    Timeline regions,
    Timeline servers,
    List<Long> splitTimes,
    SimulatedTable.Work work) {

  /** How many regions there were at the end of each moment. */
  int[] regionsOverTime() {
    int[] counts = new int[regions.slots()];
    int split = 0;
    for (int slot = 0; slot < counts.length; slot++) {
      long end = (slot + 1) * regions.keysPerSlot();
      while (split < splitTimes.size()
          && (splitTimes.get(split) < end || slot == counts.length - 1)) {
        split++;
      }
      counts[slot] = begin.regions() + split;
    }
    return counts;
  }

  /** How many regions cannot be split, large as they are. */
  int stuck() {
    return (int) states.stream().filter(SimulatedRegionState::isStuck).count();
  }
}
