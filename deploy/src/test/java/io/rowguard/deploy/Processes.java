package io.rowguard.deploy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;

/**
 * An HBase of several processes on this machine: a master with a region server that has Rowguard's
 * server jar, started as {@code lib/standalone-hbase.sh} does, and further region servers that have
 * it or not.
 */
final class Processes {
  private static final Path DEPLOY = Path.of("").toAbsolutePath();
  private static final Path JAR = Path.of(System.getProperty("rowguard.server.jar"));

  private final Path directory;
  private final List<Process> servers = new ArrayList<>();

  private Processes(Path directory) {
    this.directory = directory;
  }

  /** Starts the master, with tables that configure Rowguard themselves. */
  static Processes start(Path directory) throws IOException, InterruptedException {
    Files.createDirectories(directory);
    Path site = directory.resolve("site.xml");
    Files.writeString(
        site,
        "<configuration>\n"
            // A server that ends without a word is missed when its session ends.
            + property("zookeeper.session.timeout", "40000")
            + "</configuration>\n");
    Processes processes = new Processes(directory);
    processes.bash("sh_hbase_start \"$1\" && sh_hbase_wait \"$1\"");
    return processes;
  }

  /** Configuration by which a client reaches it. */
  Configuration client() {
    Configuration conf = HBaseConfiguration.create();
    conf.addResource(new org.apache.hadoop.fs.Path(conf().resolve("hbase-site.xml").toUri()));
    return conf;
  }

  /** Starts one more region server, in a process of its own. */
  Process startRegionServer(String name, boolean withJar) throws IOException {
    return startRegionServer(name, withJar, HBaseJars.ofThisBuild());
  }

  /** As the other, with another HBase than this build's. */
  Process startRegionServer(String name, boolean withJar, String hbase) throws IOException {
    Path own = Files.createDirectories(directory.resolve(name));
    String site = Files.readString(conf().resolve("hbase-site.xml"));
    // It must know that it is not the one in the master's process.
    Files.writeString(
        own.resolve("hbase-site.xml"),
        site.replace("</configuration>", property("hbase.cluster.distributed", "true"))
            + "</configuration>\n");
    Files.copy(
        conf().resolve("log4j.properties"),
        own.resolve("log4j.properties"),
        StandardCopyOption.REPLACE_EXISTING);
    // Last, for HBase 2.5, which has no folders of pages of its own; see standalone-hbase.sh.
    Path pages = directory.resolve("pages");
    String classpath = own + ":" + (withJar ? JAR + ":" : "") + hbase + ":" + pages;
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "@" + DEPLOY.resolve("lib/hbase-jdk17.args"),
            "-Xmx512m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Drowguard.log.dir=" + own,
            "-Djava.io.tmpdir=" + directory.resolve("tmp"),
            "-Djava.net.preferIPv4Stack=true",
            "org.apache.hadoop.hbase.regionserver.HRegionServer",
            "start");
    builder.environment().put("CLASSPATH", classpath);
    builder.redirectErrorStream(true).redirectOutput(own.resolve("out").toFile());
    Process process = builder.start();
    servers.add(process);
    return process;
  }

  /** All that a region server has logged. */
  String log(String name) {
    try (Stream<Path> files = Files.list(directory.resolve(name))) {
      StringBuilder text = new StringBuilder();
      for (Path file : files.filter(path -> path.toString().contains(".log")).toList()) {
        text.append(Files.readString(file));
      }
      return text.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends all of it, and removes what it had. */
  void end() throws IOException, InterruptedException {
    for (Process server : servers) {
      server.destroyForcibly();
      server.waitFor(30, TimeUnit.SECONDS);
    }
    bash("sh_hbase_discard \"$1\"");
  }

  private Path conf() {
    return directory.resolve("conf");
  }

  private static String property(String name, String value) {
    return "<property><name>" + name + "</name><value>" + value + "</value></property>\n";
  }

  private void bash(String script) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
            "bash", "-c", "set -eu; . lib/standalone-hbase.sh; " + script, "bash", "" + directory);
    builder.environment().put("SH_HBASE_CLASSPATH", JAR + ":" + HBaseJars.ofThisBuild());
    builder.environment().put("SH_HBASE_SITE", directory.resolve("site.xml").toString());
    builder.environment().put("SH_HBASE_TIMEOUT", "300");
    builder.environment().put("SH_HBASE_JAVA_OPTS", Standalone.QUICK_TO_START);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Path out = directory.resolveSibling(directory.getFileName() + ".out");
    builder.directory(DEPLOY.toFile()).redirectErrorStream(true).redirectOutput(out.toFile());
    int status = builder.start().waitFor();
    if (status != 0) {
      throw new IOException("status=" + status + " " + Files.readString(out));
    }
  }
}
