package io.rowguard.benchmarks.quality;

import io.rowguard.workload.RowRange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A table whose regions are always cut at the best legal boundary. */
final class BestSplits {
  private BestSplits() {}

  static SplitResult of(TableRows rows, long limit) {
    List<Split> splits = new ArrayList<>();
    List<RowRange> done = new ArrayList<>();
    Deque<RowRange> todo = new ArrayDeque<>(List.of(rows.all()));
    while (!todo.isEmpty()) {
      RowRange region = todo.pop();
      int cut = rows.bytes(region) > limit ? rows.bestCut(region) : -1;
      if (cut < 0) {
        done.add(region);
        continue;
      }
      splits.add(Split.of(rows, region, cut));
      todo.push(new RowRange(cut, region.to()));
      todo.push(new RowRange(region.from(), cut));
    }
    return new SplitResult(rows, limit, splits, done, List.of());
  }
}
