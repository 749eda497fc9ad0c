package io.rowguard.tools.simulate;

import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.RowkeyLayout;
import java.util.List;

/**
 * A table that is to be tried: what its rows look like and how it is pre-split.
 *
 * @param group the layout and the entity group
 * @param splitKeys ascending, distinct, none empty
 * @param splitBy where the split keys come from, in words
 */
record Design(EntityGroup group, List<byte[]> splitKeys, String splitBy) {
  RowkeyLayout layout() {
    return group.layout();
  }

  int regions() {
    return splitKeys.size() + 1;
  }

  /** The start of a region (inclusive); empty for the first. */
  byte[] start(int region) {
    return region == 0 ? new byte[0] : splitKeys.get(region - 1);
  }

  /** The end of a region (exclusive); empty for the last. */
  byte[] end(int region) {
    return region == splitKeys.size() ? new byte[0] : splitKeys.get(region);
  }

  /** For each region, whether some row can fall into it. */
  boolean[] reachable() {
    LayoutBoundaries boundaries = LayoutBoundaries.of(group);
    boolean[] reachable = new boolean[regions()];
    for (int i = 0; i < reachable.length; i++) {
      reachable[i] = boundaries.isReachable(start(i), end(i));
    }
    return reachable;
  }

  /** The same design in an object of its own: one for each thread, as layouts share hashers. */
  Design copy() {
    RowkeyLayout layout = RowkeyLayout.parse(layout().toString());
    return new Design(EntityGroup.of(layout, group.segment()), splitKeys, splitBy);
  }
}
