package io.rowguard.mapreduce.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RegionsJobTest {
  private static final Pattern OURS =
      Pattern.compile("io/rowguard/[a-z]+(?:/[a-z]+)*/[A-Z][\\w$]*");

  /** A mini-cluster's tasks have the test's class path, and would not miss a jar. */
  @Test
  void carried_always_haveEveryClassThatTheirClassesName() throws Exception {
    Set<URI> places = new LinkedHashSet<>();
    List<Class<?>> classes = new ArrayList<>(RegionsJob.CARRIED);
    classes.add(RegionsJob.class);
    for (Class<?> each : classes) {
      places.add(each.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
    assertEquals(classes.size(), places.size());
    Set<String> missing = new TreeSet<>();
    int named = 0;
    URL[] urls = new URL[places.size()];
    int count = 0;
    for (URI place : places) {
      urls[count++] = place.toURL();
    }
    try (URLClassLoader carried = new URLClassLoader(urls, null)) {
      for (URI place : places) {
        for (String name : namesIn(place)) {
          named++;
          if (carried.getResource(name + ".class") == null) {
            missing.add(name);
          }
        }
      }
    }
    assertTrue(named > 100, named + "");
    assertEquals(Set.of(), missing);
  }

  /** The names in the constants of all classes of a jar or directory. */
  private static Set<String> namesIn(URI place) throws IOException {
    Path path = Path.of(place);
    if (Files.isDirectory(path)) {
      return namesIn(path);
    }
    try (FileSystem jar = FileSystems.newFileSystem(path)) {
      return namesIn(jar.getPath("/"));
    }
  }

  private static Set<String> namesIn(Path root) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(root)) {
      files = all.filter(file -> file.toString().endsWith(".class")).toList();
    }
    Set<String> names = new TreeSet<>();
    for (Path file : files) {
      Matcher matcher =
          OURS.matcher(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
      while (matcher.find()) {
        names.add(matcher.group());
      }
    }
    return names;
  }
}
