package io.rowguard.tools.doctor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Judges the servers: is their HBase one that Rowguard is tested on, who has the jar, do all have
 * the same, and the same settings. A pure function of what they say.
 */
final class ServerCheck {
  private static final String INSTALL =
      "Put rowguard-server-VERSION.jar into its lib directory and restart it (docs/operations.md).";

  /** As docs/operations.md has them. */
  private static final List<String> TESTED = List.of("2.5", "2.6", "3.0");

  private final String hbase;
  private final List<ServerFacts> servers;
  private final List<Finding> findings = new ArrayList<>();

  /**
   * @param hbase HBase's version, as the master says it
   */
  ServerCheck(String hbase, List<ServerFacts> servers) {
    this.hbase = hbase;
    this.servers = servers;
  }

  /** The mistakes; empty when there is none. */
  List<Finding> findings() {
    hbase();
    for (ServerFacts server : servers) {
      silence(server);
      jar(server);
    }
    versions();
    settings();
    masterObserver();
    return findings;
  }

  private void hbase() {
    if (TESTED.stream().noneMatch(line -> hbase.startsWith(line + "."))) {
      findings.add(
          Finding.note(
              "hbase_untested",
              null,
              null,
              "This version of Rowguard is tested on HBase "
                  + String.join(", ", TESTED)
                  + ", but not on "
                  + hbase
                  + ".",
              "Try it on a test cluster first. Where HBase lacks what Rowguard calls, writes of"
                  + " guarded tables are refused and their regions do not split"
                  + " (docs/operations.md, Compatibility)."));
    }
  }

  private void silence(ServerFacts server) {
    if (server.silence() != null) {
      findings.add(
          Finding.warning(
              "server_unknown",
              null,
              server.server(),
              "The state of this server cannot be known from here: " + server.silence() + ".",
              "Is it alive, and its info port open to you? Else look for the jar by hand:"
                  + " ls $HBASE_HOME/lib/rowguard-server-*."));
    }
  }

  private void jar(ServerFacts server) {
    if (server.jars() == null) {
      return;
    }
    boolean hasAll =
        server.isMaster() ? server.jars().serveMasters() : server.jars().serveRegions();
    if (!hasAll && server.hasLoaded(ServerFacts.OBSERVER)) {
      findings.add(
          Finding.warning(
              "jar_from_elsewhere",
              null,
              server.server(),
              "The observer is loaded, but no jar of Rowguard is on the class path: a descriptor"
                  + " names a jar. The split policy cannot come that way.",
              INSTALL));
    } else if (!hasAll) {
      findings.add(
          Finding.problem(
              "jar_missing",
              null,
              server.server(),
              server.isMaster()
                  ? "This master has no jar of Rowguard: it cannot create, alter or split a guarded"
                      + " table when it is the active one."
                  : "This region server has no jar of Rowguard: it aborts when a region of a"
                      + " guarded table moves to it.",
              INSTALL));
    } else if (server.jars().versions().size() > 1) {
      findings.add(
          Finding.problem(
              "jar_twice",
              null,
              server.server(),
              "Jars of several versions are on one class path: " + server.jars() + ".",
              "Leave one in the lib directory and restart the server."));
    }
  }

  private void versions() {
    Map<String, List<String>> byVersion = new TreeMap<>();
    for (ServerFacts server : servers) {
      if (server.jars() != null && !server.jars().versions().isEmpty()) {
        byVersion
            .computeIfAbsent(server.jars().toString(), version -> new ArrayList<>())
            .add(server.server());
      }
    }
    if (byVersion.size() > 1) {
      findings.add(
          Finding.warning(
              "jar_versions_differ",
              null,
              null,
              "The servers have different versions: " + byVersion + ".",
              "Finish the upgrade; until then use no key and no type that only the new one"
                  + " knows."));
    }
  }

  /** Every key that is not the same on all servers that say what they have. */
  private void settings() {
    List<ServerFacts> known = servers.stream().filter(each -> each.settings() != null).toList();
    TreeSet<String> keys = new TreeSet<>();
    known.forEach(server -> keys.addAll(server.settings().keySet()));
    for (String key : keys) {
      Map<String, List<String>> byValue = new LinkedHashMap<>();
      for (ServerFacts server : known) {
        byValue
            .computeIfAbsent(
                Objects.requireNonNullElse(server.settings().get(key), "(not set)"),
                value -> new ArrayList<>())
            .add(server.server());
      }
      if (byValue.size() > 1) {
        findings.add(
            Finding.problem(
                "settings_differ",
                null,
                null,
                "The servers do not agree on " + key + ": " + byValue + ".",
                "Make hbase-site.xml the same on all of them and restart those that are wrong: a"
                    + " region is guarded as the server has it that opens it."));
      }
    }
  }

  private void masterObserver() {
    if (servers.stream().noneMatch(each -> each.hasLoaded(ServerFacts.MASTER_OBSERVER))) {
      findings.add(
          Finding.warning(
              "no_master_observer",
              null,
              null,
              "The active master has not loaded the master observer: nothing refuses wrong tables,"
                  + " wrong changes and wrong splits before they are made.",
              "hbase.coprocessor.master.classes=io.rowguard.master.LayoutMasterObserver in the"
                  + " masters' hbase-site.xml (docs/enforcement.md), or --ignore"
                  + " no_master_observer."));
    }
  }
}
