package io.rowguard.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.deploy.Script.ScriptResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code deploy/cluster.sh} as far as it goes without HBase: what it refuses, and what it does to
 * processes that stand for its servers.
 */
class ClusterScriptTest {
  private static final Path SLEEPER = Path.of("src/test/java/io/rowguard/deploy/Sleeper.java");

  @TempDir Path directory;

  private final Map<String, String> environment = new HashMap<>();

  private ScriptResult run(String arguments) throws IOException, InterruptedException {
    environment.put("ROWGUARD_CLUSTER", directory.resolve("cluster").toString());
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    return Script.run(Page.ROOT, environment, "bash", "-c", "deploy/cluster.sh " + arguments);
  }

  /** Runs what the script is made of, on a directory that has what a start makes. */
  private ScriptResult functions(String script) throws IOException, InterruptedException {
    Path cluster = Files.createDirectories(directory.resolve("cluster"));
    for (String name : List.of("servers", "conf", "logs")) {
      Files.createDirectories(cluster.resolve(name));
    }
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("SLEEPER", SLEEPER.toAbsolutePath().toString());
    return Script.run(
        Page.ROOT,
        environment,
        "bash",
        "-c",
        "set -euo pipefail; . deploy/lib/cluster-hbase.sh; dir=$(cd \"$1\" && pwd); " + script,
        "bash",
        cluster.toString());
  }

  /** A server that sleeps, under the name that is given. */
  private static String launched(String name) {
    return "mkdir -p \"$dir/logs/NAME\"; _sh_hbase_launch \"$dir/servers/NAME.pid\" \"$dir/logs/NAME\""
            .replace("NAME", name)
        + " /dev/null -Xmx16m \"$SLEEPER\"; ";
  }

  @AfterEach
  void end() throws IOException, InterruptedException {
    functions(
        "for name in $(cluster_servers \"$dir\"); do"
            + " [[ $(cluster_state \"$dir\" \"$name\") == dead ]]"
            + " || cluster_signal \"$dir\" \"$name\" KILL; done");
  }

  /** The release of a line is the one in the pom, which Maven builds and tests with. */
  @ParameterizedTest
  @CsvSource({
    "2.5, 2.5.13-hadoop3",
    "2.6, 2.6.1-hadoop3",
    "3.0, 3.0.0",
    "2.6.4-hadoop3, 2.6.4-hadoop3"
  })
  void version_ofALine_isItsRelease(String asked, String release) throws Exception {
    assertEquals(release + "\n", functions("sh_hbase_version " + asked).text());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | say what to do",
        "stat | what is stat?",
        "--dir | --dir needs a directory",
        "--masters 4 start | --masters needs a number from 1 to 3",
        "--datanodes x start | --datanodes needs a number from 1 to 3",
        "--region-servers 0 start | --region-servers needs a number from 1 to 6",
        "start now | start takes no arguments; what is now?",
        "kill a b | kill takes one name; what is b?",
        "pause a 1 2 | pause takes a name and seconds; what is 2?",
        "kill region-server-1 | it is not running",
        "add master | it is not running",
        "shell | it is not running"
      })
  void badInput_always_isRefusedWithTheWayOut(String arguments, String error) throws Exception {
    ScriptResult result = run(arguments);

    assertEquals(2, result.status(), result.text());
    assertTrue(result.text().startsWith("cluster: "), result.text());
    assertTrue(result.text().contains(error), result.text());
    assertFalse(Files.exists(directory.resolve("cluster/conf")), "nothing is made");
  }

  @Test
  void notRunning_askedAndStopped_saysSo() throws Exception {
    ScriptResult status = run("status");
    ScriptResult stop = run("stop");

    assertEquals(3, status.status());
    assertEquals(0, stop.status());
    assertTrue(status.text().startsWith("It is not running. dir="), status.text());
    assertTrue(stop.text().startsWith("It is not running. dir="), stop.text());
  }

  @Test
  void start_inAnotherHBasesDirectory_isRefused() throws Exception {
    Path conf = Files.createDirectories(directory.resolve("cluster/conf"));
    Files.writeString(conf.resolve("hbase-site.xml"), "<configuration/>");

    ScriptResult result = run("start");

    assertEquals(1, result.status());
    assertTrue(result.text().contains("that is not of this script"), result.text());
  }

  @Test
  void server_pausedResumedKilled_isSeenSo() throws Exception {
    ScriptResult result =
        functions(
            launched("region-server-2")
                + "state() { cluster_state \"$dir\" region-server-2; }; state;"
                + " cluster_signal \"$dir\" region-server-2 STOP; state;"
                + " cluster_signal \"$dir\" region-server-2 CONT; state;"
                + " cluster_end \"$dir\" region-server-2 20; state;"
                + " cluster_servers \"$dir\"");

    assertEquals(
        List.of("running", "paused", "running", "dead", "region-server-2"),
        result.text().lines().toList());
  }

  @Test
  void commands_onAServer_nameWhatCannotBe() throws Exception {
    functions(launched("region-server-1") + launched("master-1"));

    ScriptResult unknown = run("kill region-server-7");
    assertEquals(2, unknown.status());
    assertTrue(
        unknown.text().contains("no server is called region-server-7; it has: master-1 region-s"),
        unknown.text());
    assertTrue(run("resume master-1").text().contains("master-1 is not paused: it is running"));
    assertTrue(run("add master-1").text().contains("master-1 runs; kill it first"));
    assertTrue(run("pause master-1 soon").text().contains("how long is soon?"));

    assertEquals(0, run("kill master-1").status());
    assertTrue(run("kill master-1").text().contains("master-1 is dead already"));
    assertEquals("Paused region-server-1 for 1 s.", run("pause region-server-1 1").text().strip());
    assertTrue(run("resume region-server-1").text().contains("region-server-1 is not paused"));
    assertEquals(0, run("pause region-server-1").status());
    assertEquals(0, run("resume region-server-1").status());
  }

  @Test
  void ports_ofServers_areKeptAndDiffer() throws Exception {
    ScriptResult result =
        functions(
            "for i in 1 2 1; do _cluster_claim \"$dir\" region-server-$i port;"
                + " _cluster_claim \"$dir\" region-server-$i web; done");

    List<String> ports = result.text().lines().toList();
    assertEquals(6, ports.size(), result.text());
    assertEquals(ports.subList(0, 2), ports.subList(4, 6));
    assertEquals(4, ports.stream().distinct().count());
  }
}
