package io.rowguard.soak;

import io.rowguard.soak.SoakTable.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.NormalizeTableFilterParams;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Faults of regions: they are split, merged, moved, compacted and balanced. For one thread.
 *
 * <p>A table whose layout changes is neither split nor merged: HBase then may bring back what was
 * deleted (hbase-facts.md), which a relayout's old rows are.
 */
final class RegionFaults {
  private static final int MOST_REGIONS = 12;

  private final Admin admin;
  private final List<SoakTable> tables;
  private final Random random;
  private final Events events;

  /** A request to HBase, which may say no: the region is on its way, or no boundary is legal. */
  private interface Request {
    String send() throws IOException, InterruptedException, ExecutionException, TimeoutException;
  }

  RegionFaults(Admin admin, List<SoakTable> tables, long seed, Events events) {
    this.admin = admin;
    this.tables = tables;
    this.random = new Random(seed);
    this.events = events;
  }

  Map<Fault, Harm> harms() {
    Map<Fault, Harm> harms = new EnumMap<>(Fault.class);
    harms.put(Fault.SPLIT, asking(Fault.SPLIT, this::split));
    harms.put(Fault.MERGE, asking(Fault.MERGE, this::merge));
    harms.put(Fault.MOVE, asking(Fault.MOVE, this::move));
    harms.put(Fault.COMPACT, asking(Fault.COMPACT, this::compact));
    harms.put(Fault.BALANCE, asking(Fault.BALANCE, this::balance));
    return harms;
  }

  private Harm asking(Fault fault, Request request) {
    return () -> {
      try {
        return request.send();
      } catch (IOException | ExecutionException | TimeoutException e) {
        Throwable root = e.getCause() == null ? e : e.getCause();
        events.say(fault + " is refused: " + Events.firstLine(root));
        return null;
      }
    };
  }

  private SoakTable anyTable() {
    return tables.get(random.nextInt(tables.size()));
  }

  /** The regions, in their order, of a table that may be split and merged. */
  private List<RegionInfo> anyRegions() throws IOException {
    List<SoakTable> some = tables.stream().filter(table -> table.kind() != Kind.SALTED).toList();
    SoakTable table = some.get(random.nextInt(some.size()));
    List<RegionInfo> regions = new ArrayList<>(admin.getRegions(table.name()));
    regions.sort((a, b) -> Bytes.compareTo(a.getStartKey(), b.getStartKey()));
    return regions;
  }

  private String split()
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    List<RegionInfo> regions = anyRegions();
    if (regions.size() > MOST_REGIONS) {
      return null;
    }
    RegionInfo region = regions.get(random.nextInt(regions.size()));
    admin.flushRegion(region.getRegionName());
    await(admin.splitRegionAsync(region.getRegionName()));
    return region.getRegionNameAsString();
  }

  private String merge()
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    List<RegionInfo> regions = anyRegions();
    if (regions.size() < 3) {
      return null;
    }
    int first = random.nextInt(regions.size() - 1);
    RegionInfo a = regions.get(first);
    RegionInfo b = regions.get(first + 1);
    byte[][] pair = {a.getEncodedNameAsBytes(), b.getEncodedNameAsBytes()};
    allowMerge(a);
    await(admin.mergeRegionsAsync(pair, false));
    return a.getRegionNameAsString() + " and the next";
  }

  /** In a table that is split by load, a master refuses merges of young regions but by force. */
  private void allowMerge(RegionInfo region) throws IOException {
    TableDescriptor descriptor = admin.getDescriptor(region.getTable());
    if (descriptor.getValue("rowguard.split.load") != null) {
      // Another value each time, since what it allows ends after some minutes.
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(descriptor)
              .setValue("rowguard.force", "the soak merges " + region.getEncodedName())
              .build());
    }
  }

  private static void await(Future<Void> procedure)
      throws InterruptedException, ExecutionException, TimeoutException {
    procedure.get(90, TimeUnit.SECONDS);
  }

  private String move() throws IOException {
    List<RegionInfo> regions = admin.getRegions(anyTable().name());
    RegionInfo region = regions.get(random.nextInt(regions.size()));
    List<ServerName> servers = new ArrayList<>(admin.getRegionServers());
    ServerName to = servers.get(random.nextInt(servers.size()));
    admin.move(region.getEncodedNameAsBytes(), to);
    return region.getRegionNameAsString() + " to " + to;
  }

  private String compact() throws IOException {
    SoakTable table = anyTable();
    admin.flush(table.name());
    admin.majorCompact(table.name());
    return table.name().toString();
  }

  private String balance() throws IOException {
    boolean isBalanced = admin.balance();
    boolean isNormalized = admin.normalize(new NormalizeTableFilterParams.Builder().build());
    return "balancer=" + isBalanced + " normalizer=" + isNormalized;
  }
}
