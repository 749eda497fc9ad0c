package io.rowguard.deploy;

import static io.rowguard.deploy.Installation.JAR;
import static io.rowguard.deploy.Installation.SITE;
import static io.rowguard.deploy.Installation.VERSION;
import static io.rowguard.deploy.Installation.write;
import static java.nio.file.attribute.PosixFilePermission.OTHERS_READ;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.deploy.Script.ScriptResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The archive, unpacked, and its install.sh on what looks like an HBase installation. */
@Tag("no-hbase")
class DistributionIT {
  private static final Pattern WORD_ENDS = Pattern.compile("[\\s,]+");

  @TempDir private Path temp;
  private Installation installation;
  private Path unpacked;
  private Path home;

  @BeforeEach
  void unpack() throws Exception {
    installation = Installation.in(temp, "hbase 2"); // a blank, as it can be
    unpacked = installation.unpacked();
    home = installation.home();
  }

  @Test
  void archive_unpacked_hasWhatIsPromised() throws IOException {
    for (String file :
        List.of(
            "server/" + JAR,
            "client/rowguard-client-" + VERSION + ".jar",
            "client/rowguard-config-" + VERSION + ".jar",
            "client/rowguard-mapreduce-" + VERSION + ".jar",
            "client/rowguard-readdressing-" + VERSION + ".jar",
            "client/rowguard-relayout-" + VERSION + ".jar",
            "client/rowguard-routing-" + VERSION + ".jar",
            "client/rowguard-rowkey-layout-" + VERSION + ".jar",
            "lib/rowguard-tools-" + VERSION + ".jar",
            "lib/log4j-tools.properties",
            "install.sh",
            "CONTENTS.md",
            "README.md",
            "README.zh-CN.md",
            "LICENSE",
            "NOTICE",
            "CHANGELOG.md",
            "SECURITY.md",
            "rowguard-bom.json",
            "conf/hbase-site-master.xml",
            "conf/hbase-site-regionserver.xml",
            "conf/hbase-site-defaults.xml",
            "shell/enable.txt",
            "shell/check.txt",
            "shell/disable.txt",
            "docs/README.md",
            "docs/enforcement.md",
            "docs/internals/decisions/0001-one-layout-declaration.md")) {
      assertTrue(Files.isRegularFile(unpacked.resolve(file)), file);
    }
    assertEquals(
        Set.of(
            "client",
            "config",
            "load",
            "mapreduce",
            "readdressing",
            "relayout",
            "routing",
            "rowkey-layout",
            "split-point",
            "table-model",
            "tools"),
        ownJars(unpacked.resolve("lib")),
        "what the command needs, and no plugin of servers");
    assertTrue(Files.isExecutable(unpacked.resolve("install.sh")));
    assertEquals(
        -1, Files.mismatch(Path.of(System.getProperty("rowguard.server.jar")), installable()));
    assertFalse(Files.exists(unpacked.resolve("lib/" + JAR)));
  }

  /** Parts made by others stand under their licences, and the text says which. */
  @Test
  void bundledClient_everyJar_hasItsLicenceNamed() throws IOException {
    String licences = Files.readString(unpacked.resolve("lib/hbase/LICENSES.txt"));
    List<String> jars;
    try (Stream<Path> files = Files.list(unpacked.resolve("lib/hbase"))) {
      jars =
          files.map(file -> file.getFileName().toString()).filter(n -> n.endsWith(".jar")).toList();
    }
    assertTrue(jars.stream().anyMatch(jar -> jar.startsWith("hbase-shaded-mapreduce-")), "" + jars);
    for (String jar : jars) {
      String name = jar.startsWith("opentelemetry-") ? "opentelemetry-*" : nameOf(jar);
      assertTrue(licences.contains("\n  " + name + " "), jar);
    }
  }

  /** Hadoop's jar tells by Maven's groups what is in it, but not under which licence. */
  @Test
  void bundledClient_whatHadoopContains_hasItsLicenceNamed() throws IOException {
    String licences = Files.readString(unpacked.resolve("lib/hbase/LICENSES.txt"));
    Set<String> words = WORD_ENDS.splitAsStream(licences).collect(Collectors.toSet());
    Set<String> groups;
    try (JarFile jar = new JarFile(bundled("hadoop-client-runtime-").toFile())) {
      groups =
          jar.stream()
              .map(JarEntry::getName)
              .filter(name -> name.matches("META-INF/maven/.*/pom.properties"))
              .map(name -> Path.of(name).getName(2).toString())
              .filter(group -> !group.startsWith("org.apache.") && !group.startsWith("commons-"))
              .collect(Collectors.toSet());
    }
    assertTrue(groups.contains("com.sun.jersey"), "" + groups);
    assertTrue(words.containsAll(groups), "" + groups);
    for (String text : List.of("licenses/CDDL-1.0.txt", "licenses/CDDL-1.1.txt")) {
      assertTrue(words.contains(text), text);
      assertTrue(Files.exists(unpacked.resolve("lib/hbase").resolve(text)), text);
    }
  }

