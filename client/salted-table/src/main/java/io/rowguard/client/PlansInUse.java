package io.rowguard.client;

import io.rowguard.config.LayoutStamp;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.hbase.client.Mutation;

/**
 * The layouts that the mutations in a buffer may have been planned with, so that a mutation's bare
 * key can be told from its salted row when it comes back. Thread-safe.
 */
final class PlansInUse {
  /** A change of the layout has three steps; a buffer does not stay unsent for more. */
  private static final int MOST = 8;

  private final List<TableLayouts> plans = new CopyOnWriteArrayList<>();
  private volatile TableLayouts latest;

  /** Adds the plan of mutations that are about to be sent. Cheap where it is the latest one. */
  void add(TableLayouts plan) {
    if (plan != latest) {
      synchronized (this) {
        plans.remove(plan);
        plans.add(plan);
        if (plans.size() > MOST) {
          plans.remove(0);
        }
        latest = plan;
      }
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
