package io.rowguard.deploy;

import io.rowguard.deploy.Script.ScriptResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;

/**
 * {@code deploy/standalone.sh} on a directory of a test's own, with the configuration that it has
 * for everybody unless the test gives another, and with the server jar that the test says.
 */
final class Standalone {
  static final String SCRIPT = "deploy/standalone.sh";

  /** For a JVM that lives for seconds: it has nothing of better code and of more collectors. */
  static final String QUICK_TO_START = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

  private final Path directory;
  private final Map<String, String> environment = new HashMap<>();

  /**
   * Starts nothing yet.
   *
   * @param directory where the data will be
   * @param programs what the operator has on the path beside the system's programs
   */
  Standalone(Path directory, Path programs) {
    this.directory = directory;
    environment.put("ROWGUARD_STANDALONE", directory.toString());
    environment.put("SH_HBASE_TIMEOUT", "300");
    environment.put("SH_HBASE_JAVA_OPTS", QUICK_TO_START);
    environment.put("ROWGUARD_JAVA_OPTS", "-Xmx512m " + QUICK_TO_START);
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("MVN", HBaseJars.maven());
    environment.put("PATH", programs + ":" + System.getenv("PATH"));
  }

  /** In a directory of a test's, with nothing of an operator's on the path. */
  static Standalone in(Path temporary) {
    return new Standalone(temporary.resolve("standalone"), temporary.resolve("none"));
  }

  /** Starts it, and waits until it is up. */
  void start() throws IOException, InterruptedException {
    ScriptResult started = run("start");
    if (started.status() != 0) {
      throw new IOException(started.text());
    }
  }

  /** Jars that the servers have beside HBase, from the next start on; may be empty. */
  void setJar(Path jar) throws IOException {
    setJar(jar, HBaseJars.ofThisBuild());
  }

  /** As the other, with another HBase than this build's. */
  void setJar(Path jar, String hbase) {
    environment.put("SH_HBASE_CLASSPATH", jar == null ? hbase : jar + ":" + hbase);
  }

  /** Replaces the servers' configuration, from the next start on. */
  void setSite(Path site) {
    environment.put("SH_HBASE_SITE", site.toString());
  }

  /** Runs the installed {@code rowguard} command on it. */
  ScriptResult rowguard(String commandLine) throws IOException, InterruptedException {
    return bash("HBASE_CONF_DIR=\"$ROWGUARD_STANDALONE/conf\" " + commandLine + " --timeout 60");
  }

  /** Runs a command line of bash that calls the script by the name it has in the project. */
  ScriptResult bash(String commandLine) throws IOException, InterruptedException {
    return Script.run(Page.ROOT, environment, "bash", "-c", commandLine);
  }

  /** Runs the script. */
  ScriptResult run(String arguments) throws IOException, InterruptedException {
    return bash(SCRIPT + " " + arguments);
  }

  /** Opens the shell with a command line that does so. */
  HBaseShell shell(String commandLine) throws IOException {
    return new HBaseShell(Script.builder(Page.ROOT, environment, "bash", "-c", commandLine));
  }

  /** Configuration by which a client reaches it. */
  Configuration client() {
    Configuration conf = HBaseConfiguration.create();
    conf.addResource(
        new org.apache.hadoop.fs.Path(directory.resolve("conf/hbase-site.xml").toUri()));
    return conf;
  }

  /** All that its servers have logged since they started. */
  String log() throws IOException {
    return Files.readString(directory.resolve("logs/hbase.log"));
  }

  /** Puts the log of now under another name; what runs goes on writing to it. */
  Path rollLog() throws IOException {
    Path log = directory.resolve("logs/hbase.log");
    return Files.move(log, log.resolveSibling("hbase.log.1"));
  }

  /** Ends it, if it runs, at once, with all it has. */
  ScriptResult discard() throws IOException, InterruptedException {
    return bash(". deploy/lib/standalone-hbase.sh; sh_hbase_discard \"$ROWGUARD_STANDALONE\"");
  }
}
