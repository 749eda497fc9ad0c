package io.rowguard.tools.relayout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.rowguard.config.Relayout.Phase;
import io.rowguard.config.RowguardKey;
import io.rowguard.config.TableConfig;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

class RelayoutDeclarationTest {
  private static final Configuration CONF = new Configuration(false);

  private static TableDescriptor table() {
    return TableDescriptorBuilder.newBuilder(TableName.valueOf("orders"))
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
        .setValue("rowguard.layout", MovingTable.EIGHT.toString())
        .setValue("rowguard.group", "user")
        .setValue("rowguard.mode", "reject")
        .build();
  }

  private static TableConfig config(TableDescriptor table) {
    TableConfig config = TableConfig.of(table, CONF);
    assertEquals("[]", config.problems().toString());
    return config;
  }

  private static TableDescriptor prepared() {
    return RelayoutDeclaration.prepared(table(), config(table()), MovingTable.SIXTEEN);
  }

  private static TableDescriptor moving() {
    return RelayoutDeclaration.moving(prepared(), config(prepared()));
  }

  private static void assertDeclares(
      TableDescriptor table, Phase phase, long generation, long version) {
    TableConfig config = config(table);
    assertEquals(phase, config.relayout().phase());
    assertEquals(generation, config.relayout().generation());
    assertEquals(version, config.layoutVersion());
    assertEquals("user", config.declaredGroup());
  }

  private static void assertIsOver(TableDescriptor table, String layout, long version) {
    TableConfig config = config(table);
    assertNull(config.relayout());
    assertEquals(layout, config.layout().toString());
    assertEquals(version, config.layoutVersion());
    assertNull(table.getValue(RowguardKey.LAYOUT_PREVIOUS.key()));
    assertNull(table.getValue(RowguardKey.LAYOUT_PHASE.key()));
    assertNull(table.getValue(RowguardKey.LAYOUT_GENERATION.key()));
  }

  @Test
  void startToFinish_eachStepIsWhatTheValidatorTakes() {
    assertDeclares(prepared(), Phase.PREPARED, 1, 1);
    assertEquals(MovingTable.EIGHT, config(prepared()).router().primary());
    assertDeclares(moving(), Phase.MOVING, 1, 2);
    assertEquals(MovingTable.SIXTEEN, config(moving()).router().primary());
    TableDescriptor finished = RelayoutDeclaration.finished(moving(), config(moving()));
    assertIsOver(finished, MovingTable.SIXTEEN.toString(), 3);

    TableDescriptor again =
        RelayoutDeclaration.prepared(finished, config(finished), MovingTable.EIGHT);
    assertDeclares(again, Phase.PREPARED, 4, 4);
  }

  @Test
  void givenUp_whilePrepared_hasTheFormerLayout() {
    TableDescriptor givenUp = RelayoutDeclaration.givenUp(prepared(), config(prepared()));
    assertIsOver(givenUp, MovingTable.EIGHT.toString(), 2);
  }

  @Test
  void turned_exchangesTheLayoutsUnderANewGeneration_twoVersionsOn() {
    TableDescriptor turned = RelayoutDeclaration.turned(moving(), config(moving()));
    assertDeclares(turned, Phase.MOVING, 4, 4);
    assertEquals(MovingTable.EIGHT, config(turned).router().primary());
    assertEquals(MovingTable.SIXTEEN, config(turned).relayout().change().from());
    TableDescriptor finished = RelayoutDeclaration.finished(turned, config(turned));
    assertIsOver(finished, MovingTable.EIGHT.toString(), 5);
  }
}
