package io.rowguard.observer.decide;

import io.rowguard.config.LayoutStamp;
import io.rowguard.config.StaleLayoutException;
import io.rowguard.config.TableConfig;
import io.rowguard.observer.metrics.RelayoutMetrics;
import io.rowguard.observer.request.RegionFeature;
import io.rowguard.observer.request.RequestRows;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Attributes;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Scan;

/**
 * Refuses requests that were planned with other layouts than the region can answer them by: see
 * {@link LayoutStamp#isTaken}. Requests that name none are raw, and taken as they are. Thread-safe.
 */
public final class VersionCheck implements RegionFeature {
  private final String context;
  private final TableConfig config;
  private final LayoutStamp region;
  private final LayoutStamp.Stored stored;
  private final RepeatCheck repeats;
  private final Supplier<RelayoutMetrics> metrics;

  /**
   * @param stored what is declared for the table by now
   * @param metrics made with the first request that needs them: most tables never do
   */
  public VersionCheck(
      String table,
      TableConfig config,
      LayoutStamp.Stored stored,
      RepeatCheck repeats,
      Supplier<RelayoutMetrics> metrics) {
    this.context = "table=" + table;
    this.config = config;
    this.region = LayoutStamp.of(config);
    this.stored = stored;
    this.repeats = repeats;
    this.metrics = metrics;
  }

  /**
   * Returns if the region takes the request, and {@linkplain LayoutStamp#settle settles} it.
   *
   * @throws StaleLayoutException for its sender to plan it anew
   * @throws IOException when what is stored cannot be read
   */
  void check(Attributes request) throws IOException {
    if (LayoutStamp.isTaken(request, region, stored)) {
      region.settle(request);
      return;
    }
    metrics.get().stale();
    StaleLayoutException stale =
        new StaleLayoutException(
            "The table's layout has changed since this request was planned, or its region has not"
                + " reopened yet: read the descriptor again. "
                + context
                + " version="
                + (region.version() + LayoutStamp.ahead(request, region.version()))
                + " regionVersion="
                + config.layoutVersion()
                + " regionLayout="
                + config.declaredLayout()
                + ".");
    stale.setStackTrace(new StackTraceElement[0]); // which goes out once per row
    throw stale;
  }

  /** Tells requests that were carried out before from others. */
  public RepeatCheck repeats() {
    return repeats;
  }

  /**
   * Checks a mutation that HBase has not begun: what was carried out is not sent again. One with a
   * nonce is checked when its batch is judged, behind HBase's nonces and under its locks, where no
   * file may be read; so what that will need is read here.
   */
  @Override
  public void before(Mutation mutation) throws IOException {
    if (RepeatCheck.hasNonce(mutation)) {
      if (LayoutStamp.ahead(mutation, region.version()) == 1) {
        stored.read();
      }
      return;
    }
    try {
      check(mutation);
    } catch (StaleLayoutException e) {
      repeats.requireNew(mutation.getRow());
      throw e;
    }
  }

  @Override
  public void before(CheckAndMutate conditional, List<Mutation> mutations) throws IOException {
    for (Mutation mutation : mutations) {
      check(mutation);
    }
  }

  /**
   * Checks a call of {@code MultiRowMutationEndpoint}: it evaluates its conditions before any hook
   * sees a mutation, and a row of a former layout would fail them all.
   */
  @Override
  public void beforeEndpoint(String service, Supplier<byte[]> request) throws IOException {
    if (service.equals(RequestRows.MULTI_ROW_SERVICE)) {
      for (Mutation mutation : RequestRows.stampedOfMultiRowCall(request.get())) {
        check(mutation);
      }
    }
  }

  @Override
  public Cell answer(Get get) throws IOException {
    check(get);
    return null;
  }

  @Override
  public void before(Scan scan) throws IOException {
    check(scan);
  }
}
