package io.rowguard.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rowguard.config.RowguardKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** The fragments of hbase-site.xml in the distribution are what the enum of keys has. */
class SiteFragmentsTest {
  private static final Path CONF = Path.of("dist", "conf");

  @Test
  void defaults_always_areThoseOfTheKeys() throws IOException {
    assertEquals(
        defaults(),
        Files.readString(CONF.resolve("hbase-site-defaults.xml")),
        "dist/conf/hbase-site-defaults.xml");
  }

  /** Merged as they stand, the defaults change nothing. */
  @Test
  void defaults_read_areNone() {
    assertEquals(0, read("hbase-site-defaults.xml").size());
  }

  @Test
  void fragments_read_nameTheClasses() {
    Configuration master = read("hbase-site-master.xml");
    Configuration regionServer = read("hbase-site-regionserver.xml");

    assertEquals(
        "io.rowguard.master.LayoutMasterObserver", master.get("hbase.coprocessor.master.classes"));
    for (Configuration conf : new Configuration[] {master, regionServer}) {
      assertEquals(
          "io.rowguard.observer.LayoutRegionObserver",
          conf.get("hbase.coprocessor.user.region.classes"));
      assertEquals(
          "io.rowguard.split.LayoutRegionSplitPolicy",
          conf.get("hbase.regionserver.region.split.policy"));
    }
  }

  private static Configuration read(String fragment) {
    Configuration conf = new Configuration(false);
    conf.addResource(new org.apache.hadoop.fs.Path(CONF.resolve(fragment).toUri()));
    return conf;
  }

  private static String defaults() {
    StringBuilder xml =
        new StringBuilder(
            """
            <!-- Every key that can stand in hbase-site.xml as the default of all tables; a table's own value wins. These are the defaults:
                 take a key out of its comment only to change it. Made from the enum RowguardKey. -->
            <configuration>
            """);
    for (RowguardKey key : RowguardKey.values()) {
      if (!key.isOfDescriptorOnly()) {
        xml.append("  <!-- ")
            .append(key.help().replace("`", ""))
            .append("\n       Values: ")
            .append(key.type())
            .append("\n  <property>\n    <name>")
            .append(key.key())
            .append("</name>\n    <value>")
            .append(key.defaultValue() == null ? "" : key.defaultValue())
            .append("</value>\n  </property>\n  -->\n");
      }
    }
    return xml.append("</configuration>\n").toString();
  }
}
