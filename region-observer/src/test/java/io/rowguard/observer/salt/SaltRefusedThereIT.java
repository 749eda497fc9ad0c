package io.rowguard.observer.salt;

import static io.rowguard.observer.fixture.Writes.delete;
import static io.rowguard.observer.fixture.Writes.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.Refusals;
import io.rowguard.observer.fixture.SaltedGuard;
import io.rowguard.testing.MiniCluster;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A final refusal by the region of the salted row is final for the client. */
@ExtendWith(MiniCluster.class)
class SaltRefusedThereIT {
  /** Refuses all writes of every region but a table's last one, to which bare keys come. */
  public static final class Refusing implements RegionCoprocessor, RegionObserver {
    /** For HBase. */
    public Refusing() {}

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preBatchMutate(
        ObserverContext<RegionCoprocessorEnvironment> context,
        MiniBatchOperationInProgress<Mutation> batch)
        throws DoNotRetryIOException {
      if (context.getEnvironment().getRegionInfo().getEndKey().length > 0) {
        throw new DoNotRetryIOException("Not here.");
      }
    }
  }

  private final HBaseTestingUtility hbase;

  SaltRefusedThereIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @Test
  void allKindsOfWrites_refusedByTheOtherRegion_areRefusedForGood() throws Exception {
    String key = SaltedGuard.farKeys("user").findFirst().orElseThrow();
    try (GuardedTable guarded = SaltedGuard.table(hbase).withCoprocessor(Refusing.class).create()) {
      List<List<Row>> writes =
          List.of(
              List.of(put(key)),
              List.of(delete(key)),
              List.of(put(key, "first"), put(key, "second")),
              List.of(delete(key), put(key)));
      for (List<Row> write : writes) {
        for (Object result : guarded.batch(write)) {
          FailedSanityCheckException refused =
              assertInstanceOf(
                  FailedSanityCheckException.class, Refusals.reasonOf(result), write.toString());
          assertTrue(refused.getMessage().contains("Not here"), refused.getMessage());
        }
      }
      assertEquals(List.of(), guarded.rows());
    }
  }

  /** Those of one mutation and those of several travel apart. */
  @Test
  void batch_someRowsRefusedByTheOtherRegion_storesTheOthers() throws Exception {
    String far = SaltedGuard.farKeys("user").findFirst().orElseThrow();
    List<String> near = SaltedGuard.nearKeys("user").limit(2).toList();
    try (GuardedTable guarded = SaltedGuard.table(hbase).withCoprocessor(Refusing.class).create()) {
      List<Row> alone = List.of(put(far), put(near.get(0), "first"), put(near.get(0), "second"));
      List<Row> twice = List.of(put(far, "first"), put(far, "second"), put(near.get(1)));

      assertEquals(Set.of(0), Refusals.placesOf(guarded.batch(alone)));
      assertEquals(Set.of(0, 1), Refusals.placesOf(guarded.batch(twice)));

      assertEquals(near.stream().map(SaltedGuard::salted).sorted().toList(), guarded.rows());
    }
  }
}
