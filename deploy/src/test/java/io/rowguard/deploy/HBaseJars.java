package io.rowguard.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Class paths of HBase's servers, without our jar. */
final class HBaseJars {
  /** HBase as a cluster ran it before its upgrade to the version of this build. */
  static final String VERSION_BEFORE = System.getProperty("rowguard.hbase.before");

  private HBaseJars() {}

  /** Of the version that this build tests. */
  static String ofThisBuild() throws IOException {
    return Files.readString(Path.of("target/standalone.classpath")).strip();
  }

  /** Of another version, which Maven may have to fetch. */
  static String of(String version) throws IOException, InterruptedException {
    String script = ". deploy/lib/standalone-hbase.sh; sh_hbase_jars \"$1\" 2>/dev/null";
    Script.ScriptResult jars =
        Script.run(Page.ROOT, Map.of("MVN", maven()), "bash", "-c", script, "bash", version);
    if (jars.status() != 0) {
      throw new IOException("There is no HBase of this version; see target. version=" + version);
    }
    return jars.text().strip();
  }

  /** The command that gets what this build does not have by itself. */
  static String maven() {
    boolean offline = System.getProperty("rowguard.mvn.offline").equals("offline=true");
    String settings = System.getProperty("rowguard.mvn.settings").substring("file=".length());
    return System.getProperty("rowguard.mvn")
        + (offline ? " -o" : "")
        + (Files.exists(Path.of(settings)) ? " -gs " + settings : "")
        + " -Dmaven.repo.local="
        + System.getProperty("rowguard.mvn.repository");
  }
}
