package io.rowguard.deploy;

import static io.rowguard.deploy.Installation.VERSION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive's bill of materials against the jars that are in the archive. */
@Tag("no-hbase")
class BillOfMaterialsIT {
  /** Components without a jar of their own: their classes are in the server jar, or in another. */
  private static final Set<String> WITHIN_OTHERS =
      Set.of(
          "rowguard-hfile-index",
          "rowguard-master-observer",
          "rowguard-region-observer",
          "rowguard-split-policy",
          "echarts");

  @TempDir private static Path temp;
  private static Path unpacked;
  private static JsonObject bill;

  @BeforeAll
  static void unpack() throws Exception {
    unpacked = Installation.in(temp, "hbase").unpacked();
    bill =
        JsonParser.parseString(Files.readString(unpacked.resolve("rowguard-bom.json")))
            .getAsJsonObject();
  }

  @Test
  void bill_ofTheArchive_saysWhatItIsOf() {
    assertEquals("CycloneDX", bill.get("bomFormat").getAsString());
    JsonObject about = bill.getAsJsonObject("metadata").getAsJsonObject("component");
    assertEquals("rowguard-archive", about.get("name").getAsString());
    assertEquals(VERSION, about.get("version").getAsString());
  }

  @Test
  void bill_everyJar_hasItsDigestAndLicence() throws Exception {
    Map<String, JsonObject> named = components();
    Map<String, Path> jars = jars();
    Set<String> both = new TreeSet<>(named.keySet());
    both.removeIf(jar -> WITHIN_OTHERS.contains(jar.replaceFirst("-\\d.*", "")));
    assertEquals(jars.keySet(), both);
    for (Map.Entry<String, Path> jar : jars.entrySet()) {
      JsonObject component = named.get(jar.getKey());
      assertEquals(sha256(jar.getValue()), digest(component), jar.getKey());
      assertFalse(component.getAsJsonArray("licenses").isEmpty(), jar.getKey());
    }
  }

  /** The one component of others that has no jar there. */
  @Test
  void bill_echarts_isWithinTheCommand() throws IOException {
    assertTrue(components().keySet().stream().anyMatch(jar -> jar.startsWith("echarts-")));
    Path tools = unpacked.resolve("lib/rowguard-tools-" + VERSION + ".jar");
    try (ZipFile zip = new ZipFile(tools.toFile())) {
      assertTrue(zip.getEntry("io/rowguard/tools/simulate/echarts.min.js") != null);
    }
  }

  /** The components by the names that their jars have. */
  private static Map<String, JsonObject> components() {
    Map<String, JsonObject> named = new HashMap<>();
    JsonArray components = bill.getAsJsonArray("components");
    for (JsonElement each : components) {
      JsonObject component = each.getAsJsonObject();
      String name = component.get("name").getAsString();
      named.put(name + "-" + component.get("version").getAsString() + ".jar", component);
    }
    assertEquals(components.size(), named.size());
    return named;
  }

  /** All jars but that for servers, whose modules are named one by one. */
  private static Map<String, Path> jars() throws IOException {
    try (Stream<Path> files = Files.walk(unpacked)) {
      return files
          .filter(file -> file.toString().endsWith(".jar"))
          .filter(file -> !file.startsWith(unpacked.resolve("server")))
          .collect(
              Collectors.toMap(
                  file -> file.getFileName().toString(),
                  file -> file,
                  BillOfMaterialsIT::either,
                  TreeMap::new));
    }
  }

  /** A module's jar that is there for applications and for the command. */
  private static Path either(Path one, Path other) {
    try {
      assertEquals(-1, Files.mismatch(one, other), one.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return one;
  }

  private static String digest(JsonObject component) {
    for (JsonElement hash : component.getAsJsonArray("hashes")) {
      if (hash.getAsJsonObject().get("alg").getAsString().equals("SHA-256")) {
        return hash.getAsJsonObject().get("content").getAsString();
      }
    }
    throw new AssertionError("No SHA-256: " + component);
  }

  private static String sha256(Path file) throws Exception {
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
    return HexFormat.of().formatHex(digest);
  }
}
