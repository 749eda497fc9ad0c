package io.rowguard.deploy;

import static io.rowguard.deploy.ClusterStandIn.launched;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.deploy.Script.ScriptResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code deploy/cluster.sh} as far as it goes without HBase: what it refuses, and what it does to
 * processes that stand for its servers.
 */
class ClusterScriptTest {
  @TempDir Path directory;

  private ClusterStandIn cluster;

  @BeforeEach
  void make() {
    cluster = new ClusterStandIn(directory);
  }

  @AfterEach
  void end() throws Exception {
    cluster.end();
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
    assertEquals(release + "\n", cluster.functions("sh_hbase_version " + asked).text());
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
        "flap a 1 2 | flap takes a name and seconds; what is 2?",
        "cut a b | it is not running",
        "pause a 1 2 | pause takes a name and seconds; what is 2?",
        "kill region-server-1 | it is not running",
        "add master | it is not running",
        "shell | it is not running"
      })
  void badInput_always_isRefusedWithTheWayOut(String arguments, String error) throws Exception {
    ScriptResult result = cluster.run(arguments);

    assertEquals(2, result.status(), result.text());
    assertTrue(result.text().startsWith("cluster: "), result.text());
    assertTrue(result.text().contains(error), result.text());
    assertFalse(Files.exists(directory.resolve("cluster/conf")), "nothing is made");
  }

  @Test
  void notRunning_askedAndStopped_saysSo() throws Exception {
    ScriptResult status = cluster.run("status");
    ScriptResult stop = cluster.run("stop");

    assertEquals(3, status.status());
    assertEquals(0, stop.status());
    assertTrue(status.text().startsWith("It is not running. dir="), status.text());
    assertTrue(stop.text().startsWith("It is not running. dir="), stop.text());
  }

  @Test
  void start_inAnotherHBasesDirectory_isRefused() throws Exception {
    Path conf = Files.createDirectories(directory.resolve("cluster/conf"));
    Files.writeString(conf.resolve("hbase-site.xml"), "<configuration/>");

    ScriptResult result = cluster.run("start");

    assertEquals(1, result.status());
    assertTrue(result.text().contains("that is not of this script"), result.text());
  }

  @Test
  void server_pausedResumedKilled_isSeenSo() throws Exception {
    ScriptResult result =
        cluster.functions(
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
    cluster.functions(launched("region-server-1") + launched("master-1"));

    ScriptResult unknown = cluster.run("kill region-server-7");
    assertEquals(2, unknown.status());
    assertTrue(
        unknown.text().contains("no server is called region-server-7; it has: master-1 region-s"),
        unknown.text());
    assertTrue(
        cluster.run("resume master-1").text().contains("master-1 is not paused: it is running"));
    assertTrue(cluster.run("add master-1").text().contains("master-1 runs; kill it first"));
    assertTrue(cluster.run("pause master-1 soon").text().contains("how long is soon?"));

    assertEquals(0, cluster.run("kill master-1").status());
    assertTrue(cluster.run("kill master-1").text().contains("master-1 is dead already"));
    assertEquals(
        "Paused region-server-1 for 1 s.", cluster.run("pause region-server-1 1").text().strip());
    assertTrue(
        cluster.run("resume region-server-1").text().contains("region-server-1 is not paused"));
    assertEquals(0, cluster.run("pause region-server-1").status());
    assertEquals(0, cluster.run("resume region-server-1").status());
  }

  @Test
  void ports_ofServers_areKeptAndDiffer() throws Exception {
    ScriptResult result =
        cluster.functions(
            "for i in 1 2 1; do _cluster_claim \"$dir\" region-server-$i port;"
                + " _cluster_claim \"$dir\" region-server-$i web; done");

    List<String> ports = result.text().lines().toList();
    assertEquals(6, ports.size(), result.text());
    assertEquals(ports.subList(0, 2), ports.subList(4, 6));
    assertEquals(4, ports.stream().distinct().count());
  }
}
