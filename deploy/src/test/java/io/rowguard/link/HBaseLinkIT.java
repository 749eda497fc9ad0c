package io.rowguard.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The server jar, compiled against one HBase, against the jars of others. A file per version lists
 * what is not there, each line with what comes of it after a {@code #}; none is the aim.
 */
class HBaseLinkIT {
  private static final String HBASE = "org/apache/hadoop/hbase/";
  private static final Path JARS = Path.of(System.getProperty("rowguard.hbase.jars"));

  @ParameterizedTest
  @ValueSource(strings = {"2.5", "2.6", "3.0"})
  void references_ofTheServerJar_areThereButForThoseThatAreListed(String version)
      throws IOException {
    ClassFiles hbase = ClassFiles.in(JARS.resolve(version));
    Set<String> missing = new TreeSet<>();
    for (Reference reference : ofHBase()) {
      if (!hbase.links(reference)) {
        missing.add(reference.toString());
      }
    }
    assertEquals(String.join("\n", listed(version)), String.join("\n", missing));
  }

  @Test
  void links_whatIsNotThere_isReported() throws IOException {
    ClassFiles hbase = ClassFiles.in(JARS.resolve("2.6"));
    String put = HBASE + "client/Put";
    String getRow = "()[B";
    assertTrue(hbase.links(new Reference(put, "getRow", getRow, false)), "of a superclass");
    assertTrue(hbase.links(new Reference(put, "hashCode", "()I", false)), "of the JDK's");
    assertFalse(hbase.links(new Reference(put, "getRow", getRow, true)), "not a static one");
    assertFalse(hbase.links(new Reference(put, "getRow", "()I", false)), "another type");
    assertFalse(hbase.links(new Reference(put, "getColumn", getRow, false)), "no such method");
    assertFalse(hbase.links(Reference.toClass(HBASE + "client/HTableInterface")), "no such class");
  }

  /** The bridges in HBase's own packages are our own. */
  private static Set<Reference> ofHBase() throws IOException {
    try (JarFile jar = new JarFile(System.getProperty("rowguard.server.jar"))) {
      Set<Reference> references =
          References.of(jar).stream()
              .filter(reference -> reference.owner().startsWith(HBASE))
              .filter(reference -> jar.getEntry(reference.owner() + ".class") == null)
              .collect(Collectors.toSet());
      assertTrue(references.size() > 100, "the jar refers to HBase: " + references.size());
      return references;
    }
  }

  private static Set<String> listed(String version) throws IOException {
    String name = "missing-in-hbase-" + version + ".txt";
    try (InputStream in = HBaseLinkIT.class.getResourceAsStream(name);
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return reader
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(line -> line.replaceFirst(" +#.*", ""))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
