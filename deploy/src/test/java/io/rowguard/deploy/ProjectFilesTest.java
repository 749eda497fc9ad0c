package io.rowguard.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The files about the project: workflows, the changelog, the data of published poms. */
class ProjectFilesTest {
  private static final Path WORKFLOWS = Page.ROOT.resolve(".github/workflows");
  private static final Path POM = Page.ROOT.resolve("pom.xml");

  private static final Pattern COMMAND = Pattern.compile("(?m)^ +(?:- )?run: *(.*)$");

  private static final Pattern ACTION = Pattern.compile("(?m)^ +(?:- )?uses: *(.*)$");

  static Stream<Path> workflows() throws IOException {
    try (Stream<Path> files = Files.list(WORKFLOWS)) {
      List<Path> workflows = files.sorted().toList();
      assertFalse(workflows.isEmpty());
      return workflows.stream();
    }
  }

  @ParameterizedTest
  @MethodSource("workflows")
  void workflow_everyStep_namesWhatIsThere(Path workflow) throws IOException {
    String text = Files.readString(workflow);
    List<String> commands = all(COMMAND, text);
    assertFalse(commands.isEmpty(), text);
    for (String command : commands) {
      String program = command.split(" ", 2)[0];
      assertTrue(program.equals("mvn") || Files.isExecutable(Page.ROOT.resolve(program)), command);
    }
    List<String> actions = all(ACTION, text);
    assertFalse(actions.isEmpty(), text);
    for (String action : actions) {
      assertTrue(action.matches("actions/[a-z-]+@v\\d+"), action);
    }
  }

  /** An entry without a library is stale, or misspelt and without effect. */
  @Test
  void dependabot_everyLibraryHeldBack_isInUse() throws IOException {
    String poms = poms();
    List<String> held =
        all(
            Pattern.compile("dependency-name: '([^':*]+)"),
            Files.readString(Page.ROOT.resolve(".github/dependabot.yml")));
    assertFalse(held.isEmpty());
    for (String group : held) {
      assertTrue(poms.contains("<groupId>" + group), group);
    }
  }

  private static String poms() throws IOException {
    StringBuilder poms = new StringBuilder(Files.readString(POM));
    for (String module : all(Pattern.compile("<module>([^<]+)"), poms)) {
      poms.append(Files.readString(Page.ROOT.resolve(module).resolve("pom.xml")));
    }
    return poms.toString();
  }

  @Test
  void changelog_firstHeading_isTheVersionOfTheBuild() throws IOException {
    String version = all(Pattern.compile("<version>([^<]+)"), Files.readString(POM)).get(0);
    String heading =
        all(Pattern.compile("(?m)^## (.*)$"), Files.readString(Page.ROOT.resolve("CHANGELOG.md")))
            .get(0);
    if (version.endsWith("-SNAPSHOT")) {
      assertEquals("Unreleased", heading);
    } else {
      assertTrue(heading.matches(Pattern.quote(version) + " - \\d{4}-\\d\\d-\\d\\d"), heading);
    }
  }

  /** A module that has none would inherit those of the whole. */
  @Test
  void poms_ofEveryModule_haveNameAndDescription() throws IOException {
    for (String module : all(Pattern.compile("<module>([^<]+)"), Files.readString(POM))) {
      String pom = Files.readString(Page.ROOT.resolve(module).resolve("pom.xml"));
      assertTrue(pom.contains("\n  <name>Rowguard: "), module);
      assertTrue(pom.contains("\n  <description>"), module);
    }
  }

  @Test
  void pom_ofTheWhole_hasWhatMavenCentralAsksFor() throws IOException {
    String pom = Files.readString(POM);
    for (String element : List.of("name", "description", "url", "licenses", "developers", "scm")) {
      assertTrue(pom.contains("\n  <" + element), element);
    }
  }

  private static List<String> all(Pattern pattern, CharSequence text) {
    return pattern.matcher(text).results().map(found -> found.group(1)).toList();
  }
}
