package io.rowguard.master;

import static io.rowguard.master.RefusedOperations.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A Phoenix local index on a table with a layout. */
@ExtendWith(MiniCluster.class)
class LocalIndexIT {
  private final HBaseTestingUtility hbase;
  private final RuleCounters counters = new RuleCounters();

  LocalIndexIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @Test
  void create_withAColumnFamilyOfALocalIndex_isRefused() throws IOException {
    try (DeclaredTable table = DeclaredTable.grouped(hbase)) {
      TableDescriptor indexed =
          TableDescriptorBuilder.newBuilder(table.declared())
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("L#0"))
              .build();

      assertRefused(() -> table.admin().createTable(indexed), "rule=local_index families=[L#0]");
    }
  }

  /** The alter of Phoenix's CREATE LOCAL INDEX. */
  @Test
  void alter_thatAddsALocalIndex_isRefusedAndChangesNothing() throws IOException {
    try (DeclaredTable table = DeclaredTable.grouped(hbase).create()) {
      TableDescriptor before = table.stored();

      assertRefused(
          () -> table.admin().modifyTable(withLocalIndex(before)),
          "table=" + table.name + " rule=local_index families=[L#f]",
          "Use a global index");
      assertRefused(
          () -> table.admin().addColumnFamily(table.name, ColumnFamilyDescriptorBuilder.of("L#0")),
          "families=[L#0]");
      assertEquals(before, table.stored());
      table.admin().addColumnFamily(table.name, ColumnFamilyDescriptorBuilder.of("L"));
      assertEquals(
          Map.of("refused_local_index", 2L, "warned_guard_incomplete", 1L), counters.moved());
    }
  }

  /** The policy is not Phoenix's here, whose class the servers do not have. */
  private static TableDescriptor withLocalIndex(TableDescriptor table) {
    return TableDescriptorBuilder.newBuilder(table)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("L#f"))
        .setRegionSplitPolicyClassName("org.apache.hadoop.hbase.regionserver.SteppingSplitPolicy")
        .build();
  }

  @Test
  void alter_ofATableWithALocalIndex_isRefusedOnlyWhereItBeginsToRefuseRows() throws IOException {
    try (DeclaredTable table = DeclaredTable.grouped(hbase, "rowguard.mode", "warn").create()) {
      table.admin().modifyTable(withLocalIndex(table.stored()));
      assertEquals(
          Map.of("warned_local_index", 1L, "warned_guard_incomplete", 1L), counters.moved());

      assertRefused(() -> table.alter("rowguard.mode", "reject"), "rule=local_index");
      table.alter("rowguard.mode", "reject", "rowguard.force", "the index goes tonight");
      table.alter("MAX_FILESIZE", "100000000");
      table.alter("rowguard.mode", "off");

      assertEquals("off", table.value("rowguard.mode"));
    }
  }
}
