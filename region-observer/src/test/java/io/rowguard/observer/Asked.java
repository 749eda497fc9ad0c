package io.rowguard.observer;

import static io.rowguard.observer.RelayoutTables.UNSALTED;
import static io.rowguard.observer.Writes.bytes;

import io.rowguard.config.TableConfig;
import io.rowguard.observer.relayout.GlobalMemstore;
import io.rowguard.observer.relayout.PullSource;
import io.rowguard.observer.request.InternalMutations;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse;
import io.rowguard.relayout.RelayoutResponse.Item;
import io.rowguard.relayout.RelayoutResponse.Outcome;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.regionserver.HRegion;

/** Relayout requests to the regions of a table, over the network, and their responses. */
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
  static RelayoutResponse answer(GuardedTable guarded, String at, RelayoutRequest request)
      throws IOException {
    return RelayoutResponse.of(guarded.table().get(request.toGet(bytes(at))));
  }

  static List<byte[]> rows(String... rows) {
    return Arrays.stream(rows).map(Writes::bytes).toList();
  }

  static List<Outcome> outcomes(RelayoutResponse response) {
    return response.items().stream().map(Item::outcome).toList();
  }

  /** The pull source of a region by itself, as if the region had just opened. */
  static PullSource pullSourceOf(HRegion region) {
    return new PullSource(
        region,
        TableConfig.of(region.getTableDescriptor(), region.getReadOnlyConfiguration()),
        new InternalMutations(),
        GlobalMemstore.of(null));
  }
}
