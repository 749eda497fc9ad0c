package io.rowguard.tools.relayout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

class RelayoutPlannerTest {
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
  void runningSnapshots_ofTheTable_areNamed() {
    String procedures =
        "["
            + procedure("SnapshotProcedure", "RUNNABLE", "orders")
            + ","
            + procedure("RestoreSnapshotProcedure", "WAITING", "orders")
            + "]";
    assertEquals(
        List.of("SnapshotProcedure", "RestoreSnapshotProcedure"),
        RelayoutPlanner.runningSnapshots(procedures, ORDERS));
  }

  @Test
  void runningSnapshots_overOrOfOthers_areNot() {
    String over =
        "["
            + procedure("SnapshotProcedure", "SUCCESS", "orders")
            + ","
            + procedure("ModifyTableProcedure", "RUNNABLE", "orders")
            + "]";
    assertEquals(List.of(), RelayoutPlanner.runningSnapshots(over, ORDERS));
    String running = "[" + procedure("SnapshotProcedure", "RUNNABLE", "orders") + "]";
    assertEquals(List.of(), RelayoutPlanner.runningSnapshots(running, TableName.valueOf("order")));
    assertEquals(List.of(), RelayoutPlanner.runningSnapshots("[]", ORDERS));
  }

  @Test
  void runningSnapshots_inAnotherForm_isAMistakeThatShows() {
    assertThrows(
        IllegalArgumentException.class, () -> RelayoutPlanner.runningSnapshots("no list", ORDERS));
  }
}
