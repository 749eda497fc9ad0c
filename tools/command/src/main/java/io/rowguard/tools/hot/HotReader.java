package io.rowguard.tools.hot;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import io.rowguard.config.TableConfig;
import io.rowguard.tools.cluster.Cluster;
import io.rowguard.tools.cluster.InfoPages;
import io.rowguard.tools.cluster.NoAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import javax.management.ObjectName;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;

/** Asks all region servers for the load of a table's regions: one request to the info port each. */
final class HotReader {
  private final Cluster cluster;
  private final InfoPages pages;
  private final TableName table;

  HotReader(Cluster cluster, TableName table) {
    this.cluster = cluster;
    this.pages = new InfoPages(cluster.conf(), cluster.timeoutSeconds());
    this.table = table;
  }

  /** One server's answer, or the obstacle. */
  private record Said(List<HotRegion> regions, String silence) {}

  HotTable read() throws NoAnswer {
    TableConfig config =
        TableConfig.ofClient(
            cluster.ask(() -> cluster.admin().getDescriptor(table)), cluster.conf());
    List<Callable<Said>> works = new ArrayList<>();
    TreeMap<ServerName, ServerMetrics> servers =
        new TreeMap<>(
            cluster.ask(() -> cluster.admin().getClusterMetrics()).getLiveServerMetrics());
    servers.forEach((name, metrics) -> works.add(() -> ask(name, metrics.getInfoServerPort())));
    List<HotRegion> regions = new ArrayList<>();
    List<String> silent = new ArrayList<>();
    for (Said answer : cluster.each(works)) {
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

  private Said ask(ServerName server, int port) {
    String where = server.getHostname() + ":" + port;
    if (port <= 0) {
      return new Said(List.of(), server.getServerName() + ": it has no info port");
    }
    // In a test many servers are one process, and each shows the beans of all.
    String pattern =
        "Rowguard:type=Load,server="
            + pattern(server.getServerName())
            + ",table="
            + pattern(table.toString())
            + ",*";
    try {
      List<HotRegion> regions = new ArrayList<>();
      for (JsonObject bean : pages.beans(server.getHostname(), port, pattern)) {
        if (new JsonPrimitive(table.toString()).equals(bean.get("Table"))) {
          regions.add(HotRegion.of(server.getServerName(), bean));
        }
      }
      return new Said(regions, null);
    } catch (NoAnswer e) {
      return new Said(List.of(), where + ": " + e.getMessage());
    } catch (JsonParseException
        | IllegalStateException
        | NumberFormatException
        | UnsupportedOperationException e) {
      return new Said(List.of(), where + ": its bean is of another version of Rowguard");
    }
  }
}
