package io.rowguard.tools.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.testing.MiniCluster;
import io.rowguard.tools.ClusterSession;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** An audit whose process is asked to end. */
@ExtendWith(MiniCluster.class)
class AuditEndedIT {
  @TempDir private Path directory;

  private final HBaseTestingUtility hbase;

  AuditEndedIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  /** Lets a test know that a scan has come, and keeps it. */
  public static final class Slow implements RegionCoprocessor, RegionObserver {
    static final CountDownLatch ASKED = new CountDownLatch(1);
    static final CountDownLatch LET_GO = new CountDownLatch(1);

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Scan scan)
        throws IOException {
      ASKED.countDown();
      try {
        LET_GO.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("the server stops");
      }
    }
  }

  @Test
  void audit_askedToEnd_saysThatAndNothingElse() throws Exception {
    TableName table = TableName.valueOf("stopped");
    hbase
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(table)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .setValue("rowguard.layout", "{id:hex(4)}")
                .setCoprocessor(Slow.class.getName())
                .build());
    Path out = directory.resolve("out");
    Process audit = new ClusterSession(hbase, directory).start(out, "audit", "stopped");
    try {
      assertTrue(Slow.ASKED.await(2, TimeUnit.MINUTES));
      audit.destroy(); // as Ctrl-C, a signal that shutdown hooks see
      assertEquals(143, audit.waitFor(), "the shell's code for that signal");
    } finally {
      Slow.LET_GO.countDown();
      hbase.deleteTable(table);
    }
    assertEquals("", Files.readString(out));
    assertEquals(
        "rowguard: The audit was stopped, and what it has read so far is not reported. It has"
            + " changed nothing.\n",
        Files.readString(directory.resolve("out.err")));
  }
}
