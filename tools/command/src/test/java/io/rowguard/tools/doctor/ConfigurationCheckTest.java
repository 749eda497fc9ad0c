package io.rowguard.tools.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.config.GroupEndpoint;
import io.rowguard.config.Guards;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

/** Descriptors and hbase-site.xml files with something wrong. */
class ConfigurationCheckTest {
  private final Configuration site = new Configuration(false);
  private final TableDescriptorBuilder table =
      TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"));

  private ConfigurationCheck check() {
    return new ConfigurationCheck(table.build(), site);
  }

  private List<String> codes() {
    return check().findings().stream().map(Finding::code).toList();
  }

  private TableDescriptorBuilder withLayout() {
    return table.setValue("rowguard.layout", "{id:hex(4)}");
  }

  private TableDescriptorBuilder guarded() throws IOException {
    return withLayout()
        .setCoprocessor(Guards.OBSERVER)
        .setRegionSplitPolicyClassName(Guards.POLICY);
  }

  @Test
  void findings_guardedTable_none() throws IOException {
    guarded();
    assertEquals(List.of(), codes());
    assertTrue(check().isMeant());
  }

  @Test
  void isMeant_plainTable_isNot() {
    assertFalse(check().isMeant());
    site.set("hbase.coprocessor.user.region.classes", Guards.OBSERVER);
    site.set("hbase.regionserver.region.split.policy", Guards.POLICY);
    assertFalse(check().isMeant(), "the site's classes are there for other tables");
    site.set("rowguard.layout", "{id:hex(4)}");
    assertTrue(check().isMeant());
    assertEquals(List.of(), codes());
  }

  @Test
  void findings_keysAlone_nothingReadsThem() {
    withLayout();
    assertEquals(List.of("not_guarded"), codes());
  }

  @Test
  void findings_oneOfTwoPlugins_theOtherIsMissed() throws IOException {
    withLayout().setCoprocessor(Guards.OBSERVER);
    assertEquals(List.of("no_split_policy"), codes());
    table.removeCoprocessor(Guards.OBSERVER).setRegionSplitPolicyClassName(Guards.POLICY);
    assertEquals(List.of("no_observer"), codes());
    site.set("hbase.coprocessor.user.region.classes", "other.Class," + Guards.OBSERVER + "|5");
    assertEquals(List.of(), codes());
  }

  @Test
  void findings_wrongConfiguration_isTheValidatorsOwn() throws IOException {
    guarded().setValue("rowguard.mode", "rejct").setValue("rowguard.layuot", "x");
    List<Finding> findings = check().findings();
    assertEquals(
        List.of("wrong_configuration", "wrong_configuration"),
        findings.stream().map(Finding::code).toList());
    List<String> problems = check().config().problems();
    for (int i = 0; i < problems.size(); i++) {
      assertTrue(findings.get(i).what().startsWith(problems.get(i)), findings.get(i).what());
    }
  }

  @Test
  void findings_modesThatLetThrough_areNamed() throws IOException {
    guarded().setValue("rowguard.mode", "warn");
    assertEquals(List.of("mode_warn"), codes());
    table.setValue("rowguard.mode", "off");
    assertEquals(List.of("mode_off"), codes());
    table.setValue("rowguard.mode", "reject");
    assertEquals(List.of(), codes());
  }

  @Test
  void findings_layoutThatChanges_isANoteThatSaysHowFarItIs() throws IOException {
    guarded()
        .setValue("rowguard.layout.previous", "{salt:hex(1)=md5(id)}{id:hex(4)}")
        .setValue("rowguard.layout.phase", "prepared")
        .setValue("rowguard.layout.generation", "3")
        .setValue("rowguard.layout.version", "3");
    assertEquals(List.of("layout_changes"), codes());
    Finding finding = check().findings().get(0);
    assertEquals(Severity.NOTE, finding.severity());
    assertEquals(
        "The layout changes: rows leave {salt:hex(1)=md5(id)}{id:hex(4)}. phase=prepared"
            + " generation=3 version=3.",
        finding.what());
    table.setValue("rowguard.layout.version", "2");
    assertEquals(List.of("wrong_configuration"), codes());
  }

