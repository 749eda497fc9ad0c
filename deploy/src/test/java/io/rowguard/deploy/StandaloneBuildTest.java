package io.rowguard.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When {@code lib/standalone-hbase.sh} builds again, in a checkout that has been built. */
class StandaloneBuildTest {
  private static final FileTime BUILT = FileTime.from(Instant.parse("2025-11-20T00:00:00Z"));
  private static final FileTime BEFORE = FileTime.from(BUILT.toInstant().minusSeconds(60));
  private static final FileTime AFTER = FileTime.from(BUILT.toInstant().plusSeconds(60));

  @TempDir Path root;

  @BeforeEach
  void build() throws IOException, InterruptedException {
    Path script = root.resolve("deploy/lib/standalone-hbase.sh");
    Files.createDirectories(script.getParent());
    for (String name : List.of("standalone-hbase.sh", "local-hbase.sh")) {
      Files.copy(Path.of("lib", name), script.resolveSibling(name));
    }
    write("deploy/target/rowguard-server-1.jar", BUILT);
    Path jar = write("hbase.jar", BEFORE);
    Files.writeString(root.resolve("deploy/target/standalone.classpath"), jar.toString());
    bash("cksum <deploy/target/standalone.classpath >deploy/target/standalone.built");
    Files.setLastModifiedTime(root.resolve("deploy/target/standalone.built"), BUILT);
    write("pom.xml", BEFORE);
    write("core/config/src/main/java/A.java", BEFORE);
  }

  private Path write(String name, FileTime time) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, name);
    return Files.setLastModifiedTime(file, time);
  }

  private String answer() throws IOException, InterruptedException {
    return bash(
        ". deploy/lib/standalone-hbase.sh;"
            + " if _sh_hbase_built deploy/target; then echo built; else echo to be built; fi");
  }

  private String bash(String script) throws IOException, InterruptedException {
    return Script.run(root, Map.of(), "bash", "-euc", script).text().strip();
  }

  /** A build by hand, on another HBase. */
  @Test
  void built_anotherClassPath_isBuiltAgain() throws Exception {
    Path jar = write("another.jar", BEFORE);
    Files.writeString(root.resolve("deploy/target/standalone.classpath"), jar.toString());
    assertEquals("to be built", answer());
  }

  @Test
  void built_nothingNewer_isNotBuiltAgain() throws Exception {
    write("core/config/src/test/java/ATest.java", AFTER);
    write("core/config/target/classes/src/main/A.class", AFTER);
    write("docs/page.md", AFTER);
    assertEquals("built", answer());
  }

  /** The tables would else be upgraded unasked, or read by an HBase that is older than they are. */
  @Test
  void classpath_afterAStartOnAnotherVersion_isOfThatVersion() throws Exception {
    write("deploy/hbase/pom.xml", BEFORE);
    Path other = write("hbase-2.5.jar", BEFORE);
    Files.writeString(root.resolve("deploy/target/hbase-2.5.classpath"), other.toString());
    String classpath =
        ". deploy/lib/standalone-hbase.sh; mkdir -p d/conf d/lib; _sh_hbase_classpath d;"
            + " sed 's/.*://' d/conf/classpath";
    assertEquals(root.resolve("hbase.jar").toString(), bash(classpath));
    assertEquals(other.toString(), bash("SH_HBASE_VERSION=2.5; " + classpath));
    assertEquals(
        "standalone-hbase: HBase 2.5, as in an earlier start; SH_HBASE_VERSION names another\n"
            + other,
        bash(classpath));
  }

  /** Modules lie beside deploy/ and under a roof. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "pom.xml",
        "split-policy/pom.xml",
        "split-policy/src/main/java/B.java",
        "core/config/pom.xml",
        "core/config/src/main/java/B.java",
        "client/salted-table/src/main/resources/b"
      })
  void built_aSourceNewer_isBuiltAgain(String source) throws Exception {
    write(source, AFTER);
    assertEquals("to be built", answer());
  }
}
