package io.rowguard.tools.heatmap;

import io.rowguard.tools.cluster.Cluster;
import io.rowguard.tools.cluster.NoAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Asks all region servers for the counters of one table's regions. A sample is one request to each
 * of them, one to the master, and one scan of the table's part of hbase:meta.
 */
final class Sampler {
  /** The answer of one server: the metrics of its regions, or the reason why there are none. */
  private record Answer(ServerName server, List<RegionMetrics> regions, String why) {}

  private final Cluster cluster;
  private final TableName table;
  private final Map<byte[], RegionInfo> known = new TreeMap<>(Bytes.BYTES_COMPARATOR);

  /** One for all readings, which may be many. */
  private final Map<byte[], RegionRange> ranges = new TreeMap<>(Bytes.BYTES_COMPARATOR);

  Sampler(Cluster cluster, TableName table) {
    this.cluster = cluster;
    this.table = table;
  }

  /**
   * The counters now. Servers that do not answer are named in the reading.
   *
   * @throws NoAnswer when not even the servers and regions are known
   */
  LoadReading sample() throws NoAnswer {
    List<ServerName> servers =
        List.copyOf(
            cluster.ask(
                () -> cluster.admin().getRegionServers(/* excludeDecommissionedRS= */ false)));
    learnRegions();
    long atMillis = System.currentTimeMillis();
    List<Callable<Answer>> questions = new ArrayList<>();
    servers.forEach(server -> questions.add(() -> answer(server)));
    List<Answer> answers = cluster.each(questions);
    if (answers.stream().anyMatch(this::hasUnknownRegion)) {
      // A region was split or merged meanwhile.
      learnRegions();
    }
    List<RegionSample> samples = new ArrayList<>();
    List<String> silent = new ArrayList<>();
    for (Answer answer : answers) {
      if (answer.why() != null) {
        silent.add(answer.server() + ": " + answer.why());
      } else {
        answer.regions().forEach(region -> add(samples, answer.server(), region));
      }
    }
    return new LoadReading(atMillis, samples, silent);
  }

  private void learnRegions() throws NoAnswer {
    for (RegionInfo region : cluster.ask(() -> cluster.admin().getRegions(table))) {
      known.put(region.getRegionName(), region);
    }
  }

  private Answer answer(ServerName server) {
    try {
      return new Answer(
          server, cluster.ask(() -> cluster.admin().getRegionMetrics(server, table)), null);
    } catch (NoAnswer e) {
      return new Answer(server, null, e.getMessage());
    }
  }

  private boolean hasUnknownRegion(Answer answer) {
    return answer.regions() != null
        && answer.regions().stream().anyMatch(region -> !known.containsKey(region.getRegionName()));
  }

  private void add(List<RegionSample> samples, ServerName server, RegionMetrics metrics) {
    RegionInfo region = known.get(metrics.getRegionName());
    // One that is in no list is a parent that has just been split, or closed; replicas count again.
    if (region != null && RegionReplicaUtil.isDefaultReplica(region)) {
      samples.add(
          new RegionSample(
              region.getEncodedName(),
              server.getServerName(),
              ranges.computeIfAbsent(
                  metrics.getRegionName(),
                  name -> new RegionRange(region.getStartKey(), region.getEndKey())),
              metrics.getReadRequestCount(),
              metrics.getWriteRequestCount(),
              (long)
                  (metrics.getStoreFileSize().get(Size.Unit.BYTE)
                      + metrics.getMemStoreSize().get(Size.Unit.BYTE))));
    }
  }
}