  @Test
  void findings_observerWithoutLayout_checksNothing() throws IOException {
    table.setCoprocessor(Guards.OBSERVER);
    assertEquals(List.of("no_layout"), codes());
  }

  @Test
  void findings_observerTwice_isANoteUnlessHBaseSkipsOne() throws IOException {
    guarded();
    site.set("hbase.coprocessor.user.region.classes", Guards.OBSERVER);
    assertEquals(List.of("observer_twice"), codes());
    Finding twice = check().findings().get(0);
    assertEquals(Severity.NOTE, twice.severity());
    assertTrue(twice.what().contains("does no harm"), twice.what());
    site.set("hbase.skip.load.duplicate.table.coprocessor", "true");
    assertEquals(List.of(), codes());
  }

  @Test
  void findings_familyOfALocalIndex_isNamed() throws IOException {
    guarded().setColumnFamily(ColumnFamilyDescriptorBuilder.of("L#0"));
    assertEquals(List.of("local_index"), codes());
    assertTrue(check().findings().get(0).what().contains("[L#0]"));
    table.removeValue("rowguard.layout").removeCoprocessor(Guards.OBSERVER);
    assertEquals(List.of(), codes());
  }

  /** Most tables with groups need no transactions: only who asks for the table is told. */
  @Test
  void hints_groupsWithoutEndpoint_sayHowToLoadIt() throws IOException {
    assertEquals(List.of(), guardedOfGroups().hints());
    table.removeCoprocessor(GroupEndpoint.NAME);
    assertEquals(List.of(), codes());
    Finding hint = check().hints().get(0);
    assertEquals("no_group_endpoint", hint.code());
    assertEquals(Severity.NOTE, hint.severity());
    assertTrue(hint.wayOut().contains(GroupEndpoint.alter(TableName.valueOf("t"))), hint.wayOut());
    site.set("hbase.coprocessor.user.region.classes", GroupEndpoint.NAME);
    assertEquals(List.of(), check().hints());
    site.clear();
    table.removeValue("rowguard.group");
    assertEquals(List.of(), check().hints());
  }

  @Test
  void findings_endpointWithoutGroups_isANote() throws IOException {
    guardedOfGroups();
    assertEquals(List.of(), codes());
    table.removeValue("rowguard.group");
    assertEquals(List.of("group_endpoint_alone"), codes());
    assertEquals(Severity.NOTE, check().findings().get(0).severity());
    table.removeValue("rowguard.layout").removeCoprocessor(Guards.OBSERVER);
    assertEquals(List.of(), codes(), "a table without a layout is none of ours");
  }

  private ConfigurationCheck guardedOfGroups() throws IOException {
    guarded().setValue("rowguard.group", "id").setCoprocessor(GroupEndpoint.NAME);
    return check();
  }

  @Test
  void findings_coprocessorsSwitchedOff_areNamed() throws IOException {
    guarded();
    site.set("hbase.coprocessor.user.enabled", "false");
    assertEquals(List.of("coprocessors_disabled"), codes());
  }

  @Test
  void findings_forceLeftInTheDescriptor_isNamed() throws IOException {
    guarded().setValue("rowguard.force", "ticket 42");
    assertEquals(List.of("force_left"), codes());
  }

  @Test
  void findings_mistakeInTheSite_isAWarningForTablesWithoutAKey() {
    site.set("rowguard.mdoe", "warn");
    List<Finding> findings = check().findings();
    assertEquals(List.of("site_mistake"), findings.stream().map(Finding::code).toList());
    assertTrue(findings.get(0).what().contains("rowguard.mdoe"), findings.get(0).what());
  }
}
