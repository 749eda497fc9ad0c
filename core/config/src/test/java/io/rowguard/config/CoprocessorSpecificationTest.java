package io.rowguard.config;

import static io.rowguard.config.Descriptors.LAYOUT;
import static io.rowguard.config.Descriptors.ordersTable;
import static io.rowguard.config.Descriptors.site;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

/** Allowed declarations of the observer: no keys that only it would read, and no jar. */
class CoprocessorSpecificationTest {
  private static final String JAR = "hdfs:///rowguard/rowguard-server.jar";

  /**
   * The arguments after the last bar of {@code COPROCESSOR$1}: HBase puts them into the
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

  @Test
  void problems_observerFromAJar_saysWhatToDo() throws IOException {
    TableConfig config =
        TableConfig.of(from(JAR, Guards.OBSERVER, "rowguard.layout", LAYOUT), site());

    assertEquals(
        List.of(
            "The coprocessor io.rowguard.observer.LayoutRegionObserver is named with the jar"
                + " hdfs:///rowguard/rowguard-server.jar, but works from the servers' class path"
                + " only; put the jar on the class path of all masters and region servers, and"
                + " alter the table so that the coprocessor's specification begins with \"|\":"
                + " \"|io.rowguard.observer.LayoutRegionObserver|1001|\"."),
        config.problems());
  }

  /** Such a table asks for the observer, whatever else it declares. */
  @Test
  void problems_observerFromAJarAndNoKey_isWrongToo() throws IOException {
    assertTrue(TableConfig.of(from(JAR, Guards.OBSERVER), site()).isWrong());
    assertTrue(
        TableConfig.of(from(JAR, Guards.OBSERVER), site("rowguard.layout", LAYOUT)).isWrong());
  }

  @Test
  void mode_offAndTheObserverFromAJar_isOff() throws IOException {
    TableConfig config = TableConfig.of(from(JAR, Guards.OBSERVER, "rowguard.mode", "off"), site());

    assertTrue(config.isWrong());
    assertEquals(Mode.OFF, config.mode());
  }

  @Test
  void problems_observerFromTheClassPathOrAnotherFromAJar_areNone() throws IOException {
    for (TableDescriptor table :
        List.of(
            from(null, Guards.OBSERVER, "rowguard.layout", LAYOUT),
            from("", Guards.OBSERVER, "rowguard.layout", LAYOUT),
            from(JAR, "org.example.Another", "rowguard.layout", LAYOUT))) {
      assertEquals(List.of(), TableConfig.of(table, site()).problems());
    }
  }

  private static TableDescriptor from(String jar, String observer, String... keysAndValues)
      throws IOException {
    CoprocessorDescriptorBuilder coprocessor =
        CoprocessorDescriptorBuilder.newBuilder(observer).setPriority(1001);
    if (jar != null) {
      coprocessor.setJarPath(jar);
    }
    return TableDescriptorBuilder.newBuilder(Descriptors.table(keysAndValues))
        .setCoprocessor(coprocessor.build())
        .build();
  }
}
