package io.rowguard.soak.torture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Verdicts of {@code torture.sh}. Scripts stand in for {@code cluster.sh}, for Java, and for sleep,
 * which takes no time.
 */
class TortureScriptTest {
  private static final String HEAD =
      "| tool | table | counts | seconds | verdict |\n|---|---|---|---:|---|\n";

  private static final String CLUSTER =
      """
      #!/usr/bin/env bash
      set -eu
      [[ $1 == --dir ]]
      dir=$2
      shift 2
      echo "$*" >>'PLACE/commands'
      case $1 in
        start)
          mkdir -p "$dir/conf" "$dir/servers"
          echo x.jar >"$dir/conf/classpath"
          echo running >"$dir/servers/region-server-1"
          [[ -e PLACE/alone ]] || echo running >"$dir/servers/region-server-2"
          ;;
        kill) echo dead >"$dir/servers/$2" ;;
        add) [[ ! -e PLACE/no-add ]] && echo running >"$dir/servers/$2" ;;
        status)
          echo "  master-1         running"
          for server in "$dir"/servers/*; do
            echo "  ${server##*/}  $(cat "$server")  4711"
          done
          ! grep -qx dead "$dir"/servers/*
          ;;
      esac
      """;

  private static final String JAVA =
      """
      #!/usr/bin/env bash
      set -eu
      while [[ $1 != io.rowguard.* && $1 != x.Tool ]]; do shift; done
      case "$*" in
        *' commands '*) printf 'x.Tool write %s\\nx.Tool verify %s\\n' "$5" "$5" ;;
        *' create '*)
          echo "$*" >>'PLACE/commands'
          [[ ! -e PLACE/refused-$4 ]]
          ;;
        *' look '*)
          echo "rows=$6 missing=0 wrong=0 regions=3"
          [[ ! -e PLACE/lost-$4 ]]
          ;;
        x.Tool*)
          echo "$*" >>'PLACE/commands'
          if [[ -e PLACE/waits ]]; then
            until [[ $(<'PLACE/commands') == *$'\\n'add* ]]; do /bin/sleep 0.01; done
          fi
          printf '\\t\\tREFERENCED=99\\n\\t\\tREFERENCED=100\\n  GC time elapsed (ms)=5\\n'
          [[ ! -e PLACE/broken-$3 ]]
          ;;
      esac
      """;

  @TempDir private Path temporary;
  private Path root;

  private record TortureOutcome(int status, String rows, String said) {}

