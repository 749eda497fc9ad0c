package io.rowguard.master;

import static io.rowguard.master.RefusedOperations.assertRefused;
import static io.rowguard.master.RelayoutDescriptors.NEW;
import static io.rowguard.master.RelayoutDescriptors.OLD;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.testing.Eventually;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.master.locking.LockManager;
import org.apache.hadoop.hbase.procedure2.LockType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Alters of a table in relayout at the same time: by the table's lock only one is taken. */
@ExtendWith(MiniCluster.class)
class RelayoutLockIT {
  private final HBaseTestingUtility hbase;

  RelayoutLockIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  /** All were judged by version 2, and wait for the table's lock then. */
  @Test
  void alters_atTheSameTime_onlyOneIsTaken() throws Exception {
    for (int round = 0; round < 4; round++) {
      try (DeclaredTable table = salted()) {
        RelayoutAlters.start(table, NEW);
        RelayoutAlters.move(table);
        TableDescriptor moving = table.stored();
        TableDescriptor finish = RelayoutAlters.finished(moving);
        TableDescriptor back = RelayoutAlters.back(moving);
        TableDescriptor stale = RelayoutDescriptors.with(moving, "MAX_FILESIZE", "100000000");

        List<Throwable> refusals =
            together(
                table,
                round % 2 == 0 ? List.of(finish, back, stale) : List.of(back, finish, stale));

        TableDescriptor stored = table.stored();
        assertTrue(stored.equals(finish) || stored.equals(back), () -> stored.toString());
        assertTrue(refusals.size() >= 1 && refusals.size() <= 2, refusals::toString);
        for (Throwable refusal : refusals) {
          assertRefused(
              () -> {
                throw refusal;
              },
              "rule=relayout_version stored=",
              "To do it all the same, give the command again: it is judged by what is stored"
                  + " then.");
        }
      }
    }
  }

  /** Alters a table at the same time, all of them judged before any is carried out. */
  private List<Throwable> together(DeclaredTable table, List<TableDescriptor> alters)
      throws Exception {
    LockManager.MasterLock lock =
        hbase
            .getMiniHBaseCluster()
            .getMaster()
            .getLockManager()
            .createMasterLock(table.name, LockType.EXCLUSIVE, "a test");
    assertTrue(lock.tryAcquire(60_000));
    ExecutorService clients = Executors.newFixedThreadPool(alters.size());
    List<Future<?>> futures = new ArrayList<>();
    try {
      for (TableDescriptor alter : alters) {
        futures.add(
            clients.submit(
                () -> {
                  table.admin().modifyTable(alter);
                  return null;
                }));
      }
      Eventually.isTrue("all have been judged", () -> waiting(table) == alters.size());
    } finally {
      lock.release();
      clients.shutdown();
    }
    List<Throwable> failures = new ArrayList<>();
    for (Future<?> future : futures) {
      try {
        future.get(5, TimeUnit.MINUTES);
      } catch (ExecutionException e) {
        failures.add(e.getCause());
      }
    }
    return failures;
  }

  private long waiting(DeclaredTable table) throws IOException {
    return hbase.getMiniHBaseCluster().getMaster().getProcedures().stream()
        .filter(procedure -> !procedure.isFinished())
        .filter(procedure -> procedure.toString().contains("ModifyTableProcedure"))
        .filter(procedure -> procedure.toString().contains("table=" + table.name))
        .count();
  }

  private DeclaredTable salted() throws IOException {
    return DeclaredTable.of(hbase, "rowguard.layout", OLD, "rowguard.group", "user")
        .withSplits("04", "08", "12")
        .create();
  }
}
