package io.rowguard.deploy;

import static io.rowguard.deploy.ClusterStandIn.launched;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

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

/** The network that {@code deploy/cluster.sh --network} gives its servers, without HBase. */
class ClusterNetworkTest {
  @TempDir Path directory;

  private ClusterStandIn cluster;

  @BeforeEach
  void make() {
    cluster = new ClusterStandIn(directory);
  }

  @AfterEach
  void end() throws Exception {
    cluster.end();
    cluster.functions("cluster_network_remove \"$dir\"");
  }

  @Test
  void start_withoutTheRight_saysWhatItNeeds() throws Exception {
    cluster.replace("ip", "echo RTNETLINK answers: Operation not permitted >&2; exit 2");
    cluster.replace("tc", "exit 1");

    ScriptResult result = cluster.run("--network start");

    assertEquals(1, result.status());
    assertEquals(
        "cluster: there can be no network of its own here: network namespaces and bridges need"
            + " root, in a container also the rights NET_ADMIN and SYS_ADMIN: ip says RTNETLINK"
            + " answers: Operation not permitted",
        result.text().strip());
    assertFalse(Files.exists(cluster.path().resolve("network")));
  }

  @Test
  void addresses_ofServers_differAndStay() throws Exception {
    Files.createDirectories(cluster.path());
    Files.writeString(cluster.path().resolve("network"), "7\n");

    ScriptResult result =
        cluster.functions(
            "for name in zookeeper namenode datanode-3 master-1 region-server-1; do"
                + " cluster_address \"$dir\" $name; done;"
                + " cluster_space \"$dir\" master-1; rm \"$dir/network\";"
                + " cluster_address \"$dir\" master-1; cluster_space \"$dir\" master-1");

    assertEquals(
        List.of(
            "198.19.7.2",
            "198.19.7.3",
            "198.19.7.13",
            "198.19.7.21",
            "198.19.7.31",
            "rowguard-7-master-1",
            "127.0.0.1"),
        result.text().lines().toList());
  }

  @ParameterizedTest
  @CsvSource({
    "cut master-1, stop it, then deploy/cluster.sh --network start",
    "slow master-1, stop it, then deploy/cluster.sh --network start",
    "flap master-1 5, stop it, then deploy/cluster.sh --network start",
    "cut master-7, no server is called master-7",
    "cut, which server?",
    "heal, which server?"
  })
  void commands_withoutANetworkOrAServer_areRefused(String command, String error) throws Exception {
    cluster.functions(launched("master-1"));

    ScriptResult result = cluster.run(command);

    assertEquals(2, result.status());
    assertTrue(result.text().contains(error), result.text());
  }

  @Test
  void servers_cutAndHealed_reachEachOtherOrNot() throws Exception {
    ScriptResult missing = cluster.functions("cluster_network_missing");
    assumeFalse(missing.status() == 0, missing.text());

    ScriptResult result =
        cluster.functions(
            """
            : >"$dir/servers/zookeeper.pid" >"$dir/servers/namenode.pid"
            reach() { if _cluster_network_reaches "$dir" 2>/dev/null; then echo reached; else echo lost; fi; }
            cluster_network_make "$dir"
            cluster_network_join "$dir" zookeeper
            cluster_network_join "$dir" namenode
            cluster_network_join "$dir" namenode
            reach
            cluster_cut "$dir" zookeeper namenode
            cluster_slow "$dir" zookeeper
            cluster_network_faults "$dir" zookeeper; echo
            reach
            cluster_network_heal "$dir" zookeeper
            cluster_network_faults "$dir" zookeeper; echo
            reach
            cluster_cut "$dir" namenode
            cluster_is_cut "$dir" namenode && echo cut
            reach
            cluster_network_heal "$dir" namenode
            cluster_is_cut "$dir" namenode || echo whole
            reach
            id=$(cat "$dir/network")
            cluster_network_remove "$dir"
            ip link | grep -c "rowguard-*$id[-:]" || true
            ip netns list | grep -c "rowguard-$id-" || true
            """);

    assertEquals(
        List.of(
            "reached",
            " (cut from namenode) (slow)",
            "lost",
            "",
            "reached",
            "cut",
            "lost",
            "whole",
            "reached",
            "0",
            "0"),
        result.text().lines().toList());
  }

  @Test
  void remove_afterAnotherHasTheNumber_leavesItAlone() throws Exception {
    Files.createDirectories(cluster.path());
    Files.writeString(cluster.path().resolve("network"), "7\n");
    cluster.replace(
        "cat", "case $1 in */ifalias) echo /of/another ;; *) exec /bin/cat \"$@\" ;; esac");
    cluster.replace("ip", "echo \"ip $*\"");

    ScriptResult result = cluster.functions("cluster_network_remove \"$dir\"; ls \"$dir\"");

    assertEquals(List.of("conf", "logs", "servers"), result.text().lines().toList());
  }
}
