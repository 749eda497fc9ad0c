package io.rowguard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The launcher, as a process of its own: from the checkout, and in the layout of a distribution.
 */
class LauncherIT {
  private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

  /** Settings of a machine that change the command's work or output. */
  private static final Predicate<String> OTHERS =
      Pattern.compile("(HBASE|HADOOP|ROWGUARD)_.*|NO_COLOR|.*JAVA_(TOOL_)?OPTIONS")
          .asMatchPredicate();

  @TempDir private Path directory;

  private record Result(int exitCode, String out, String err) {}

  private Result run(Map<String, String> environment, String... command) throws Exception {
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().keySet().removeIf(OTHERS);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    return new Result(process.waitFor(), Files.readString(out), Files.readString(err));
  }

  private static String launcher() {
    return ROOT.resolve("deploy/rowguard").toString();
  }

  @Test
  void checkout_anyCommand_runsWithItsExitCode() throws Exception {
    Result good = run(Map.of(), launcher(), "explain", "{id:hex(4)}", "12ab");
    assertEquals(0, good.exitCode, good.err);
    assertTrue(good.out.contains("a row of this layout"), good.out);
    assertEquals("", good.err);
    assertEquals(1, run(Map.of(), launcher(), "explain", "{id:hex(4)}", "12AB").exitCode);
    Result misused = run(Map.of(), launcher(), "explain", "{id:hex");
    assertEquals(2, misused.exitCode);
    assertEquals(1, misused.err.lines().count(), misused.err);
    Result debugging = run(Map.of(), launcher(), "explain", "{id:hex", "--debug");
    assertTrue(debugging.err.contains("\tat io.rowguard."), debugging.err);
    assertFalse(good.out.contains("\u001b"), "no colours in a file");
  }

  @Test
  void checkout_version_isThatOfTheJar() throws Exception {
    Result version = run(Map.of(), launcher(), "--version");
    String jar = "rowguard " + System.getProperty("rowguard.version");
    assertEquals(jar, version.out.lines().findFirst().orElseThrow(), version.err);
  }

  @Test
  void checkout_createWithoutACluster_isOneLine() throws Exception {
    Result result =
        run(
            Map.of(),
            launcher(),
            "presplit",
            "{id:hex(4)}",
            "-n",
            "2",
            "--create",
            "t",
            "--families",
            "f",
            "-D",
            "hbase.zookeeper.quorum=127.0.0.1",
            "-D",
            "hbase.zookeeper.property.clientPort=1",
            "-D",
            "hbase.client.retries.number=1",
            "-D",
            "zookeeper.session.timeout=1000",
            "-D",
            "hbase.client.operation.timeout=3000",
            "-D",
            "hbase.client.meta.operation.timeout=3000");
    assertEquals(2, result.exitCode);
    assertEquals(1, result.err.lines().count(), result.err);
    assertTrue(
        result.err.startsWith("rowguard: The table was not created. table=t zookeeper=127.0.0.1:1"),
        result.err);
  }

  @ParameterizedTest
  @ValueSource(strings = {"doctor", "heatmap", "hot"})
  void checkout_commandWithoutACluster_isOneLineInTime(String command) throws Exception {
    Result result =
        run(
            Map.of(),
            launcher(),
            command,
            "t",
            "--timeout",
            "1",
            "-D",
            "hbase.zookeeper.quorum=127.0.0.1",
            "-D",
            "hbase.zookeeper.property.clientPort=1");
    assertEquals(2, result.exitCode, result.out);
    assertEquals("", result.out);
    assertEquals(1, result.err.lines().count(), result.err);
    assertTrue(
        result.err.startsWith(
            "rowguard: The cluster does not answer. zookeeper=127.0.0.1:1 why=\""),
        result.err);
    assertTrue(result.err.contains("(--site FILE)"), result.err);
  }

