package io.rowguard.deploy;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The one jar that operators put on their servers: it has everything it needs and nothing else. */
@Tag("no-hbase")
class ServerJarIT {

  /** A module is one package; the server jar has these. */
  private static final Set<String> MODULES =
      Set.of(
          "layout",
          "routing",
          "config",
          "splitpoint",
          "load",
          "readdressing",
          "relayout",
          "split",
          "observer",
          "master");

  /** Which of them a module may name: nothing reaches upward, and the plugins not aside. */
  private static final Map<String, Set<String>> MAY_KNOW =
      Map.of(
          "layout", Set.of(),
          "routing", Set.of("layout"),
          "config", Set.of("layout", "routing"),
          "splitpoint", Set.of("layout"),
          "load", Set.of("layout", "splitpoint"),
          "readdressing", Set.of(),
          "relayout", Set.of("layout"),
          "split", Set.of("layout", "config", "splitpoint"),
          "observer", Set.of("layout", "routing", "config", "load", "readdressing", "relayout"),
          "master", Set.of("layout", "config", "relayout"));

  /** How class files name classes of ours, in signatures too. */
  private static final Pattern NAMED = Pattern.compile("io/rowguard/(\\w+)/");

  /** Classes in HBase's own packages: they call methods that HBase keeps to the package. */
  private static final Set<String> BRIDGES =
      Set.of(
          "org/apache/hadoop/hbase/io/hfile/DataBlockScanner.class",
          "org/apache/hadoop/hbase/io/hfile/DataBlockScanner$Encoded.class",
          "org/apache/hadoop/hbase/io/hfile/DataBlockScanner$Plain.class",
          "org/apache/hadoop/hbase/io/hfile/HFileCells.class",
          "org/apache/hadoop/hbase/io/hfile/HFileIndexLevel.class",
          "org/apache/hadoop/hbase/io/hfile/IndexBlock.class",
          "org/apache/hadoop/hbase/regionserver/SplitPolicyAccess.class",
          "org/apache/hadoop/hbase/regionserver/StoreFileAccess.class");

  private static final String ROOT = "io/rowguard/";
  private static final int JAVA_8 = 52;

  @Test
  void classes_areOfTheServerModulesAndOfAllOfThem() throws IOException {
    try (JarFile jar = open()) {
      Set<String> modules =
          classes(jar).stream()
              .map(JarEntry::getName)
              .filter(name -> !BRIDGES.contains(name))
              .map(ServerJarIT::module)
              .collect(toSet());
      assertEquals(MODULES, modules);
    }
  }

  @Test
  void classes_nameOnlyModulesThatTheyMayKnow() throws IOException {
    try (JarFile jar = open()) {
      for (JarEntry entry : classes(jar)) {
        boolean isBridge = BRIDGES.contains(entry.getName());
        String module = isBridge ? "bridge" : module(entry.getName());
        Set<String> allowed = new TreeSet<>(isBridge ? Set.of() : MAY_KNOW.get(module));
        allowed.add(module);
        try (InputStream in = jar.getInputStream(entry)) {
          String constants = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
          NAMED
              .matcher(constants)
              .results()
              .map(found -> found.group(1))
              .forEach(named -> assertTrue(allowed.contains(named), entry.getName() + " " + named));
        }
      }
    }
  }

  /** Names that operators write into hbase-site.xml; only this test notices a wrong one. */
  @Test
  void site_namesClassesOfTheJar() throws IOException {
    String site = Files.readString(Path.of("conf", "hbase-site.xml"));
    Set<String> named =
        Pattern.compile("<value>(io\\.rowguard\\.[\\w.]+)</value>")
            .matcher(site)
            .results()
            .map(found -> found.group(1))
            .collect(toSet());
    try (JarFile jar = open()) {
      for (String name : named) {
        assertNotNull(jar.getEntry(name.replace('.', '/') + ".class"), name);
      }
    }
    assertEquals(3, named.size());
  }

  @Test
  void files_besidesClasses_areManifestLicenceAndNotice() throws IOException {
    try (JarFile jar = open()) {
      Set<String> others =
          jar.stream()
              .filter(entry -> !entry.isDirectory())
              .map(JarEntry::getName)
              .filter(name -> !name.endsWith(".class"))
              .collect(toCollection(TreeSet::new));
      assertEquals(Set.of("META-INF/MANIFEST.MF", "META-INF/LICENSE", "META-INF/NOTICE"), others);
    }
  }

  @Test
  void classes_areJava8() throws IOException {
    try (JarFile jar = open()) {
      for (JarEntry entry : classes(jar)) {
        try (DataInputStream in = new DataInputStream(jar.getInputStream(entry))) {
          assertEquals(0xCAFEBABE, in.readInt(), entry.getName());
          in.readUnsignedShort(); // minor version
          assertEquals(JAVA_8, in.readUnsignedShort(), entry.getName());
        }
      }
    }
  }

  @Test
  void manifest_namesTheVersion() throws IOException {
    try (JarFile jar = open()) {
      Attributes manifest = jar.getManifest().getMainAttributes();
      assertEquals("rowguard-server", manifest.getValue(Attributes.Name.IMPLEMENTATION_TITLE));
      assertEquals(
          System.getProperty("rowguard.version"),
          manifest.getValue(Attributes.Name.IMPLEMENTATION_VERSION));
    }
  }

  @Test
  void entries_occurOnce() throws IOException {
    try (JarFile jar = open()) {
      Set<String> seen = new TreeSet<>();
      for (Enumeration<JarEntry> all = jar.entries(); all.hasMoreElements(); ) {
        String name = all.nextElement().getName();
        assertTrue(seen.add(name), name);
      }
    }
  }

  /**
   * The package below io.rowguard; of any other class, its whole name, which then fails the test.
   */
  private static String module(String name) {
    return name.startsWith(ROOT)
        ? name.substring(ROOT.length(), name.indexOf('/', ROOT.length()))
        : name;
  }

  private static List<JarEntry> classes(JarFile jar) {
    return jar.stream().filter(entry -> entry.getName().endsWith(".class")).toList();
  }

  private static JarFile open() throws IOException {
    return new JarFile(System.getProperty("rowguard.server.jar"));
  }
}