  @BeforeEach
  void checkout() throws Exception {
    root = temporary.resolve("check out");
    script(root.resolve("testing/soak/torture.sh"), Files.readString(Path.of("torture.sh")));
    script(root.resolve("deploy/cluster.sh"), CLUSTER);
    for (String part : List.of("cluster-hbase", "local-hbase", "cluster-network", "cluster-disk")) {
      String lib = "deploy/lib/" + part + ".sh";
      script(root.resolve(lib), Files.readString(Path.of("../..", lib)));
    }
    script(temporary.resolve("jdk/bin/java"), JAVA);
    script(temporary.resolve("bin/sleep"), "#!/bin/sh\n");
    write(root.resolve("testing/soak/target/soak.classpath"), "a.jar");
    write(root.resolve("testing/soak/target/torture-2.6.1-linked-list.classpath"), "b.jar");
    write(root.resolve("deploy/target/rowguard-server-1.jar"), "");
    write(root.resolve("deploy/target/standalone.classpath"), "/m2/hbase-server-2.6.1.jar:c.jar");
    Files.createDirectories(temporary.resolve("tmp"));
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private void script(Path file, String text) throws IOException {
    write(file, text.replace("PLACE", temporary.toString()));
    assertTrue(file.toFile().setExecutable(true));
  }

  private void mark(String name) throws IOException {
    Files.writeString(temporary.resolve(name), "");
  }

  private TortureOutcome torture(String... arguments) throws Exception {
    List<String> command =
        Stream.concat(Stream.of("testing/soak/torture.sh", "--no-build"), Stream.of(arguments))
            .toList();
    Path said = temporary.resolve("said");
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(root.toFile()).redirectError(said.toFile());
    builder.environment().put("JAVA_HOME", temporary.resolve("jdk").toString());
    builder.environment().put("TMPDIR", temporary.resolve("tmp").toString());
    builder
        .environment()
        .merge("PATH", temporary.resolve("bin").toString(), (path, bin) -> bin + ":" + path);
    Process process = builder.start();
    process.getOutputStream().close();
    String rows = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new TortureOutcome(process.waitFor(), rows, Files.readString(said));
  }

  private List<String> commands() throws IOException {
    return Files.readAllLines(temporary.resolve("commands"));
  }

  private boolean isAnythingLeft() throws IOException {
    try (Stream<Path> files = Files.list(temporary.resolve("tmp"))) {
      return files.findAny().isPresent();
    }
  }

  private static String row(String kind, String counts, String verdict) {
    return "| linked-list | " + kind + " | " + counts + " | 0 | " + verdict + " |\n";
  }

  private static String withoutSeconds(String rows) {
    return rows.replaceAll("\\| [0-9]+ \\|", "| 0 |");
  }

  private static final String COUNTS = "REFERENCED=100 rows=50 missing=0 wrong=0 regions=3";

  @Test
  void allWell_passesAndLeavesNothing() throws Exception {
    TortureOutcome outcome = torture("--rows", "50", "--tables", "plain,salted", "linked-list");

    assertEquals(0, outcome.status(), outcome.said());
    assertEquals(
        HEAD + row("plain", COUNTS, "passed") + row("salted", COUNTS, "passed"),
        withoutSeconds(outcome.rows()));
    String create = "io.rowguard.soak.torture.TortureTable create linked-list ";
    assertEquals(
        List.of(
            "start",
            create + "plain torture_linked_list_plain 50",
            "x.Tool write torture_linked_list_plain",
            "x.Tool verify torture_linked_list_plain",
            create + "salted torture_linked_list_salted 50",
            "x.Tool write torture_linked_list_salted",
            "x.Tool verify torture_linked_list_salted",
            "stop"),
        commands());
    assertFalse(isAnythingLeft());
  }

  /** The others are tried all the same, and the cluster's data stays. */
  @Test
  void toolThatFails_fails() throws Exception {
    mark("broken-torture_linked_list_plain");

    TortureOutcome outcome = torture("--rows", "50", "--tables", "plain,guarded", "linked-list");

    assertEquals(1, outcome.status(), outcome.said());
    assertEquals(
        HEAD
            + row("plain", COUNTS, "FAILED: the tool ends with 1")
            + row("guarded", COUNTS, "passed"),
        withoutSeconds(outcome.rows()));
    assertFalse(commands().contains("x.Tool verify torture_linked_list_plain"));
    assertTrue(outcome.said().contains("logs and data of the cluster are in "), outcome.said());
    assertTrue(isAnythingLeft());
  }

  @Test
  void tableThatCannotBeMade_fails() throws Exception {
    mark("refused-guarded");

    TortureOutcome outcome = torture("--rows", "50", "--tables", "guarded", "linked-list");

    assertEquals(1, outcome.status(), outcome.said());
    assertTrue(outcome.rows().contains("| FAILED: the table cannot be made |"), outcome.rows());
    assertFalse(commands().contains("x.Tool write torture_linked_list_guarded"));
  }

  @Test
  void rowsThatAreLost_fail() throws Exception {
    mark("lost-guarded");

    TortureOutcome outcome = torture("--rows", "50", "--tables", "guarded", "linked-list");

    assertEquals(1, outcome.status(), outcome.said());
    assertEquals(
        HEAD + row("guarded", COUNTS, "FAILED: rows are lost or wrong"),
        withoutSeconds(outcome.rows()));
  }

  @Test
  void faults_killServersAndStartThemAgain() throws Exception {
    mark("waits");

    TortureOutcome outcome =
        torture("--faults", "--rows", "50", "--tables", "guarded", "linked-list");

    assertEquals(0, outcome.status(), outcome.said());
    List<String> kills = commands().stream().filter(line -> line.startsWith("kill ")).toList();
    List<String> adds = commands().stream().filter(line -> line.startsWith("add ")).toList();
    assertFalse(kills.isEmpty());
    assertEquals(
        kills.stream().map(line -> line.substring(5)).toList(),
        adds.stream().map(line -> line.substring(4)).toList());
    assertEquals(
        HEAD + row("guarded", COUNTS + " kills=" + kills.size(), "passed"),
        withoutSeconds(outcome.rows()));
  }

  /** A region server is never killed where it is the last one. */
  @Test
  void faultsThatKillNothing_fail() throws Exception {
    mark("alone");

    TortureOutcome outcome =
        torture("--faults", "--rows", "50", "--tables", "guarded", "linked-list");

    assertEquals(1, outcome.status(), outcome.said());
    assertTrue(outcome.rows().contains("| FAILED: no server was killed, "), outcome.rows());
  }

  @Test
  void serverThatDoesNotComeBack_fails() throws Exception {
    mark("waits");
    mark("no-add");

    TortureOutcome outcome =
        torture("--faults", "--rows", "50", "--tables", "guarded", "linked-list");

    assertEquals(1, outcome.status(), outcome.said());
    assertTrue(outcome.rows().contains("| FAILED: a server does not come back |"), outcome.rows());
  }

  @Test
  void clusterThatRuns_isUsedAndLeft() throws Exception {
    Path dir = Files.createDirectories(temporary.resolve("cluster"));
    new ProcessBuilder(root.resolve("deploy/cluster.sh").toString(), "--dir", dir + "", "start")
        .start()
        .waitFor();

    TortureOutcome outcome = torture("--dir", dir.toString(), "--rows", "50", "linked-list");

    assertEquals(0, outcome.status(), outcome.said());
    assertEquals(List.of("start", "status"), commands().subList(0, 2));
    assertFalse(commands().contains("stop"));
    assertTrue(Files.exists(dir.resolve("conf")));
    assertEquals(5, outcome.rows().lines().count());
  }

  @Test
  void wrongArguments_areRefused() throws Exception {
    for (List<String> wrong :
        List.of(
            List.<String>of(),
            List.of("spark"),
            List.of("linked-list", "load-test"),
            List.of("--tables", "bare", "performance"),
            List.of("--tables", "red", "load-test"),
            List.of("--rows", "0", "load-test"),
            List.of("load-test", "--dir", "missing"),
            List.of("load-test", "--dir"))) {
      TortureOutcome refused = torture(wrong.toArray(String[]::new));
      assertEquals(2, refused.status(), wrong.toString());
      assertTrue(refused.said().startsWith("torture: "), refused.said());
    }
    assertFalse(Files.exists(temporary.resolve("commands")));
  }
}