  /**
   * A process looks like a standalone HBase to the launcher; that nobody answers at the address of
   * its configuration shows that this was read.
   */
  @Test
  void checkout_noClusterNamed_takesTheStandaloneThatRuns() throws Exception {
    Path standalone = directory.resolve("stand alone");
    Path site = siteOnPort(standalone.resolve("conf"), 1);
    Map<String, String> environment = new HashMap<>();
    environment.put("ROWGUARD_STANDALONE", standalone.toString());
    environment.put("PATH", "/usr/bin:/bin");
    String[] doctor = {launcher(), "doctor", "--timeout", "1"};
    Process process =
        new ProcessBuilder(
                "sh", "-c", "read wait", "sh", "-Drowguard.log.dir=" + standalone + "/logs", "end")
            .start();
    try {
      Files.writeString(standalone.resolve("hbase.pid"), process.pid() + "\n");
      List<String> said = run(environment, doctor).err.lines().toList();
      assertEquals(2, said.size(), "" + said);
      assertEquals(
          "rowguard: Taking the standalone HBase that runs on this machine, since no cluster is"
              + " named (--site FILE). site="
              + site,
          said.get(0));
      assertTrue(said.get(1).contains(" zookeeper=127.0.0.1:1 "), said.get(1));

      environment.put("HBASE_CONF_DIR", siteOnPort(directory.resolve("conf"), 2).getParent() + "");
      List<String> named = run(environment, doctor).err.lines().toList();
      assertEquals(1, named.size(), "" + named);
      assertTrue(named.get(0).contains(" zookeeper=127.0.0.1:2 "), named.get(0));
    } finally {
      process.destroy();
      process.waitFor();
    }
    environment.remove("HBASE_CONF_DIR");
    String ended = run(environment, doctor).err;
    assertFalse(ended.contains("standalone"), ended);
  }

  private static Path siteOnPort(Path conf, int port) throws IOException {
    String property = "<property><name>%s</name><value>%s</value></property>";
    return Files.writeString(
        Files.createDirectories(conf).resolve("hbase-site.xml"),
        "<configuration>"
            + String.format(property, "hbase.zookeeper.quorum", "127.0.0.1")
            + String.format(property, "hbase.zookeeper.property.clientPort", port)
            + "</configuration>\n");
  }

  @Test
  void checkout_helpOfAClusterCommand_startsWithoutHBase() throws Exception {
    Path hbase = Files.createDirectories(directory.resolve("hbase/bin")).resolve("hbase");
    Files.writeString(hbase, "#!/bin/sh\necho called >&2\nexit 1\n");
    assertTrue(hbase.toFile().setExecutable(true));
    Map<String, String> home = Map.of("HBASE_HOME", directory.resolve("hbase").toString());
    for (List<String> words :
        List.of(
            List.of("doctor", "--help"),
            List.of("--debug", "heatmap", "-h"),
            List.of("relayout", "run", "--help"),
            List.of("merge", "--help"),
            List.of("adopt", "hbasewd", "t", "--rows", "/dev/null"),
            // Not the subcommand's name, only a word among the others.
            List.of("explain", "{id:word}", "doctor"),
            List.of("explain", "{id:word}", "--", "--create"))) {
      List<String> command = new ArrayList<>(List.of(launcher()));
      command.addAll(words);
      Result result = run(home, command.toArray(new String[0]));
      assertFalse(result.err.contains("called"), words + " " + result.err);
      assertTrue(result.exitCode < 2, words + " " + result.err);
    }
    for (List<String> words :
        List.of(
            List.of("doctor"),
            List.of("--debug", "heatmap", "t"),
            List.of("audit", "t"),
            List.of("digest", "t"),
            List.of("adopt", "opentsdb", "t"),
            List.of("relayout", "status", "t"),
            List.of("merge", "t"),
            List.of("presplit", "{id:word}", "-n", "2", "--create=t"))) {
      List<String> command = new ArrayList<>(List.of(launcher()));
      command.addAll(words);
      Result result = run(home, command.toArray(new String[0]));
      assertTrue(result.err.contains("called"), words + " " + result.err);
    }
  }

