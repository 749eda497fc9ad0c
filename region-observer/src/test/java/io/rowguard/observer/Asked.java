package io.rowguard.observer;

import static io.rowguard.observer.RelayoutTables.UNSALTED;
import static io.rowguard.observer.Writes.bytes;

import io.rowguard.config.TableConfig;
import io.rowguard.observer.relayout.GlobalMemstore;
import io.rowguard.observer.relayout.PullSource;
import io.rowguard.observer.request.InternalMutations;
import io.rowguard.relayout.Answer;
import io.rowguard.relayout.Answer.Item;
import io.rowguard.relayout.Answer.Outcome;
import io.rowguard.relayout.Question;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * RelayoutEndpoint to the regions of a table about its relayout, over the network, and their
 * answers.
 */
final class Asked {
  private Asked() {}

  /** Two regions, divided between old rows. New ones begin with a digit: all are in the first. */
  static GuardedTable unsalted(HBaseTestingUtility hbase, String... keysAndValues)
      throws IOException {
    return GuardedTable.of(hbase, "rowguard.layout", UNSALTED)
        .with(keysAndValues)
        .withSplits("m")
        .create();
  }

  /**
   * Asks a region.
   *
   * @param at a row of it
   */
  static Answer answer(GuardedTable guarded, String at, Question question) throws IOException {
    return Answer.of(guarded.table().get(question.toGet(bytes(at))));
  }

  static List<byte[]> rows(String... rows) {
    return Arrays.stream(rows).map(Writes::bytes).toList();
  }

  static List<Outcome> outcomes(Answer answer) {
    return answer.items().stream().map(Item::outcome).toList();
  }

  /** The old side of a region by itself, as if the region had just opened. */
  static PullSource oldSideOf(HRegion region) {
    return new PullSource(
        region,
        TableConfig.of(region.getTableDescriptor(), region.getReadOnlyConfiguration()),
        new InternalMutations(),
        GlobalMemstore.of(null));
  }
}
