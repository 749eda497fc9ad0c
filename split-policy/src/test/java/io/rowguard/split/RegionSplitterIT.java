package io.rowguard.split;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.testing.MiniCluster;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.RegionSplitter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** HBase's RegionSplitter as a user calls it, in a JVM of its own. */
@ExtendWith(MiniCluster.class)
class RegionSplitterIT {
  private static final String OTHER = "{other:digits(9)}";

  @TempDir private Path directory;
  private final HBaseTestingUtility hbase;

  RegionSplitterIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  /**
   * As the message of {@link LayoutSplitAlgorithm} has it: the layout has a blank and an equals
   * sign. The one of hbase-site.xml would give other keys, and without the group there would be
   * others, too.
   */
  @Test
  void main_layoutAndGroupOfTheJvm_splitsTheTableByThem() throws Exception {
    TableName name = TableName.valueOf("regionSplitter");
    writeSite();

    int exit =
        run(
            "\"-Drowguard.layout={salt:digits(2)=murmur3(user)%16}-{user:word}|{time:millis"
                + " descending}\" -Drowguard.group=user",
            name.getNameAsString(), LayoutSplitAlgorithm.class.getName(), "-c", "4", "-f", "f");

    assertEquals(0, exit, this::output);
    List<RegionInfo> regions = hbase.getAdmin().getRegions(name);
    assertEquals(
        " 04 08 12",
        regions.stream()
            .map(region -> Bytes.toString(region.getStartKey()))
            .sorted()
            .collect(Collectors.joining(" ")));
    hbase.deleteTable(name);
  }

  /** The settings by which a client finds the cluster. */
  private void writeSite() throws Exception {
    Configuration conf = new Configuration(hbase.getConfiguration());
    conf.set("rowguard.layout", OTHER);
    try (OutputStream out = Files.newOutputStream(directory.resolve("hbase-site.xml"))) {
      conf.writeXml(out);
    }
  }

  private int run(String javaOptions, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("@" + Path.of("..", "deploy", "lib", "hbase-jdk17.args"));
    command.addAll(List.of("-Xmx256m", "-Dlog4j.configuration=log4j-rowguard-test.properties"));
    command.add("-cp");
    command.add(directory + File.pathSeparator + System.getProperty("java.class.path"));
    command.add(RegionSplitter.class.getName());
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("output").toFile());
    builder.environment().put("JDK_JAVA_OPTIONS", javaOptions);
    Process process = builder.start();
    try {
      assertTrue(process.waitFor(10, TimeUnit.MINUTES), this::output);
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }

  private String output() {
    try {
      return Files.readString(directory.resolve("output"));
    } catch (IOException e) {
      return e.toString();
    }
  }
}
