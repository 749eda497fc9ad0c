package io.rowguard.observer;

import static io.rowguard.observer.fixture.GuardedTable.LAYOUT;
import static io.rowguard.observer.fixture.Refusals.assertRefused;
import static io.rowguard.observer.fixture.Writes.BAD;
import static io.rowguard.observer.fixture.Writes.GOOD;
import static io.rowguard.observer.fixture.Writes.put;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A region whose opening fails is opened again, and must be guarded then. */
@ExtendWith(MiniCluster.class)
class RegionOpenRetriedIT {
  private final HBaseTestingUtility hbase;

  RegionOpenRetriedIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  /** Fails as many openings as wanted, and the closing of what was half open with them. */
  public static final class FailingOpen implements RegionCoprocessor, RegionObserver {
    static final AtomicInteger openings = new AtomicInteger();
    static final AtomicInteger closings = new AtomicInteger();

    /** For HBase. */
    public FailingOpen() {}

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preOpen(ObserverContext<RegionCoprocessorEnvironment> context) throws IOException {
      if (openings.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        throw new IOException("for the test: not opened");
      }
    }

    @Override
    public void preClose(ObserverContext<RegionCoprocessorEnvironment> context, boolean abort)
        throws IOException {
      if (closings.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        throw new IOException("for the test: not closed");
      }
    }
  }

  @Test
  void open_afterAFailedOne_isGuarded() throws IOException {
    FailingOpen.openings.set(2);
    assertGuarded();
  }

  /** HBase never stops the coprocessors of such a half-open region (HRegion#openHRegion). */
  @Test
  void open_afterAFailedOneThatCouldNotBeClosed_isGuarded() throws IOException {
    FailingOpen.openings.set(2);
    FailingOpen.closings.set(2);
    assertGuarded();
  }

  private void assertGuarded() throws IOException {
    try (GuardedTable neighbour = GuardedTable.create(hbase);
        GuardedTable guarded =
            GuardedTable.of(hbase, "rowguard.layout", LAYOUT)
                .withCoprocessor(FailingOpen.class)
                .create()) {
      assertEquals(0, FailingOpen.openings.get());
      assertEquals(0, FailingOpen.closings.get());
      neighbour.table().put(put(GOOD));
      assertRefused(guarded, () -> guarded.table().put(put(BAD)));
      assertEquals(List.of(), guarded.rows());
    }
  }
}