  private Path bundled(String beginning) throws IOException {
    try (Stream<Path> files = Files.list(unpacked.resolve("lib/hbase"))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(beginning))
          .findFirst()
          .orElseThrow();
    }
  }

  /** The modules of Rowguard whose jars are in a directory. */
  private static Set<String> ownJars(Path directory) throws IOException {
    String version = "-" + VERSION + ".jar";
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("rowguard-"))
          .map(name -> name.substring("rowguard-".length()).replace(version, ""))
          .collect(Collectors.toSet());
    }
  }

  /** The name of a jar without its version. */
  private static String nameOf(String jar) {
    return jar.replaceFirst("-\\d.*", "");
  }

  @Test
  void rowguard_unpacked_findsItsJars() throws Exception {
    ScriptResult outcome =
        run(temp, unpacked + "/bin/rowguard", "presplit", "{id:hex(16)}", "-n", "2");
    assertEquals(0, outcome.status(), outcome.text());
    assertEquals("8\n", outcome.text());
    ScriptResult version = run(temp, unpacked + "/bin/rowguard", "--version");
    assertTrue(version.text().startsWith("rowguard " + VERSION + "\n"), version.text());
    assertTrue(Files.isReadable(unpacked.resolve("lib/hbase-jdk17.args")));
  }

  @Test
  void install_andUninstall_leaveTheHomeAsItWas() throws Exception {
    Map<String, String> before = installation.files();

    ScriptResult installed = install();
    assertEquals(0, installed.status(), installed.text());
    assertEquals(-1, Files.mismatch(installable(), home.resolve("lib/" + JAR)));
    assertEquals(SITE, Files.readString(home.resolve("conf/hbase-site.xml")));
    assertEquals(before.size() + 2, installation.files().size());
    for (String said :
        List.of(
            "do not add a second, which would replace it",
            "<value>io.rowguard.master.LayoutMasterObserver</value>",
            "<value>io.rowguard.observer.LayoutRegionObserver</value>",
            "<value>io.rowguard.split.LayoutRegionSplitPolicy</value>",
            "1. restart the backup masters, then the active master",
            "2. restart the region servers, one after the other")) {
      assertTrue(installed.text().contains(said), said + " in " + installed.text());
    }

    ScriptResult uninstalled = install("--uninstall");
    assertEquals(0, uninstalled.status(), uninstalled.text());
    assertEquals(before, installation.files());
    assertEquals(0, install("--uninstall").status());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void dryRun_always_changesNothing(boolean uninstall) throws Exception {
    if (uninstall) {
      install();
    }
    Map<String, String> before = installation.files();

    ScriptResult outcome = uninstall ? install("--dry-run", "--uninstall") : install("--dry-run");

    assertEquals(0, outcome.status(), outcome.text());
    assertTrue(outcome.text().contains("would: "), outcome.text());
    assertEquals(before, installation.files());
  }

  /** HBase's user is another one than root. */
  @Test
  void install_underAStrictUmask_leavesAJarThatAllCanRead() throws Exception {
    String install = "umask 077; bash '" + unpacked + "/install.sh' --hbase-home '" + home + "'";
    assertEquals(0, run(temp, "bash", "-c", install).status());
    assertTrue(Files.getPosixFilePermissions(installation.installedJar()).contains(OTHERS_READ));
  }

  @Test
  void install_twice_isAsOnce() throws Exception {
    install();
    Map<String, String> once = installation.files();

    ScriptResult again = install();

    assertEquals(0, again.status());
    assertTrue(again.text().contains("is there already"), again.text());
    assertEquals(once, installation.files());
  }

  @Test
  void install_overAnOlderVersionOfItsOwn_replacesIt() throws Exception {
    Files.move(installable(), unpacked.resolve("server/rowguard-server-0.0.9.jar"));
    assertEquals(0, install().status());
    assertTrue(Files.exists(home.resolve("lib/rowguard-server-0.0.9.jar")));
    Files.move(unpacked.resolve("server/rowguard-server-0.0.9.jar"), installable());

    ScriptResult upgraded = install();

    assertEquals(0, upgraded.status(), upgraded.text());
    assertFalse(Files.exists(home.resolve("lib/rowguard-server-0.0.9.jar")));
    assertTrue(Files.exists(home.resolve("lib/" + JAR)));
  }

  /** Between the record and the jar, whose name is the same in both builds. */
  @Test
  void install_afterAnInterruptedUpgrade_goesOnFromThere() throws Exception {
    install();
    write(installable(), "a newer build");
    String noJars = "#!/bin/sh\ncase $2 in *.jar) exit 1 ;; esac\nexec /bin/mv \"$@\"\n";
    write(temp.resolve("bin/mv"), noJars);
    assertTrue(temp.resolve("bin/mv").toFile().setExecutable(true));
    Map<String, String> path = Map.of("PATH", temp + "/bin:" + System.getenv("PATH"));
    String home = this.home.toString();

    ScriptResult interrupted =
        Script.run(temp, path, "bash", unpacked + "/install.sh", "--hbase-home", home);
    assertEquals(1, interrupted.status(), interrupted.text());
    assertTrue(Files.mismatch(installable(), installation.installedJar()) >= 0);
    assertEquals(0, install("--uninstall", "--dry-run").status());
    ScriptResult again = install();

    assertEquals(0, again.status(), again.text());
    assertEquals(-1, Files.mismatch(installable(), installation.installedJar()));
    assertTrue(install().text().contains("is there already"));
    write(installation.installedJar(), "a patched one");
    assertRefused(1, "is not what this script has put there", install());
  }

  /** Put there by hand, or by another tool: it is not ours to remove. */
  @Test
  void install_besideAnotherVersion_isRefused() throws Exception {
    write(home.resolve("lib/rowguard-server-0.0.9.jar"), "by hand");

    assertRefused(1, "is there already, and not from this script", install());
  }

  @Test
  void install_whereTheJarWasChanged_isRefused() throws Exception {
    install();
    write(home.resolve("lib/" + JAR), "a patched one");

    assertRefused(1, "is not what this script has put there", install());
    assertRefused(1, "is not what this script has put there", install("--uninstall"));
  }

  @Test
  void uninstall_whileTheConfigurationNamesTheClasses_isRefused() throws Exception {
    install();
    Files.copy(
        unpacked.resolve("conf/hbase-site-master.xml"),
        home.resolve("conf/hbase-site.xml"),
        StandardCopyOption.REPLACE_EXISTING);

    ScriptResult merged = install();
    assertTrue(merged.text().contains("names all three classes"), merged.text());
    assertRefused(1, "still names classes of Rowguard", install("--uninstall"));
    Files.delete(home.resolve("conf/hbase-site.xml"));
    assertRefused(1, "set HBASE_CONF_DIR to the directory", install("--uninstall"));
  }

  @Test
  void call_wrong_isRefusedWithStatusTwo() throws Exception {
    assertRefused(2, "which HBase?", script());
    assertRefused(2, "--hbase-home needs a directory", script("--hbase-home"));
    assertRefused(2, "there is no directory", script("--hbase-home", temp + "/none"));
    assertRefused(2, "is no HBase installation", script("--hbase-home", temp.toString()));
    assertRefused(2, "what is --force?", install("--force"));
    assertEquals(0, script("--help").status());
  }

  private void assertRefused(int status, String said, ScriptResult outcome) throws IOException {
    assertEquals(status, outcome.status(), outcome.text());
    assertTrue(outcome.text().contains(said), outcome.text());
    assertEquals("HBase's", Files.readString(home.resolve("lib/hbase-server-2.6.1.jar")));
  }

  private Path installable() {
    return unpacked.resolve("server/" + JAR);
  }

  private ScriptResult install(String... options) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("--hbase-home", home.toString()));
    arguments.addAll(Arrays.asList(options));
    return script(arguments.toArray(new String[0]));
  }

  private ScriptResult script(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("bash", unpacked + "/install.sh"));
    command.addAll(Arrays.asList(arguments));
    return run(temp, command.toArray(new String[0]));
  }

  private static ScriptResult run(Path directory, String... command) throws Exception {
    return Script.run(directory, Map.of(), command);
  }
}
