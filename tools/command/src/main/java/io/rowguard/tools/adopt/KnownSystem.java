package io.rowguard.tools.adopt;

import io.rowguard.tools.cli.CommandFailure;
import java.util.ArrayList;
import java.util.List;

/**
 * A system that stores its data in HBase, and the kinds of tables it has.
 *
 * @param name its name for the command
 * @param title its name and versions
 * @param source where the facts are from
 * @param tables the kinds; of two that fit the same rows the stricter first
 */
record KnownSystem(String name, String title, String source, List<KnownTable> tables) {
  /** The systems, in the order of their names; one data file each. */
  static final List<String> NAMES =
      List.of(
          "atlas",
          "geomesa",
          "hbasewd",
          "hgraphdb",
          "hugegraph",
          "janusgraph",
          "kylin",
          "metron",
          "nutch",
          "opentsdb",
          "phoenix",
          "pinpoint",
          "yarn-timeline");

  /** All systems. */
  static List<KnownSystem> all() {
    List<KnownSystem> all = new ArrayList<>();
    NAMES.forEach(name -> all.add(SystemFile.read(name)));
    return all;
  }

  /**
   * The system of a name.
   *
   * @throws CommandFailure when it is not known
   */
  static KnownSystem of(String name) {
    if (!NAMES.contains(name)) {
      throw new CommandFailure(
          "Not a system whose tables are known. system="
              + name
              + ". Known are: "
              + String.join(", ", NAMES)
              + ". `rowguard explain` and `rowguard audit` help to write a layout for others.");
    }
    return SystemFile.read(name);
  }

  /**
   * The kind of a name.
   *
   * @throws CommandFailure when the system has none
   */
  KnownTable table(String kind) {
    return tables.stream()
        .filter(table -> table.kind().equals(kind))
        .findAny()
        .orElseThrow(
            () ->
                new CommandFailure(
                    "The system has no such kind of table. system="
                        + name
                        + " kind="
                        + kind
                        + ". Its kinds are: "
                        + String.join(", ", tables.stream().map(KnownTable::kind).toList())));
  }
}
