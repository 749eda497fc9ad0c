package io.rowguard.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/**
 * A script in place of {@code cluster.sh}, which answers what it is told and notes its commands.
 */
final class FakeCluster {
  private static final String SCRIPT =
      """
      #!/usr/bin/env bash
      shift
      dir=$1
      shift
      if [[ $1 == status ]]; then
        cat "$dir/status"
        ! grep -qE ' (cut|dead|paused) ' "$dir/status"
      else
        echo "$*" >>"$dir/commands"
        [[ ! -e $dir/fails ]]
      fi
      """;

  private final Path directory;

  FakeCluster(Path directory) throws IOException {
    this.directory = directory;
    Path script = Files.writeString(directory.resolve("cluster.sh"), SCRIPT);
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    Files.writeString(directory.resolve("commands"), "");
  }

  ClusterScript script() {
    return new ClusterScript(directory.resolve("cluster.sh"), directory);
  }

  /** Sets what {@code status} shows: servers and their states, as {@code "master-1 running"}. */
  void shows(String... servers) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (String server : servers) {
      String[] words = server.split(" ", 3);
      lines.append(
          String.format(
              "  %-16s %-8s %-8s %-16s %s%s%n",
              words[0],
              words[1],
              4711,
              "2.6.1-hadoop3",
              "http://127.0.0.1:1234/jmx",
              words.length == 3 ? " (active)" : ""));
    }
    lines.append("  configuration    /tmp/x/conf/hbase-site.xml\n");
    Files.writeString(directory.resolve("status"), lines);
  }

  /** Lets all commands fail. */
  void fails() throws IOException {
    Files.writeString(directory.resolve("fails"), "");
  }

  /** The commands that were run, but for {@code status}. */
  List<String> commands() throws IOException {
    return Files.readAllLines(directory.resolve("commands"));
  }
}
