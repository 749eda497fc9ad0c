package io.rowguard.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The distribution, unpacked, beside what looks like an HBase installation.
 *
 * @param unpacked the directory with install.sh
 * @param home the HBase installation
 */
record Installation(Path unpacked, Path home) {
  static final String VERSION = System.getProperty("rowguard.version");
  static final String JAR = "rowguard-server-" + VERSION + ".jar";
  static final String SITE = "<configuration>\n<!-- an operator's -->\n</configuration>\n";

  /** Makes both in a directory; the installation gets this name in it. */
  static Installation in(Path directory, String name) throws IOException, InterruptedException {
    Script.ScriptResult tar =
        Script.run(
            directory,
            Map.of(),
            "tar",
            "xzf",
            System.getProperty("rowguard.distribution"),
            "-C",
            directory.toString());
    assertEquals(0, tar.status(), tar.text());
    Path home = directory.resolve(name);
    write(home.resolve("bin/hbase"), "#!/bin/sh\n");
    write(home.resolve("conf/hbase-site.xml"), SITE);
    write(home.resolve("lib/hbase-server-2.6.1.jar"), "HBase's");
    return new Installation(directory.resolve("rowguard-" + VERSION), home);
  }

  /** The server jar where HBase's class path finds it, once it is installed. */
  Path installedJar() {
    return home.resolve("lib").resolve(JAR);
  }

  /** The operator's configuration. */
  Path site() {
    return home.resolve("conf/hbase-site.xml");
  }

  /** Every file of the home with what is in it. */
  Map<String, String> files() throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(home)) {
      all.filter(Files::isRegularFile).forEach(file -> files.put(file.toString(), content(file)));
    }
    return files;
  }

  static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static String content(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
