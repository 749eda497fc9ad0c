package io.rowguard.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The patches that {@code planted.sh} applies, held to the sources that they are for. */
class PlantedFaultsTest {
  private static final Path ROOT = Path.of("../..");
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)");

  static List<Path> patches() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("planted"))) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("patches")
  void patch_toTheSources_stillAppliesAtOnePlace(Path patch) throws IOException {
    PlantedFault planted = PlantedFault.read(patch);

    List<String> source = Files.readAllLines(ROOT.resolve(planted.file()));

    int at = Collections.indexOfSubList(source, planted.before());
    assertTrue(at >= 0, () -> "make it anew for " + planted.file() + ": " + planted.before());
    assertEquals(at, Collections.lastIndexOfSubList(source, planted.before()));
  }

  @ParameterizedTest
  @MethodSource("patches")
  void patch_isOneLineOfAServerOrClient(Path patch) throws IOException {
    PlantedFault planted = PlantedFault.read(patch);

    assertTrue(planted.file().toString().contains("/src/main/java/"), planted.file().toString());
    assertTrue(planted.count('-') <= 1, planted.toString());
    assertTrue(planted.count('+') <= 1, planted.toString());
    assertTrue(planted.count('-') + planted.count('+') > 0, planted.toString());
    assertTrue(planted.fault().matches("[A-Z].*\\."), planted.fault());
  }

  @ParameterizedTest
  @MethodSource("patches")
  void finders_areTestsThatThereAre(Path patch) throws IOException {
    PlantedFault planted = PlantedFault.read(patch);
    Set<String> tests = tests();

    assertFalse(planted.unit().isEmpty() && planted.it().isEmpty());
    for (String test : planted.unit()) {
      assertTrue(test.endsWith("Test") && tests.contains(test), test);
    }
    for (String test : planted.it()) {
      assertTrue(test.endsWith("IT") && tests.contains(test), test);
    }
  }

  private static Set<String> tests() throws IOException {
    Set<String> tests = new HashSet<>();
    List<String> modules =
        MODULE
            .matcher(Files.readString(ROOT.resolve("pom.xml")))
            .results()
            .map(found -> found.group(1))
            .toList();
    for (String module : modules) {
      Path directory = ROOT.resolve(module).resolve("src/test/java");
      if (Files.isDirectory(directory)) {
        try (Stream<Path> files = Files.walk(directory)) {
          files.forEach(file -> tests.add(file.getFileName().toString().replace(".java", "")));
        }
      }
    }
    return tests;
  }

  @Test
  void patches_areNumbered() throws IOException {
    Set<String> numbers = new HashSet<>();
    for (Path patch : patches()) {
      String name = patch.getFileName().toString();
      assertTrue(name.matches("\\d\\d-[a-z-]+\\.patch"), name);
      assertTrue(numbers.add(name.substring(0, 2)), name);
    }
    assertTrue(numbers.size() >= 12, numbers.toString());
  }
}
