package io.rowguard.tools.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Rowguard's jars on a server's class path, known by their file names: the jar for servers, or the
 * modules' own. Immutable.
 */
final class PluginJars {
  private static final Pattern JAR =
      Pattern.compile(
          "rowguard-(server|rowkey-layout|routing|config|hfile-index|split-point|load|readdressing"
              + "|relayout|split-policy|region-observer|master-observer)-(\\d.*)\\.jar");
  private static final String SERVER = "server";

  /** Module, or "server", and the versions of it. */
  private final Map<String, TreeSet<String>> versions = new TreeMap<>();

  private PluginJars() {}

  /**
   * @param classPath as the system property {@code java.class.path} has it
   */
  static PluginJars of(String classPath) {
    PluginJars jars = new PluginJars();
    for (String entry : classPath.split("[:;]", -1)) {
      Matcher jar = JAR.matcher(entry.substring(entry.lastIndexOf('/') + 1));
      if (jar.matches()) {
        jars.versions.computeIfAbsent(jar.group(1), name -> new TreeSet<>()).add(jar.group(2));
      }
    }
    return jars;
  }

  /** Whether a region server could open a region of any guarded table. */
  boolean serveRegions() {
    return has(SERVER) || (has("region-observer") && has("split-policy"));
  }

  /** Whether a master could split a region of any guarded table. */
  boolean serveMasters() {
    return has(SERVER) || has("split-policy");
  }

  private boolean has(String module) {
    return versions.containsKey(module);
  }

  /** All versions, ascending as text; several where the class path is mixed. */
  List<String> versions() {
    TreeSet<String> all = new TreeSet<>();
    versions.values().forEach(all::addAll);
    return new ArrayList<>(all);
  }

  @Override
  public String toString() {
    return versions.isEmpty() ? "none" : String.join(" and ", versions());
  }
}
