package io.rowguard.observer.decide;

import java.io.IOException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;

/** The way of mutations to the rows that they are stored under, in other regions mostly. */
public interface Delivery {
  /** The delivery of a region whose table salts nothing, and does not change its layout. */
  Delivery NONE =
      new Delivery() {
        @Override
        public void requireRoom(int mutations) {}

        /** Comes where HBase has loaded its coprocessors anew since the batch was judged. */
        @Override
        public void deliver(MiniBatchOperationInProgress<Mutation> batch, RegionInfo region) {
          throw new IllegalStateException("There is nothing to forward bare rows with.");
        }
      };

  /**
   * Sends a batch back before anything of it is stored, if its rows could not be delivered now.
   *
   * @param mutations how many are to be delivered
   * @throws RegionTooBusyException for the client to try again later
   */
  void requireRoom(int mutations) throws RegionTooBusyException;

  /**
   * Delivers the mutations of a batch that are to be forwarded, and makes their statuses final.
   *
   * @throws IOException when the whole batch is to be tried again
   */
  void deliver(MiniBatchOperationInProgress<Mutation> batch, RegionInfo region) throws IOException;
}
