package io.rowguard.soak;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code deploy/cluster.sh} on the cluster of this soak. Thread-safe. */
final class ClusterScript {
  private static final Pattern STATUS_LINE =
      Pattern.compile("  (\\S+) +(running|cut|paused|dead) +(\\d+) .*?(\\(active\\))?");

  private final Path script;
  private final Path directory;

  /** A server as {@code status} shows it. */
  record ServerStatus(String name, String state, long pid, boolean isActive) {
    boolean isRunning() {
      return state.equals("running");
    }
  }

  ClusterScript(Path script, Path directory) {
    this.script = script;
    this.directory = directory;
  }

  Path directory() {
    return directory;
  }

  /**
   * Runs a command and returns its output, standard error too.
   *
   * @throws IOException if the command fails; the message has the output
   */
  String run(String... arguments) throws IOException, InterruptedException {
    return run(List.of(0), arguments);
  }

  private String run(List<Integer> statuses, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(script.toString(), "--dir", directory.toString()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectInput(new File("/dev/null"))
            .start();
    try {
      String text =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
              .stripTrailing();
      if (!statuses.contains(process.waitFor())) {
        throw new IOException(String.join(" ", arguments) + " failed: " + text);
      }
      return text;
    } finally {
      process.destroy();
    }
  }

  /** The names of the servers of a kind that run and are on the network, in their order. */
  List<String> running(String prefix) throws IOException, InterruptedException {
    return servers().values().stream()
        .filter(server -> server.name().startsWith(prefix) && server.isRunning())
        .map(ServerStatus::name)
        .toList();
  }

  /** One of them; null if there are fewer than so many. */
  String anyRunning(String prefix, int least, Random random)
      throws IOException, InterruptedException {
    List<String> names = running(prefix);
    return names.size() < least ? null : names.get(random.nextInt(names.size()));
  }

  /** The name of the master that is active, and runs; null if there is none. */
  String activeMaster() throws IOException, InterruptedException {
    return servers().values().stream()
        .filter(server -> server.isActive() && server.isRunning())
        .map(ServerStatus::name)
        .findFirst()
        .orElse(null);
  }

  /** The servers by name, those that have been killed too. */
  Map<String, ServerStatus> servers() throws IOException, InterruptedException {
    Map<String, ServerStatus> servers = new TreeMap<>();
    for (String line : run(List.of(0, 1), "status").lines().toList()) {
      Matcher matcher = STATUS_LINE.matcher(line);
      if (matcher.matches()) {
        String name = matcher.group(1);
        long pid = Long.parseLong(matcher.group(3));
        servers.put(name, new ServerStatus(name, matcher.group(2), pid, matcher.group(4) != null));
      }
    }
    if (servers.isEmpty()) {
      throw new IOException("The cluster has no servers. directory=" + directory);
    }
    return servers;
  }
}