  @Test
  void distribution_jarsInLib_areFoundThroughALink() throws Exception {
    Path bin = Files.createDirectories(directory.resolve("rowguard dist/bin"));
    Path lib = Files.createDirectories(directory.resolve("rowguard dist/lib"));
    Files.copy(Path.of(launcher()), bin.resolve("rowguard"));
    assertTrue(bin.resolve("rowguard").toFile().setExecutable(true));
    List<Path> jars = new ArrayList<>();
    try (Stream<Path> files = Files.list(Path.of("target"))) {
      files.filter(file -> file.toString().endsWith(".jar")).forEach(jars::add);
    }
    for (String jar : Files.readString(Path.of("target/tools.classpath")).strip().split(":", -1)) {
      jars.add(Path.of(jar));
    }
    jars.add(ROOT.resolve("deploy/lib/hbase-jdk17.args"));
    for (Path jar : jars) {
      Files.copy(jar, lib.resolve(jar.getFileName()));
    }
    Path link = Files.createSymbolicLink(directory.resolve("link"), bin.resolve("rowguard"));
    Result result = run(Map.of(), link.toString(), "presplit", "{id:hex(16)}", "-n", "2");
    assertEquals("8\n", result.out, result.err);
    Result create =
        run(
            Map.of("PATH", "/usr/bin:/bin"),
            link.toString(),
            "presplit",
            "{id:hex(4)}",
            "-n",
            "2",
            "--create",
            "t",
            "--families",
            "f");
    assertEquals(2, create.exitCode);
    assertTrue(
        create.err.startsWith("rowguard: HBase's client is not on the class path. Set HBASE_HOME"),
        create.err);
  }

  @Test
  void completion_inBash_completesCommandsAndOptions() throws Exception {
    String script =
        "source <("
            + "'"
            + launcher()
            + "' completion); COMP_WORDS=(rowguard pre); COMP_CWORD=1; _complete_rowguard;"
            + " echo \"${COMPREPLY[@]}\"; COMP_WORDS=(rowguard simulate --comp); COMP_CWORD=2;"
            + " _complete_rowguard; echo \"${COMPREPLY[@]}\"";
    Result result = run(Map.of(), "bash", "-c", script);
    assertEquals("presplit\n--compare --compare-group\n", result.out, result.err);
  }

  @Test
  void terminal_colorsAndProgress_unlessNoColor() throws Exception {
    // A terminal of its own, by util-linux.
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "script is not installed");
    String command = "'" + launcher() + "' simulate --count 3000000 --generator md5-id";
    Map<String, String> terminal = Map.of("TERM", "xterm", "COLUMNS", "90");
    Result colored = run(terminal, "script", "-qec", command, "/dev/null");
    assertEquals(0, colored.exitCode, colored.out);
    assertTrue(colored.out.contains("\u001b[32mno hotspot\u001b[0m"), colored.out);
    assertTrue(colored.out.contains("\rsimulating |"), colored.out);
    assertTrue(colored.out.contains("\u2588"), colored.out);
    Map<String, String> plain = Map.of("TERM", "xterm", "NO_COLOR", "1");
    Result uncolored = run(plain, "script", "-qec", command, "/dev/null");
    assertTrue(uncolored.out.contains("no hotspot"), uncolored.out);
    assertFalse(uncolored.out.contains("\u001b["), uncolored.out);
  }

  @Test
  void simulate_manyKeysInASmallHeap_needsNoMoreMemory() throws Exception {
    Result result =
        run(
            Map.of("ROWGUARD_JAVA_OPTS", "-Xmx24m"),
            launcher(),
            "simulate",
            "--generator",
            "sequential",
            "--threads",
            "2", // each has a tally of its own, and a machine may have many processors
            "--count",
            "5000000");
    assertEquals(0, result.exitCode, result.err);
    assertTrue(result.out.contains("5,000,000"), result.out);
  }

  @Test
  void simulate_fullModelInASmallHeapWithoutHBase_splitsByRowguardsRule() throws Exception {
    Result result =
        run(
            Map.of("ROWGUARD_JAVA_OPTS", "-Xmx32m"),
            launcher(),
            "simulate",
            "{id:uint64}",
            "--model",
            "full",
            "--max-file-size",
            "40m",
            "--flush-size",
            "8m",
            "--count",
            "5000000");
    assertEquals(0, result.exitCode, result.err);
    assertTrue(result.out.contains("where rowguard"), result.out);
    assertTrue(result.out.contains("5,000,000"), result.out);
  }

  @Test
  void launcher_classPath_leavesHBaseOut() throws IOException {
    String classpath = Files.readString(Path.of("target/tools.classpath"));
    assertFalse(classpath.contains("hbase"), classpath);
    assertTrue(classpath.getBytes(StandardCharsets.UTF_8).length < 2000, classpath);
  }
}
