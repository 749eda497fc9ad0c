package io.rowguard.tools.relayout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

class RunningWorkTest {
  private static final TableName ORDERS = TableName.valueOf("orders");

  /** As HBase 2.6.1 lists them: names are Base64 there. */
  private static String procedure(String name, String state, String qualifier) {
    return "{\"className\":\"org.apache.hadoop.hbase.master.procedure."
        + name
        + "\",\"procId\":\"12\",\"state\":\""
        + state
        + "\",\"stateMessage\":[{\"snapshot\":{\"name\":\"s\",\"table\":\""
        + qualifier
        + "\"}},{\"tableName\":{\"namespace\":\"ZGVmYXVsdA==\",\"qualifier\":\"b3JkZXJz\"}}]}";
  }

  @Test
  void snapshots_ofTheTable_areNamed() {
    String procedures =
        "["
            + procedure("SnapshotProcedure", "RUNNABLE", "orders")
            + ","
            + procedure("RestoreSnapshotProcedure", "WAITING", "orders")
            + "]";
    assertEquals(
        List.of("SnapshotProcedure", "RestoreSnapshotProcedure"),
        RunningWork.snapshots(procedures, ORDERS));
  }

  @Test
  void snapshots_overOrOfOthers_areNot() {
    String over =
        "["
            + procedure("SnapshotProcedure", "SUCCESS", "orders")
            + ","
            + procedure("ModifyTableProcedure", "RUNNABLE", "orders")
            + "]";
    assertEquals(List.of(), RunningWork.snapshots(over, ORDERS));
    String running = "[" + procedure("SnapshotProcedure", "RUNNABLE", "orders") + "]";
    assertEquals(List.of(), RunningWork.snapshots(running, TableName.valueOf("order")));
    assertEquals(List.of(), RunningWork.snapshots("[]", ORDERS));
  }

  @Test
  void snapshots_inAnotherForm_isAMistakeThatShows() {
    assertThrows(IllegalArgumentException.class, () -> RunningWork.snapshots("no list", ORDERS));
  }

  /** HBase 2.5 has no procedure of a snapshot that is made. */
  @Test
  void snapshots_underALock_areNamed() {
    String lock =
        "[{\"className\":\"org.apache.hadoop.hbase.master.locking.LockProcedure\",\"state\":\"WAITING"
            + "\",\"stateMessage\":[{\"lockType\":\"SHARED\",\"tableName\":{\"namespace\":\"ZGVmYXVsdA==\","
            + "\"qualifier\":\"b3JkZXJz\"},\"description\":\"%s\"}]}]";
    String snapshot =
        String.format(
            lock,
            "org.apache.hadoop.hbase.master.snapshot.EnabledTableSnapshotHandler: take snapshot s");
    assertEquals(List.of("LockProcedure"), RunningWork.snapshots(snapshot, ORDERS));
    assertEquals(List.of(), RunningWork.snapshots(String.format(lock, "a test"), ORDERS));
  }

  @Test
  void bulkLoads_ofTheTable_areFoundByTheirDirectories() {
    List<String> all =
        List.of(
            "hbase__orders__9k3v0",
            "hbase__orders_archive__9k3v0",
            "hbase__shop_orders__1",
            "hbase__orders__old__7",
            "DONOTERASE");
    assertEquals(List.of("hbase__orders__9k3v0"), RunningWork.bulkLoads(all, ORDERS));
    assertEquals(
        List.of("hbase__shop_orders__1"),
        RunningWork.bulkLoads(all, TableName.valueOf("shop", "orders")));
  }
}
