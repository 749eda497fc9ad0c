package io.rowguard.client;

import io.rowguard.config.LayoutStamp;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.client.Mutation;

/**
 * The layouts that the mutations in a buffer may have been planned with, so that a mutation's bare
 * key can be told from its salted row when it comes back. Thread-safe.
 */
final class PlansInUse {
  /** A change of the layout has three steps; a buffer does not stay unsent for more. */
  private static final int MOST = 8;

  /** The newest first, since two plans may have one stamp, such as after an alter of a family. */
  private volatile List<TableLayouts> plans = Collections.emptyList();

  /** Adds the plan of mutations that are about to be sent. Cheap where it is the latest one. */
  void add(TableLayouts plan) {
    List<TableLayouts> known = plans;
    if (!known.isEmpty() && known.get(0) == plan) {
      return;
    }
    synchronized (this) {
      List<TableLayouts> next = new ArrayList<>(MOST);
      next.add(plan);
      for (TableLayouts one : plans) {
        if (one != plan && next.size() < MOST) {
          next.add(one);
        }
      }
      plans = Collections.unmodifiableList(next);
    }
  }

  /** The plan that a mutation names by its stamp; null where it is too old to be known. */
  TableLayouts of(Mutation mutation) {
    for (TableLayouts plan : plans) {
      LayoutStamp stamp = plan.target().stamp();
      if (stamp != null && stamp.isNamedBy(mutation)) {
        return plan;
      }
    }
    return null;
  }
}
