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

/** The disk that {@code deploy/cluster.sh --small-disk} gives a data node, without HDFS. */
class ClusterDiskTest {
  @TempDir Path directory;

  private ClusterStandIn cluster;

  @BeforeEach
  void make() {
    cluster = new ClusterStandIn(directory);
  }

  @AfterEach
  void end() throws Exception {
    cluster.end();
    cluster.functions("cluster_disk_remove \"$dir\"");
  }

  @Test
  void start_withoutTheRight_saysWhatItNeeds() throws Exception {
    cluster.replace("mount", "echo mount: must be superuser to use mount. >&2; exit 1");

    ScriptResult result = cluster.run("--small-disk start");

    assertEquals(1, result.status());
    assertEquals(
        "cluster: there can be no small disk here: to mount a file system needs root, in a"
            + " container also the right SYS_ADMIN: mount says mount: must be superuser to use"
            + " mount.",
        result.text().strip());
    assertFalse(Files.exists(cluster.path().resolve("disk")));
  }

  @Test
  void start_withOneDataNode_isRefused() throws Exception {
    ScriptResult result = cluster.run("--small-disk --datanodes 1 start");

    assertEquals(2, result.status());
    assertTrue(result.text().contains("--small-disk needs a second data node"), result.text());
  }

  @Test
  void fill_whereItCannotBe_isRefused() throws Exception {
    cluster.functions(launched("datanode-1"));

    ScriptResult none = cluster.run("fill datanode-1");
    assertEquals(2, none.status());
    assertTrue(none.text().contains("deploy/cluster.sh --small-disk start"), none.text());

    Files.writeString(cluster.path().resolve("disk"), "datanode-3\n");
    ScriptResult other = cluster.run("fill datanode-1");
    Files.delete(cluster.path().resolve("disk"));
    assertEquals(2, other.status());
    assertTrue(other.text().contains("datanode-1 has no small disk; datanode-3 has"), other.text());
  }

  @Test
  void disk_filledAndHealed_takesWritesOrNot() throws Exception {
    ScriptResult missing = cluster.functions("cluster_disk_missing");
    assumeFalse(missing.status() == 0, missing.text());

    ScriptResult result =
        cluster.functions(
            """
            disk=$dir/hdfs/datanode-2
            write() { if head -c 100000 /dev/zero 2>/dev/null >"$disk/$1"; then echo written; else echo no room; fi; }
            full() { if cluster_disk_is_full "$dir" datanode-2; then echo full; else echo has room; fi; }
            cluster_disk_make "$dir" datanode-2
            write a
            full
            cluster_disk_fill "$dir" datanode-2
            full
            write b
            cluster_disk_heal "$dir" datanode-2
            full
            write b
            cluster_disk_is_full "$dir" datanode-1 || echo another has room
            cluster_disk_remove "$dir"
            full
            ls "$disk" "$dir/disk" 2>/dev/null | grep -v : || true
            """);

    assertEquals(
        List.of(
            "written",
            "has room",
            "full",
            "no room",
            "has room",
            "written",
            "another has room",
            "has room"),
        result.text().lines().toList());
  }
}
