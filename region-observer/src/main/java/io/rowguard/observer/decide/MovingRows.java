package io.rowguard.observer.decide;

import io.rowguard.routing.Route;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Mutation;

/** Decides on writes of the rows that have another place under the other layout of a relayout. */
public interface MovingRows {
  /**
   * Decides on a mutation that the region does not make itself.
   *
   * @param route of its row, which is of one layout only
   * @param replicated whether it arrives by replication
   */
  Decision judge(Mutation mutation, Route route, boolean replicated);

  /**
   * Why a row cannot be written that another coprocessor adds to a batch; null if it can be.
   *
   * @param route of the row, which is of one layout only
   */
  Refusal refusalOfAdded(Mutation added, Route route) throws IOException;
}
