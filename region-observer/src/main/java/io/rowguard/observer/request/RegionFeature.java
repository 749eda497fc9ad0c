package io.rowguard.observer.request;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Pair;

/**
 * Something that Rowguard does in a region beside judging its writes: a part of salt mode, a
 * relayout, the count of its load. {@code RegionSetup} makes the list of a region's features, and
 * {@code RegionHooks} asks each in the order of that list; an exception ends the request.
 *
 * <p>Methods do nothing unless overridden. They are called by many threads at once.
 */
public interface RegionFeature {
  /** Called by the first hook that sees a mutation, of whatever kind; no row lock is held. */
  default void before(Mutation mutation) throws IOException {}

  /**
   * Called before a conditional write takes its row lock.
   *
   * @param mutations the mutations of the write
   */
  default void before(CheckAndMutate conditional, List<Mutation> mutations) throws IOException {}

  /** Called before a condition is evaluated, under the row's lock; likewise. */
  default void afterRowLock(CheckAndMutate conditional, List<Mutation> mutations)
      throws IOException {}

  /**
   * Called before an endpoint.
   *
   * @param service the full name of its service
   * @param request the bytes of its request, made when asked for
   */
  default void beforeEndpoint(String service, Supplier<byte[]> request) throws IOException {}

  /** Called after an endpoint; HBase says so unless another coprocessor's hook fails. */
  default void afterEndpoint() {}

  /** Called before a batch is judged, under its row locks. */
  default void beforeBatch() {}

  /** Called for each mutation of a batch that the region is about to store. */
  default void writing(Mutation mutation) {}

  /** Called when all mutations of a batch have been judged. */
  default void judged(MiniBatchOperationInProgress<Mutation> batch) {}

  /** Whether a mutation will be stored under another row. */
  default boolean isElsewhere(Mutation mutation) {
    return false;
  }

  /** Called before a Get; a cell is the answer in its place. */
  default Cell answer(Get get) throws IOException {
    return null;
  }

  /** Whether {@link #cells} replaces what a Get found here. */
  default boolean hasCells(Get get) {
    return false;
  }

  /** Gives the cells that a Get is answered with. */
  default List<Cell> cells(Get get) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Called when a Get has been carried out here. */
  default void read(Get get) {}

  /** Called before a scan opens. */
  default void before(Scan scan) throws IOException {}

  /** Called when a scan has given rows. */
  default void scanned(List<Result> rows) {}

  /**
   * Called before HFiles are loaded.
   *
   * @param familyPaths the files, each with its family
   */
  default void beforeBulkLoad(List<Pair<byte[], String>> familyPaths, Configuration conf)
      throws IOException {}

  /** Called when the region has closed, or HBase has loaded its coprocessors anew. */
  default void close() throws IOException {}

  /**
   * The features that override a method, in their order. By reflection: for the opening of a
   * region, so that its rows do not pay for features that ignore them.
   *
   * @param method the name of a method of this interface
   * @param parameters the types of its parameters
   * @throws IllegalArgumentException for any other
   */
  static RegionFeature[] overriding(
      List<RegionFeature> features, String method, Class<?>... parameters) {
    List<RegionFeature> some = new ArrayList<>(features);
    some.removeIf(
        feature -> {
          try {
            return feature.getClass().getMethod(method, parameters).getDeclaringClass()
                == RegionFeature.class;
          } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException("No feature has such a method: " + method, e);
          }
        });
    return some.toArray(new RegionFeature[0]);
  }
}
