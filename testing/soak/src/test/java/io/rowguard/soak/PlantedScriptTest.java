package io.rowguard.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Verdicts of {@code planted.sh} on faults. A script stands in for Maven: it fails each test that a
 * word of the one source is for.
 */
class PlantedScriptTest {
  private static final String SOURCE = "a/src/main/java/A.java";
  private static final String TABLE = "| | fault | found by |\n|---|---|---|\n";

  private static final String MAVEN =
      """
      #!/usr/bin/env bash
      set -eu
      printf '%s\\n' "$*" >>'CALLS'
      source=$(cat a/src/main/java/A.java)
      [[ $source != *broken* ]] || { echo '[ERROR] COMPILATION ERROR :'; exit 1; }
      report() {
        local failures=0
        [[ $source != *"$2"* ]] || failures=1
        mkdir -p "a/target/$1-reports"
        echo "<testsuite name=\\"x.$2\\" time=\\"1\\" tests=\\"3\\" errors=\\"0\\" skipped=\\"0\\"" \\
          "failures=\\"$failures\\">" >"a/target/$1-reports/TEST-x.$2.xml"
      }
      for option in "$@"; do
        case $option in
          -Dtest=none | -Dit.test=none) ;;
          -Dtest=*) report surefire "${option#*=}" ;;
          -Dit.test=*) [[ $source == *crash* ]] || report failsafe "${option#*=}" ;;
        esac
      done
      """;

  @TempDir private Path temporary;
  private Path root;

  private record Outcome(int status, String rows, String said) {}

  @BeforeEach
  void checkout() throws Exception {
    root = temporary.resolve("check out");
    Path script = write("testing/soak/planted.sh", Files.readString(Path.of("planted.sh")));
    assertTrue(script.toFile().setExecutable(true));
    write("pom.xml", "");
    write(".gitignore", "target/\n");
    write(SOURCE, "one\ntwo\nthree\n");
    write("a/src/test/java/x/ATest.java", "");
    write("a/src/test/java/x/AIT.java", "");
    assertEquals(0, run("git", "init", "-q", ".").status());
  }

