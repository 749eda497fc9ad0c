package io.rowguard.deploy;

import static io.rowguard.deploy.Installation.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.deploy.Command.Tool;
import io.rowguard.deploy.Script.ScriptResult;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * An operator's day: every command of {@code docs/operations.md}, of the README and of {@code
 * deploy/dist/shell} is executed as it stands there, by bash or in HBase's own shell, on a real
 * HBase that {@code deploy/standalone.sh} starts with the jar that {@code install.sh} has
 * installed. Each claim of the page about a command must hold after it.
 *
 * <p>One story in one order, since it costs two starts of HBase and two of its shell. A command
 * that is new on a page fails until it says here what must be so after it, or why it is not run.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OperationsIT {
  private static final String PAGE = "docs/operations.md";
  private static final String README = "README.md";
  private static final List<String> SNIPPETS =
      List.of(
          "deploy/dist/shell/enable.txt",
          "deploy/dist/shell/check.txt",
          "deploy/dist/shell/disable.txt");

  /** Blocks of the pages that are not executed here, and why not. */
  private static final Map<String, String> NOT_RUN =
      Map.of(
          "bin/rolling-restart.sh",
          "HBase's own script, on a cluster of several machines; RollingInstallIT has the servers",
          "bin/graceful_stop.sh --restart --reload HOST",
          "the same",
          "deploy/demo.sh",
          "it fails by itself when something that it says is not so; two minutes",
          "mvn -B verify",
          "this test is part of it",
          "mvn -B clean package",
          "the jar that is installed here was made by it");

  /**
   * Settings that are merged: tables name the observer and the policy themselves, as on the pages.
   */
  private static final Path MASTER_ONLY = Page.ROOT.resolve("deploy/conf/standalone-site.xml");

  @TempDir static Path temporary;

  private final Set<String> executed = new HashSet<>();
  private Installation installation;
  private Standalone standalone;
  private Trial trial;

  @BeforeAll
  void unpack() throws Exception {
    installation = Installation.in(temporary, "hbase");
    standalone =
        new Standalone(temporary.resolve("standalone 1"), installation.unpacked().resolve("bin"));
  }

  @AfterAll
  void end() throws Exception {
    endTrial();
    standalone.discard();
  }

  private void endTrial() throws Exception {
    if (trial != null) {
      trial.close();
      trial = null;
    }
  }

  private Stream<DynamicTest> walk(List<Command> commands, Function<String, Step> steps) {
    return commands.stream()
        .filter(command -> !NOT_RUN.containsKey(command.key()))
        .map(
            command ->
                DynamicTest.dynamicTest(
                    command.section() + ": " + command.key(),
                    () -> {
                      Step step = steps.apply(command.key());
                      assertTrue(step != null, () -> "Say what is so after it: " + command);
                      step.execute(command);
                      executed.add(command.key());
                    }));
  }

  // ---- before anything runs

  @Test
  @Order(1)
  void standalone_whereItDoesNotRun_saysSo() throws Exception {
    assertSays(3, "It is not running. dir=", standalone.run("status"));
    assertSays(0, "It is not running. dir=", standalone.run("stop"));
    assertSays(2, "start it first", standalone.run("shell"));
  }

  @Test
  @Order(1)
  void standalone_calledWrongly_saysHow() throws Exception {
    assertSays(2, "say what to do", standalone.run(""));
    assertSays(2, "what is begin?", standalone.run("begin"));
    assertSays(2, "start takes no arguments", standalone.run("start now"));
    assertSays(2, "--dir needs a directory", standalone.run("--dir"));
    assertSays(2, "from 1 to 65535", standalone.run("--port 65536 start"));
    assertSays(0, "usage: deploy/standalone.sh", standalone.run("--help"));
  }

  @Test
  @Order(1)
  void standaloneStart_whereItCannot_saysWhyAndStartsNothing() throws Exception {
    standalone.setJar(installation.home().resolve("lib/none.jar"));
    Path file = Files.createFile(temporary.resolve("file"));
    assertSays(1, "cannot write to " + file, standalone.run("--dir '" + file + "/d' start"));
    try (ServerSocket busy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = busy.getLocalPort();
      assertSays(1, "port " + port, standalone.run("--port " + port + " start"));
    }
    assertSays(3, "It is not running. dir=", standalone.run("status"));
  }

  /** An HBase, and a configuration alone, as {@code HBASE_CONF_DIR}'s parent is one. */
  @Test
  @Order(1)
  void standalone_onADirectoryOfSomebodyElse_isRefusedAndChangesNothing() throws Exception {
    standalone.setJar(installation.home().resolve("lib/none.jar"));
    Path configured = temporary.resolve("configured");
    write(configured.resolve("conf/hbase-site.xml"), Installation.SITE);
    for (Path directory : List.of(installation.home(), configured)) {
      Installation theirs = new Installation(installation.unpacked(), directory);
      Map<String, String> before = theirs.files();
      String said = directory + " holds an HBase or a configuration that is not of this script";

      assertSays(1, said, standalone.run("--dir '" + directory + "' start"));
      Standalone of = new Standalone(directory, installation.unpacked());
      assertSays(1, said, of.discard());

      assertEquals(before, theirs.files());
    }
  }

  private static void assertSays(int status, String words, ScriptResult outcome) {
    assertEquals(status, outcome.status(), outcome.text());
    assertTrue(outcome.text().contains(words), words + " in " + outcome.text());
  }

  // ---- docs/operations.md: Install

  @TestFactory
  @Order(2)
  Stream<DynamicTest> install_asThePageSays() throws IOException {
    return walk(
        Page.commandsOf(PAGE).stream().filter(each -> each.section().equals("Install")).toList(),
        installSteps()::get);
  }

  private Map<String, Step> installSteps() {
    return Map.of(
        "./install.sh --hbase-home \"$HBASE_HOME\" --dry-run",
        command -> {
          Map<String, String> before = installation.files();
          assertSays(0, "would: ", bash(installation.unpacked(), command.text()));
          assertEquals(before, installation.files());
        },
        "./install.sh --hbase-home \"$HBASE_HOME\"",
        command -> {
          ScriptResult outcome = bash(installation.unpacked(), command.text());
          assertSays(0, "LayoutMasterObserver</value>", outcome); // what to merge
          assertSays(0, "restart the backup masters", outcome);
          assertTrue(Files.isRegularFile(installation.installedJar()));
          assertEquals(Installation.SITE, Files.readString(installation.site()));
        });
  }

  private ScriptResult bash(Path directory, String commandLine) throws Exception {
    Map<String, String> environment = Map.of("HBASE_HOME", installation.home().toString());
    return Script.run(directory, environment, "bash", "-c", commandLine);
  }

  // ---- the README

  /** Shown text that is no command, such as the first refusal, comes once a shell is there. */
  @TestFactory
  @Order(3)
  Stream<DynamicTest> readme_asItSays() throws IOException {
    List<Command> commands = new ArrayList<>(Page.commandsOf(README));
    List<Command> shown = commands.stream().filter(each -> each.tool() == Tool.NONE).toList();
    commands.removeAll(shown);
    commands.addAll(shown);
    int shell = indexOf("deploy/standalone.sh shell", commands);
    return Stream.concat(
        walk(commands.subList(0, shell + 1), this::firstReadmeStep),
        walk(commands.subList(shell + 1, commands.size()), this::readmeStep));
  }

  private Step firstReadmeStep(String key) {
    return switch (key) {
      case "deploy/standalone.sh start" -> this::start;
      case "deploy/standalone.sh shell" ->
          command -> {
            trial = new Trial(standalone, command.text());
            assertTrue(trial.execute("status").contains("1 active master"));
          };
      default -> null;
    };
  }

  /** It starts with what is installed, and once. */
  private void start(Command command) throws Exception {
    write(installation.site(), Files.readString(MASTER_ONLY));
    standalone.setJar(installation.installedJar());
    assertSays(0, "It is running.", standalone.bash(command.text()));
    assertSays(0, "It is running.", standalone.run("status"));
    assertSays(0, "It is running already.", standalone.run("start"));
  }

  private Step readmeStep(String key) {
    return switch (key) {
      case "deploy/rowguard doctor" ->
          command -> {
            ScriptResult doctor = standalone.bash(command.text() + " --timeout 60");
            assertSays(0, "Taking the standalone HBase that runs on this machine", doctor);
            assertSays(0, "All is well", doctor);
          };
      case "cp deploy/target/rowguard-server-*.jar \"$HBASE_HOME\"/lib/" ->
          command -> {
            Path another = Files.createDirectories(temporary.resolve("another/lib"));
            Map<String, String> environment = Map.of("HBASE_HOME", another.getParent().toString());
            assertSays(0, "", Script.run(Page.ROOT, environment, "bash", "-c", command.text()));
            assertTrue(Files.isRegularFile(another.resolve(Installation.JAR)));
          };
      default -> ReadmeSteps.on(standalone, trial).get(key);
    };
  }

  private static int indexOf(String key, List<Command> commands) {
    return commands.stream().map(Command::key).toList().indexOf(key);
  }

  // ---- deploy/dist/shell

  @TestFactory
  @Order(4)
  Stream<DynamicTest> snippets_pastedIntoTheShell() throws IOException {
    List<Command> commands = new ArrayList<>();
    for (String snippet : SNIPPETS) {
      commands.addAll(Page.pastedFrom(snippet));
    }
    return walk(commands, key -> steps().snippets().get(key));
  }

  private OperationsSteps steps() {
    return new OperationsSteps(standalone, trial);
  }

  // ---- docs/operations.md, the rest

  /** By force, with a reason, in the same alter. */
  @Test
  @Order(5)
  void force_asThePageSays_letsTheChangeThrough() throws Exception {
    String force = "'rowguard.force' => 'ticket 42'";
    assertTrue(Files.readString(Page.ROOT.resolve(PAGE)).contains("`" + force + "`"));
    trial.createPlain("live", Trial.ROW);
    trial.execute(OperationsSteps.WARN_LIVE);
    trial.execute(OperationsSteps.REJECT_LIVE);
    String change = "'rowguard.layout' => '{id:text}', 'rowguard.group' => 'id'";
    String refused = trial.failing("alter 'live', {METADATA => {" + change + "}}");
    assertTrue(refused.contains("rowguard.force"), refused);

    trial.execute("alter 'live', {METADATA => {" + change + ", " + force + "}}");

    trial.accepts("live", "whatever");
    assertTrue(standalone.log().lines().anyMatch(line -> line.contains("ticket 42")));
  }

  @TestFactory
  @Order(6)
  Stream<DynamicTest> operations_asThePageSays() throws IOException {
    List<Command> commands = Page.commandsOf(PAGE);
    List<Command> rest =
        commands.stream().filter(each -> !each.section().equals("Install")).toList();
    return walk(
        rest, key -> key.endsWith("--uninstall") ? this::uninstall : steps().page().get(key));
  }

  private void uninstall(Command command) throws Exception {
    assertSays(1, "still names classes", bash(installation.unpacked(), command.text()));
    write(installation.site(), Installation.SITE);
    assertSays(0, "No table may name", bash(installation.unpacked(), command.text()));
    assertFalse(Files.exists(installation.installedJar()));
  }

  // ---- the end

  /** Data, boundaries and rows stay as they are. */
  @Test
  @Order(8)
  void restart_withoutTheJar_hasAllTables() throws Exception {
    endTrial();
    // As log4j does when it is full; what says that HBase has come up is in it.
    Path log = standalone.rollLog();
    assertSays(0, "Stopped. Its tables stay in ", standalone.run("stop"));
    assertTrue(Files.readString(log).contains("Cluster shutdown requested"), "in good order");
    assertSays(3, "It is not running. dir=", standalone.run("status"));

    standalone.setJar(null);
    standalone.setSite(installation.site());
    assertSays(0, "It is running.", standalone.run("start"));
    ScriptResult session =
        standalone.run(
            "shell -n <<'END'\n"
                + "put 'live', 'no row of its layout', 'f:q', 'v'\n"
                + "scan 'live'\n"
                + "get 'orders', \""
                + Trial.ORDER
                + "\"\n"
                + "create 'made', 'f'\n"
                + "list\n"
                + "END");
    assertSays(0, "no row of its layout", session);
    assertSays(0, Trial.ROW, session);
    assertSays(0, "1 row(s)", session);
    assertSays(0, "[\"live\", \"made\", \"orders\"]", session);
    assertSays(0, "Stopped. Its tables stay in ", standalone.run("stop"));
  }

  @Test
  @Order(9)
  void everyCommand_isExecutedOrListed() throws IOException {
    Set<String> all = new TreeSet<>(NOT_RUN.keySet());
    all.addAll(executed);
    try (Stream<Path> files = Files.list(Page.ROOT.resolve("deploy/dist/shell"))) {
      assertEquals(SNIPPETS.size(), files.count());
    }
    Set<String> shown = new TreeSet<>();
    for (String page : List.of(PAGE, README)) {
      Page.commandsOf(page).forEach(command -> shown.add(command.key()));
    }
    for (String snippet : SNIPPETS) {
      Page.pastedFrom(snippet).forEach(command -> shown.add(command.key()));
    }
    assertEquals(shown, all);
  }
}
