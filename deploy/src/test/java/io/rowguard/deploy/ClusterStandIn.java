package io.rowguard.deploy;

import io.rowguard.deploy.Script.ScriptResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A directory of {@code deploy/cluster.sh} whose servers are processes that sleep. */
final class ClusterStandIn {
  private static final Path SLEEPER = Path.of("src/test/java/io/rowguard/deploy/Sleeper.java");

  private final Path directory;
  private final Map<String, String> environment = new HashMap<>();

  /**
   * A cluster that does not exist yet.
   *
   * @param directory holds it, as {@code cluster}
   */
  ClusterStandIn(Path directory) {
    this.directory = directory;
    environment.put("ROWGUARD_CLUSTER", path().toString());
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("SLEEPER", SLEEPER.toAbsolutePath().toString());
  }

  Path path() {
    return directory.resolve("cluster");
  }

  /** Puts a program in the place of one that the scripts use. */
  void replace(String program, String script) throws IOException {
    Path programs = Files.createDirectories(directory.resolve("bin"));
    Path file = Files.writeString(programs.resolve(program), "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    environment.put("PATH", programs + ":" + System.getenv("PATH"));
  }

  /** Runs {@code cluster.sh} on it. */
  ScriptResult run(String arguments) throws IOException, InterruptedException {
    return Script.run(Page.ROOT, environment, "bash", "-c", "deploy/cluster.sh " + arguments);
  }

  /** Runs what the script is made of, on a directory that has what a start makes. */
  ScriptResult functions(String script) throws IOException, InterruptedException {
    for (String name : List.of("servers", "conf", "logs")) {
      Files.createDirectories(path().resolve(name));
    }
    return Script.run(
        Page.ROOT,
        environment,
        "bash",
        "-c",
        "set -euo pipefail; . deploy/lib/cluster-hbase.sh; dir=$(cd \"$1\" && pwd); " + script,
        "bash",
        path().toString());
  }

  /** The part of a script that launches a server that sleeps, under the name that is given. */
  static String launched(String name) {
    return "mkdir -p \"$dir/logs/NAME\"; _sh_hbase_launch \"$dir/servers/NAME.pid\" \"$dir/logs/NAME\""
            .replace("NAME", name)
        + " /dev/null -Xmx16m \"$SLEEPER\"; ";
  }

  /** Ends all that sleeps. */
  void end() throws IOException, InterruptedException {
    functions(
        "for name in $(cluster_servers \"$dir\"); do"
            + " [[ $(cluster_state \"$dir\" \"$name\") == dead ]]"
            + " || cluster_signal \"$dir\" \"$name\" KILL; done");
  }
}