  private Path write(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  /** A patch that puts a word in place of the second line. */
  private void patch(int number, String finders, String word) throws IOException {
    write(
        "testing/soak/planted/0" + number + "-fault.patch",
        String.format(
            """
            Fault %1$d.
            %2$s

            diff --git a/%3$s b/%3$s
            --- a/%3$s
            +++ b/%3$s
            @@ -1,3 +1,3 @@
             one
            -two
            +%4$s
             three
            """,
            number, finders, SOURCE, word));
  }

  private Outcome planted(String... arguments) throws Exception {
    Path maven = temporary.resolve("mvn");
    Files.writeString(maven, MAVEN.replace("CALLS", temporary.resolve("calls").toString()));
    assertTrue(maven.toFile().setExecutable(true));
    String[] command = new String[arguments.length + 1];
    command[0] = "testing/soak/planted.sh";
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    return run(command);
  }

  private Outcome run(String... command) throws Exception {
    Path said = temporary.resolve("said");
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(root.toFile()).redirectError(said.toFile());
    builder.environment().put("MVN", temporary.resolve("mvn").toString());
    Process process = builder.start();
    process.getOutputStream().close();
    String rows = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Outcome(process.waitFor(), rows, Files.readString(said));
  }

  private List<String> calls() throws IOException {
    return Files.readAllLines(temporary.resolve("calls"));
  }

  private String copied() throws IOException {
    return Files.readString(root.resolve("testing/soak/target/planted/copy").resolve(SOURCE));
  }

  @Test
  void eachFaultFound_namesWhoFindsIt() throws Exception {
    patch(1, "Unit: ATest", "ATest");
    patch(2, "IT: AIT", "AIT");
    patch(3, "Unit: ATest\nIT: AIT", "ATest AIT");

    Outcome all = planted("--control");

    assertEquals(0, all.status(), all.said());
    assertEquals(
        TABLE
            + "| 1 | Fault 1. | unit test ATest |\n"
            + "| 2 | Fault 2. | integration test AIT |\n"
            + "| 3 | Fault 3. | unit test ATest; integration test AIT |\n",
        all.rows());
    assertEquals(4, calls().size(), "the last of them for --control");
    assertTrue(calls().get(0).contains(" -pl a -am -Dtest=ATest -Dit.test=none "), calls().get(0));
    assertTrue(calls().get(1).contains(" -pl a -am -Dtest=ATest -Dit.test=AIT "), "of the module");
    assertEquals("one\ntwo\nthree\n", copied());
  }

  @Test
  void faultThatNothingFinds_isNoSuccess() throws Exception {
    patch(1, "Unit: ATest", "harmless");
    patch(2, "Unit: ATest", "ATest");

    assertEquals(1, planted().status());
    Outcome first = planted("1");
    assertEquals(1, first.status(), first.said());
    assertEquals(TABLE + "| 1 | Fault 1. | **nothing** |\n", first.rows());
    assertEquals(0, planted("2").status());
  }

  /** The others are tried all the same. */
  @Test
  void faultThatDoesNotCompileOrApply_isNotFound() throws Exception {
    patch(1, "Unit: ATest", "broken ATest");
    patch(2, "IT: AIT", "crash AIT");
    patch(3, "Unit: ATest", "ATest");

    Outcome all = planted();

    assertEquals(2, all.status());
    assertEquals(TABLE + "| 3 | Fault 3. | unit test ATest |\n", all.rows());
    assertTrue(all.said().contains("planted: 1 does not compile; see "), all.said());
    assertTrue(all.said().contains("planted: AIT did not run on 2; see "), all.said());

    write(SOURCE, "one\n2\nthree\n");
    Outcome changed = planted("3");
    assertEquals(2, changed.status());
    assertEquals(TABLE, changed.rows());
    assertTrue(changed.said().contains("planted: 3 does not apply\n"), changed.said());
    assertEquals("one\n2\nthree\n", copied());
  }

  @Test
  void control_whereATestAlwaysFails_saysSo() throws Exception {
    write(SOURCE, "one\ntwo\nthree\nATest\n");
    patch(1, "Unit: ATest", "harmless");

    Outcome all = planted("--control");

    assertEquals(2, all.status());
    assertTrue(all.said().contains("without any fault these fail, too: ATest; see "), all.said());
  }

  @Test
  void faultThatNoTestFinds_isGivenToTheSoak() throws Exception {
    Path soak =
        write(
            "testing/soak/run.sh",
            "#!/bin/sh\n[ \"$*\" = '--minutes 3 --seed 1' ] || exit 2\n! grep -q deep "
                + SOURCE
                + " || { echo 'FAILED: violations=1'; exit 1; }\n");
    assertTrue(soak.toFile().setExecutable(true));
    patch(1, "Unit: ATest", "deep");
    patch(2, "Unit: ATest", "ATest");
    patch(3, "Unit: ATest", "harmless");

    Outcome all = planted("--soak", "3");

    assertEquals(1, all.status(), all.said());
    assertEquals(
        TABLE
            + "| 1 | Fault 1. | only the soak |\n"
            + "| 2 | Fault 2. | unit test ATest |\n"
            + "| 3 | Fault 3. | **nothing** |\n",
        all.rows());
    assertEquals(0, planted("--soak", "3", "01", "02").status());
  }

  @Test
  void wrongArguments_areRefused() throws Exception {
    patch(1, "Unit: ATest", "ATest");
    for (String wrong : List.of("7", "one", "--fast", "--soak")) {
      Outcome refused = planted(wrong);
      assertEquals(2, refused.status(), wrong);
      assertTrue(refused.said().startsWith("planted: "), refused.said());
    }
    assertEquals(" 1  Fault 1.\n", planted("--list").rows());
    assertFalse(Files.exists(temporary.resolve("calls")));
  }
}
