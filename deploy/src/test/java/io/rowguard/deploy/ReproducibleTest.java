package io.rowguard.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.deploy.Script.ScriptResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Verdicts of {@code deploy/reproducible.sh} on two builds. A script stands in for Maven: the
 * builds themselves take minutes, and are compared every night.
 */
class ReproducibleTest {
  /** Packs the one source, as often as it is called. */
  private static final String BUILD =
      """
      mkdir -p deploy/target core/target/dist
      cat source >core/target/a.jar
      echo $$ >core/target/dist/a-copy.jar
      tar --sort=name --mtime=@0 --owner=0 --group=0 --mode=go=r -cf - source |
        gzip -n >deploy/target/rowguard-1-bin.tar.gz
      """;

  @TempDir private Path temporary;
  private Path root;

  @BeforeEach
  void checkout() throws Exception {
    root = Files.createDirectories(temporary.resolve("check out"));
    Path script = Files.createDirectories(root.resolve("deploy")).resolve("reproducible.sh");
    Files.copy(Page.ROOT.resolve("deploy/reproducible.sh"), script);
    assertTrue(script.toFile().setExecutable(true));
    Files.writeString(root.resolve("source"), "released\n");
    bash("git init -q . && git add .");
    Files.writeString(root.resolve("not known to git"), "");
  }

  private void bash(String commands) throws Exception {
    ScriptResult outcome = Script.run(root, Map.of(), "bash", "-c", commands);
    assertEquals(0, outcome.status(), outcome.text());
  }

  /** The script's answer where a build is these commands of bash. */
  private ScriptResult compare(String build, String... options) throws Exception {
    Path maven = temporary.resolve("mvn");
    Files.writeString(
        maven,
        "#!/usr/bin/env bash\nset -eu\n"
            + "printf '%s\\n' \"$TZ $(umask) $*\" >>'"
            + temporary
            + "/calls'\n"
            + build);
    assertTrue(maven.toFile().setExecutable(true));
    String[] command = new String[options.length + 1];
    command[0] = "deploy/reproducible.sh";
    System.arraycopy(options, 0, command, 1, options.length);
    return Script.run(root, Map.of("MVN", maven.toString()), command);
  }

  @Test
  void compare_sameBytesTwice_printsTheDigests() throws Exception {
    ScriptResult same = compare("[[ ! -e 'not known to git' ]]\n" + BUILD, "-Prelease");
    assertEquals(0, same.status(), same.text());
    assertTrue(same.text().endsWith("reproducible: 2 files, the same twice\n"), same.text());
    assertTrue(
        same.text().lines().anyMatch(line -> line.matches("[0-9a-f]{64}  ./core/target/a.jar")),
        same.text());
    List<String> calls = calls();
    assertEquals(2, calls.size());
    assertTrue(calls.get(0).startsWith("UTC 0022 -B -T2 package"), calls.get(0));
    assertTrue(calls.get(1).startsWith("Asia/Kolkata 0022 -B -T1 package"), calls.get(1));
    calls.forEach(call -> assertTrue(call.endsWith(" -Prelease"), call));
  }

  private List<String> calls() throws IOException {
    return Files.readAllLines(temporary.resolve("calls"));
  }

  @Test
  void compare_anotherTimeZoneInTheArchive_saysWhichFile() throws Exception {
    ScriptResult differ = compare("echo \"$TZ\" >source\n" + BUILD);
    assertEquals(1, differ.status(), differ.text());
    for (String said :
        List.of(
            "reproducible: the two builds differ:\n",
            "  ./core/target/a.jar\n",
            "  ./deploy/target/rowguard-1-bin.tar.gz\n",
            "  Files unpacked-one/source and unpacked-two/source differ\n")) {
      assertTrue(differ.text().contains(said), said + " in " + differ.text());
    }
  }

  @Test
  void compare_buildFails_saysWhyAndStops() throws Exception {
    ScriptResult failed = compare("echo '[ERROR] no such plugin'; exit 1");
    assertEquals(2, failed.status(), failed.text());
    assertTrue(failed.text().contains("[ERROR] no such plugin\n"), failed.text());
    assertTrue(failed.text().contains("reproducible: the build failed"), failed.text());
    assertEquals(1, calls().size());
  }

  @Test
  void compare_nothingBuilt_isNoSuccess() throws Exception {
    ScriptResult nothing = compare("exit 0");
    assertEquals(2, nothing.status(), nothing.text());
    assertFalse(nothing.text().contains("the same twice"), nothing.text());
  }
}
