package io.rowguard.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings from an hbase-site.xml, from options, and HBase's defaults. */
class TableSettingsTest {
  @TempDir private Path directory;

  private static TableSettings.Wishes wishes(Integer prefixLength, Long flushSize) {
    return new TableSettings.Wishes(
        null, null, prefixLength, null, null, flushSize, CellSizes.DEFAULT_BLOCK_SIZE, 3, 100);
  }

  private HBaseSite site(Map<String, String> properties) throws IOException {
    StringBuilder xml = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
    properties.forEach(
        (name, value) ->
            xml.append("<property><name> ")
                .append(name)
                .append("</name><value>")
                .append(value)
                .append(" </value><final>true</final></property>\n"));
    Path file = directory.resolve("hbase-site.xml");
    Files.writeString(file, xml + "</configuration>\n");
    return HBaseSite.read(file);
  }

  private static TableSettings read(HBaseSite site) {
    return TableSettings.of(site, wishes(null, null));
  }

  @Test
  void of_hbaseDefaultXml_isAsWithoutAFile() throws Exception {
    Path file = directory.resolve("hbase-default.xml");
    try (InputStream defaults =
        HBaseConfiguration.class.getResourceAsStream("/hbase-default.xml")) {
      Files.copy(defaults, file);
    }
    // The file names HBase's own policy, which says where, too.
    TableSettings settings = read(HBaseSite.read(file));
    TableSettings without = read(HBaseSite.empty());
    assertEquals(without.splits(), settings.splits());
    assertEquals(without.compactions(), settings.compactions());
    assertEquals(without.flushSize(), settings.flushSize());
    assertEquals(SplitWhere.MIDDLE, settings.where());
  }

  @Test
  void of_nothingSaid_isHBasesDefaults() {
    TableSettings settings = read(HBaseSite.empty());
    assertEquals(HConstants.DEFAULT_MAX_FILE_SIZE, settings.splits().maxFileSize());
    assertEquals(TableDescriptorBuilder.DEFAULT_MEMSTORE_FLUSH_SIZE, settings.flushSize());
    assertEquals(2 * settings.flushSize(), settings.splits().initialSize());
    assertEquals(SplitWhen.STEPPING, settings.splits().when());
    assertEquals(SplitWhere.ROWGUARD, settings.where());
    assertEquals(0.25, settings.splits().jitter());
    assertEquals(
        new CompactionRules(3, 10, 1.2f, 128L << 20, Long.MAX_VALUE, 16, true),
        settings.compactions());
  }

  @Test
  void of_everyProperty_isTaken() throws Exception {
    TableSettings settings =
        read(
            site(
                Map.ofEntries(
                    Map.entry("hbase.hregion.max.filesize", "1000000"),
                    Map.entry("hbase.hregion.max.filesize.jitter", "0.5"),
                    Map.entry("hbase.hregion.memstore.flush.size", "0x1000"),
                    Map.entry("hbase.increasing.policy.initial.size", "777"),
                    Map.entry("hbase.regionserver.regionSplitLimit", "9"),
                    Map.entry("hbase.hstore.compaction.min", "4"),
                    Map.entry("hbase.hstore.compaction.max", "8"),
                    Map.entry("hbase.hstore.compaction.ratio", "1.5"),
                    Map.entry("hbase.hstore.compaction.min.size", "55"),
                    Map.entry("hbase.hstore.compaction.max.size", "66"),
                    Map.entry("hbase.hstore.blockingStoreFiles", "12"),
                    Map.entry(
                        "hbase.hstore.defaultengine.compactionpolicy.class",
                        "org.apache.hadoop.hbase.regionserver.compactions."
                            + "RatioBasedCompactionPolicy"))));
    assertEquals(new SplitRules(SplitWhen.STEPPING, 1_000_000, 0.5, 777, 9), settings.splits());
    assertEquals(new CompactionRules(4, 8, 1.5f, 55, 66, 12, false), settings.compactions());
    assertEquals(4096, settings.flushSize());
  }

  @Test
  void of_anOption_goesBeforeTheFile() throws Exception {
    HBaseSite site = site(Map.of("hbase.hregion.memstore.flush.size", "5000"));
    assertEquals(123, TableSettings.of(site, wishes(null, 123L)).flushSize());
  }

  @Test
  void of_oldNameOfCompactionMin_isTaken() throws Exception {
    HBaseSite site = site(Map.of("hbase.hstore.compactionThreshold", "5"));
    assertEquals(5, read(site).compactions().minFiles());
  }

  @ParameterizedTest
  @CsvSource({
    "ConstantSizeRegionSplitPolicy, CONSTANT, MIDDLE",
    "IncreasingToUpperBoundRegionSplitPolicy, INCREASING, MIDDLE",
    "SteppingSplitPolicy, STEPPING, MIDDLE",
    "DisabledRegionSplitPolicy, DISABLED, MIDDLE",
    "KeyPrefixRegionSplitPolicy, INCREASING, PREFIX"
  })
  void of_aSplitPolicy_isTakenApart(String policy, SplitWhen when, SplitWhere where)
      throws Exception {
    HBaseSite site =
        site(
            Map.of(
                "hbase.regionserver.region.split.policy",
                "org.apache.hadoop.hbase.regionserver." + policy));
    Integer length = where == SplitWhere.PREFIX ? 4 : null;
    TableSettings settings = TableSettings.of(site, wishes(length, null));
    assertEquals(when, settings.splits().when());
    assertEquals(where, settings.where());
  }

  @Test
  void of_rowguardsPolicy_hasItsOwnWhen() throws Exception {
    HBaseSite site =
        site(
            Map.of(
                "hbase.regionserver.region.split.policy",
                "io.rowguard.split.LayoutRegionSplitPolicy",
                "rowguard.split.when",
                "org.apache.hadoop.hbase.regionserver.ConstantSizeRegionSplitPolicy"));
    assertEquals(SplitWhen.CONSTANT, read(site).splits().when());
    assertEquals(SplitWhere.ROWGUARD, read(site).where());
  }

  @ParameterizedTest
  @CsvSource({
    "hbase.hregion.max.filesize, ten, a whole number",
    "hbase.hregion.max.filesize, ${size}, a whole number",
    "hbase.hregion.max.filesize, 0, a number from 1",
    "hbase.hstore.compaction.ratio, -1, a number from 0",
    "hbase.hstore.blockingStoreFiles, 99999999999, a number from 1",
    "hbase.regionserver.region.split.policy, org.example.Own, a policy that the model has",
    "hbase.hstore.defaultengine.compactionpolicy.class, org.example.Own, ExploringCompactionPolicy"
  })
  void of_anUnusableProperty_isNamed(String name, String value, String expected) throws Exception {
    HBaseSite site = site(Map.of(name, value));
    String message = assertThrows(SimulationException.class, () -> read(site)).getMessage();
    assertTrue(message.contains("property=" + name + " value=\""), message);
    assertTrue(message.contains("expected=" + expected), message);
    assertFalse(message.contains("\n"), message);
  }

  @ParameterizedTest
  @CsvSource({
    "<configuration>, cannot be read as XML",
    "<other/>, its root is not <configuration>",
    "<!DOCTYPE x SYSTEM 'file:///etc/passwd'><configuration/>, cannot be read as XML"
  })
  void read_noConfiguration_saysSo(String text, String expected) throws Exception {
    Path file = directory.resolve("bad.xml");
    Files.writeString(file, text);
    String message =
        assertThrows(SimulationException.class, () -> HBaseSite.read(file)).getMessage();
    assertTrue(message.contains(expected), message);
  }
}
