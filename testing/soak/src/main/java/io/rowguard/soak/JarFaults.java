package io.rowguard.soak;

import io.rowguard.soak.ClusterScript.ServerStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Faults of what is on a server's class path: a region server that comes back without Rowguard's
 * jar. For one thread.
 */
final class JarFaults {
  /** How long a server may take to end that was given a region that it must not open. */
  private static final int MOST_SECONDS = 120;

  private final ClusterScript cluster;
  private final ServerWatch watch;
  private final Admin admin;
  private final List<SoakTable> tables;
  private final Random random;
  private final Events events;

  JarFaults(
      ClusterScript cluster,
      ServerWatch watch,
      Admin admin,
      List<SoakTable> tables,
      long seed,
      Events events) {
    this.cluster = cluster;
    this.watch = watch;
    this.admin = admin;
    this.tables = tables;
    this.random = new Random(seed);
    this.events = events;
  }

  Map<Fault, Harm> harms() {
    Map<Fault, Harm> harms = new EnumMap<>(Fault.class);
    harms.put(Fault.WITHOUT_JAR, this::withoutJar);
    return harms;
  }

  /**
   * Starts a region server without the jar that was killed, and gives it a region of a guarded
   * table. HBase ends the server then, and the region opens elsewhere; it comes back with the jar.
   *
   * @throws IOException if it serves such a region, or does not end
   */
  private String withoutJar() throws IOException, InterruptedException {
    List<String> names =
        cluster.servers().values().stream()
            .filter(server -> server.name().startsWith("region-server-") && server.isRunning())
            .map(ServerStatus::name)
            .toList();
    if (names.size() < 2) {
      return null;
    }
    String name = names.get(random.nextInt(names.size()));
    watch.expectHarm(name);
    cluster.run("kill", name);
    addWithoutJar(name);
    SoakTable table = tables.get(random.nextInt(tables.size()));
    List<RegionInfo> regions = admin.getRegions(table.name());
    RegionInfo region = regions.get(random.nextInt(regions.size()));
    for (int second = 0; second < MOST_SECONDS; second++) {
      if (!cluster.servers().get(name).isRunning()) {
        watch.expectHarm(name);
        return name + ", which ended";
      }
      ServerName server = serverName(name);
      if (server != null) {
        requireNothingServed(server);
        move(region, server);
      }
      TimeUnit.SECONDS.sleep(1);
    }
    throw new IOException(
        name + " goes on without Rowguard's jar, though it was told to open " + region);
  }

  private void addWithoutJar(String name) throws IOException, InterruptedException {
    Path file = cluster.directory().resolve("conf/classpath");
    String whole = Files.readString(file);
    Files.writeString(file, withoutJar(whole));
    try {
      cluster.run("add", name);
      events.say(name + " is back without Rowguard's jar");
    } catch (IOException e) {
      // It may have been given a guarded region before it was seen to serve.
      events.say(name + " without Rowguard's jar: " + Events.firstLine(e));
    } finally {
      Files.writeString(file, whole);
    }
  }

  /**
   * A class path without the server jar.
   *
   * @throws IOException if that is not on it
   */
  static String withoutJar(String classpath) throws IOException {
    String rest =
        Stream.of(classpath.strip().split(":"))
            .filter(entry -> !entry.contains("/rowguard-server-"))
            .collect(Collectors.joining(":"));
    if (rest.length() == classpath.strip().length()) {
      throw new IOException("No server jar of Rowguard is on the class path: " + classpath);
    }
    return rest + "\n";
  }

  /** The server's name in HBase; null where no master has it. */
  private ServerName serverName(String name) throws IOException {
    int port =
        Integer.parseInt(
            Files.readString(cluster.directory().resolve("servers/" + name + ".port")).strip());
    return admin.getRegionServers().stream()
        .filter(server -> server.getPort() == port)
        .max(Comparator.comparingLong(ServerName::getStartCode))
        .orElse(null);
  }

  private void requireNothingServed(ServerName server) throws IOException {
    List<RegionInfo> served;
    try {
      served = admin.getRegions(server);
    } catch (IOException e) {
      // One that ends answers nothing any more.
      return;
    }
    for (RegionInfo region : served) {
      if (tables.stream().anyMatch(table -> table.name().equals(region.getTable()))) {
        throw new IOException(
            "A server without Rowguard's jar serves " + region.getRegionNameAsString());
      }
    }
  }

  private void move(RegionInfo region, ServerName server) {
    try {
      admin.move(region.getEncodedNameAsBytes(), server);
    } catch (IOException e) {
      events.say("no move to " + server + ": " + Events.firstLine(e));
    }
  }
}
