package io.rowguard.config;

import static io.rowguard.config.Descriptors.LAYOUT;
import static io.rowguard.config.Descriptors.ordersTable;
import static io.rowguard.config.Descriptors.site;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.junit.jupiter.api.Test;

/** A key where one plugin would read it and another would not. */
class CoprocessorArgumentsTest {

  /**
   * The arguments behind the last bar of {@code COPROCESSOR$1}: HBase puts them into the
   * configuration of that coprocessor alone, so the split policy would never see them.
   */
  @Test
  void problems_keyAmongTheArgumentsOfACoprocessor_saysWhereItBelongs() throws IOException {
    TableDescriptor table =
        ordersTable()
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .setValue("rowguard.layout", LAYOUT)
            .setCoprocessor(
                CoprocessorDescriptorBuilder.newBuilder("io.rowguard.observer.LayoutRegionObserver")
                    .setPriority(1001)
                    .setProperty("rowguard.group", "user")
                    .build())
            .build();

    TableConfig config = TableConfig.of(table, site());

    assertTrue(config.isWrong());
    assertTrue(config.problems().get(0).contains("rowguard.group"), config.problems().toString());
  }
}
