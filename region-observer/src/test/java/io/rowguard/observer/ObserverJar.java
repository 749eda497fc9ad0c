package io.rowguard.observer;

import io.rowguard.config.TableConfig;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.load.LoadSummary;
import io.rowguard.readdressing.ReaddressedAction;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.splitpoint.RowWeights;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * A jar with the observer and what HBase would take from it: the classes of hfile-index, which are
 * in HBase's packages, it would not.
 */
final class ObserverJar {
  private ObserverJar() {}

  /** Builds the jar under {@code target/}. */
  static Path build(String name) throws IOException, URISyntaxException {
    Path jar = Path.of("target", "observer-jars", name).toAbsolutePath();
    Files.createDirectories(jar.getParent());
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      for (Class<?> module :
          List.of(
              RowkeyLayout.class,
              TableConfig.class,
              RowWeights.class,
              LoadSummary.class,
              ReaddressedAction.class,
              RelayoutRequest.class,
              LayoutRegionObserver.class)) {
        addClasses(out, module.getProtectionDomain().getCodeSource().getLocation().toURI());
      }
    }
    return jar;
  }

  /** A module is a directory of classes or, once packaged, a jar. */
  private static void addClasses(JarOutputStream out, URI module) throws IOException {
    Path path = Path.of(module);
    if (Files.isDirectory(path)) {
      addClasses(out, path);
      return;
    }
    try (FileSystem jar = FileSystems.newFileSystem(path)) {
      addClasses(out, jar.getPath("/"));
    }
  }

  private static void addClasses(JarOutputStream out, Path root) throws IOException {
    List<Path> classes;
    try (Stream<Path> files = Files.walk(root)) {
      classes = files.filter(file -> file.toString().endsWith(".class")).toList();
    }
    for (Path each : classes) {
      out.putNextEntry(new ZipEntry(root.relativize(each).toString().replace('\\', '/')));
      Files.copy(each, out);
    }
  }
}
