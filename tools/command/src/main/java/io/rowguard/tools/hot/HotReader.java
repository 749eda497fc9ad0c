package io.rowguard.tools.hot;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import io.rowguard.config.TableConfig;
import io.rowguard.tools.cluster.Cluster;
import io.rowguard.tools.cluster.InfoPages;
import io.rowguard.tools.cluster.NoAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import javax.management.ObjectName;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;

/** Asks all region servers for the load of a table's regions: one request to the info port each. */
public final class HotReader {
  private final Cluster cluster;
  private final InfoPages pages;
  private final TableName table;

  /** Asks for one table. */
  public HotReader(Cluster cluster, TableName table) {
    this.cluster = cluster;
    this.pages = new InfoPages(cluster.conf(), cluster.timeoutSeconds());
    this.table = table;
  }

  /** One server's answer, or the obstacle. */
  private record ServerLoad(List<HotRegion> regions, String silence) {}

  /** Asks for it now. */
  public HotTable read() throws NoAnswer {
    TableConfig config =
        TableConfig.ofClient(
            cluster.ask(() -> cluster.admin().getDescriptor(table)), cluster.conf());
    List<Callable<ServerLoad>> works = new ArrayList<>();
    TreeMap<ServerName, ServerMetrics> servers =
        new TreeMap<>(
            cluster.ask(() -> cluster.admin().getClusterMetrics()).getLiveServerMetrics());
    servers.forEach((name, metrics) -> works.add(() -> ask(name, metrics.getInfoServerPort())));
    List<HotRegion> regions = new ArrayList<>();
    List<String> silent = new ArrayList<>();
    for (ServerLoad answer : cluster.each(works)) {
      regions.addAll(answer.regions());
      if (answer.silence() != null) {
        silent.add(answer.silence());
      }
    }
    return new HotTable(table.toString(), config.group(), regions, silent);
  }

  /**
   * A pattern that fits the quoted value of a bean's name, and few others. HBase's pages escape
   * quotes in what they are asked for ({@code HttpServer.QuotingInputFilter}), so a pattern has
   * none.
   */
  private static String pattern(String value) {
    return ObjectName.quote(value).replaceAll("[^A-Za-z0-9_.-]", "?");
  }

  private ServerLoad ask(ServerName server, int port) {
    try {
      Map<String, List<HotRegion>> byTable = load(pages, server, port, table.toString());
      return new ServerLoad(byTable.getOrDefault(table.toString(), List.of()), null);
    } catch (NoAnswer e) {
      return new ServerLoad(
          List.of(),
          (port <= 0 ? server.getServerName() : server.getHostname() + ":" + port)
              + ": "
              + e.getMessage());
    }
  }

  /**
   * The load of the regions that a server serves, by the names of their tables.
   *
   * @param table the only one; null for all
   */
  public static Map<String, List<HotRegion>> load(
      InfoPages pages, ServerName server, int port, String table) throws NoAnswer {
    if (port <= 0) {
      throw new NoAnswer("it has no info port", null);
    }
    // In a test many servers are one process, and each shows the beans of all.
    String pattern =
        "Rowguard:type=Load,server="
            + pattern(server.getServerName())
            + (table == null ? "" : ",table=" + pattern(table))
            + ",*";
    Map<String, List<HotRegion>> byTable = new TreeMap<>();
    try {
      for (JsonObject bean : pages.beans(server.getHostname(), port, pattern)) {
        byTable
            .computeIfAbsent(HotRegion.tableOf(bean), t -> new ArrayList<>())
            .add(HotRegion.of(server.getServerName(), bean));
      }
    } catch (JsonParseException
        | IllegalStateException
        | NumberFormatException
        | UnsupportedOperationException e) {
      throw new NoAnswer("its bean is of another version of Rowguard", e);
    }
    return byTable;
  }
}
