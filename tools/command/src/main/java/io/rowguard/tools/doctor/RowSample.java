package io.rowguard.tools.doctor;

import io.rowguard.config.TableConfig;
import io.rowguard.layout.Verdict;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cluster.Cluster;
import io.rowguard.tools.cluster.NoAnswer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.ipc.RemoteException;

/**
 * The first rows of some regions of a table, judged: at most one request per region, and none to a
 * server that has once not answered.
 */
final class RowSample {
  /** The result of one region: a sample, or the reason why there is none. */
  private record Seen(RegionView region, RegionProbe.Sample sample, String why) {}

  private final Cluster cluster;
  private final Request request;
  private final TableConfig config;
  private final String table;
  private int regions;
  private int rows;
  private int bad;

  RowSample(Cluster cluster, Request request, TableConfig config, String table) {
    this.cluster = cluster;
    this.request = request;
    this.config = config;
    this.table = table;
  }

  /** In how many regions rows were looked at. */
  int regions() {
    return regions;
  }

  /** How many rows were looked at. */
  int rows() {
    return rows;
  }

  /** How many of them do not fit. */
  int bad() {
    return bad;
  }

  /** Looks at the rows, and answers what is wrong with them. */
  List<Finding> take(List<RegionView> all) {
    if (request.rowsPerRegion() == 0) {
      return List.of();
    }
    Map<ServerName, List<RegionView>> byServer = new LinkedHashMap<>();
    for (RegionView region : spread(all, request.mostRegions())) {
      byServer.computeIfAbsent(region.server(), server -> new ArrayList<>()).add(region);
    }
    List<Callable<List<Seen>>> works = new ArrayList<>();
    byServer.forEach((server, served) -> works.add(() -> ofServer(served)));
    List<Seen> seen = new ArrayList<>();
    cluster.each(works).forEach(seen::addAll);
    seen.sort(Comparator.comparing(each -> each.region().info()));
    return findings(seen);
  }

  /** A number of them, evenly spread. */
  static <T> List<T> spread(List<T> all, int most) {
    List<T> some = new ArrayList<>();
    int count = Math.min(all.size(), most);
    for (int i = 0; i < count; i++) {
      some.add(all.get((int) ((long) i * all.size() / count)));
    }
    return some;
  }

  private List<Seen> ofServer(List<RegionView> served) {
    List<Seen> seen = new ArrayList<>();
    String silence = null;
    for (RegionView region : served) {
      RegionProbe probe = new RegionProbe(cluster, region, config);
      if (silence != null) {
        seen.add(new Seen(region, null, silence));
      } else {
        try {
          seen.add(new Seen(region, probe.sample(request.rowsPerRegion()), null));
        } catch (NoAnswer e) {
          seen.add(new Seen(region, null, e.getMessage()));
          silence = isAnswer(e) ? null : e.getMessage();
        }
      }
    }
    return seen;
  }

  /** Whether a server has said that it cannot; it may answer for another region. */
  private static boolean isAnswer(NoAnswer failure) {
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof RemoteException
          || cause instanceof NotServingRegionException
          || cause instanceof DoNotRetryIOException) {
        return true;
      }
    }
    return false;
  }

  private List<Finding> findings(List<Seen> seen) {
    List<Finding> findings = new ArrayList<>();
    Map<String, List<String>> silent = new LinkedHashMap<>();
    Map<Verdict, List<String>> rowsByVerdict = new EnumMap<>(Verdict.class);
    for (Seen each : seen) {
      if (each.sample() == null) {
        String server = each.region().server() == null ? "no server" : each.region().server() + "";
        silent
            .computeIfAbsent(server + ": " + each.why(), why -> new ArrayList<>())
            .add(each.region().name());
        continue;
      }
      regions++;
      rows += each.sample().rows();
      for (RegionProbe.BadRow row : each.sample().bad()) {
        bad++;
        rowsByVerdict
            .computeIfAbsent(row.verdict(), verdict -> new ArrayList<>())
            .add("\"" + row.row() + "\" (" + row.problem() + ")");
      }
    }
    silent.forEach(
        (why, names) ->
            findings.add(
                names.size() == 1
                    ? notSampled(table, names.get(0), "its rows", why)
                    : notSampled(
                        table,
                        null,
                        "the rows of " + Terminal.count(names.size()) + " regions",
                        why)));
    rowsByVerdict.forEach(
        (verdict, examples) ->
            findings.add(
                Finding.problem(
                    "rows_do_not_fit",
                    table,
                    null,
                    Terminal.count(examples.size())
                        + " of "
                        + Terminal.count(rows)
                        + " rows looked at do not fit the layout: "
                        + verdict
                        + ", such as "
                        + examples.get(0)
                        + ".",
                    "Mend the writers or the layout; rowguard audit "
                        + table
                        + " looks at every row. Rows that do not fit can be read and deleted.")));
    return findings;
  }

  /** The finding about what could not be looked at. */
  static Finding notSampled(String table, String region, String what, String why) {
    return Finding.problem(
        "region_silent",
        table,
        region,
        "No server answers the request for " + what + ": " + why + ".",
        "Is the region being served, and its server alive? Else try a longer --timeout.");
  }
}
