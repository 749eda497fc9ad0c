package io.rowguard.soak;

import io.rowguard.soak.SoakTable.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.NormalizeTableFilterParams;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Faults of regions: they are split, merged, moved, compacted and balanced. Tries regions in random
 * order until HBase carries one request out: a region that is on its way, has files of its parent,
 * or has no legal boundary is passed over. For one thread.
 *
 * <p>A table whose layout changes is neither split nor merged: HBase then may bring back what was
 * deleted (hbase-facts.md), which a relayout's old rows are.
 */
final class RegionFaults {
  /** A master that does not answer must not be asked for each region. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(180);

  private final Admin admin;
  private final List<SoakTable> tables;
  private final Random random;
  private final Events events;
  private final Set<String> split = new HashSet<>();

  /** A request to HBase, which may say no. */
  private interface Request<A, B> {
    B send(A about) throws IOException, InterruptedException, ExecutionException, TimeoutException;
  }

  RegionFaults(Admin admin, List<SoakTable> tables, long seed, Events events) {
    this.admin = admin;
    this.tables = tables;
    this.random = new Random(seed);
    this.events = events;
  }

  Map<Fault, Harm> harms() {
    List<SoakTable> settled = tables.stream().filter(table -> table.kind() != Kind.SALTED).toList();
    Map<Fault, Harm> harms = new EnumMap<>(Fault.class);
    harms.put(Fault.SPLIT, first(Fault.SPLIT, settled, this::regions, this::split));
    harms.put(Fault.MERGE, first(Fault.MERGE, settled, this::neighbours, this::merge));
    harms.put(Fault.MOVE, first(Fault.MOVE, tables, this::regions, this::move));
    harms.put(Fault.COMPACT, first(Fault.COMPACT, tables, List::of, this::compact));
    harms.put(Fault.BALANCE, first(Fault.BALANCE, tables, List::of, table -> balance()));
    return harms;
  }

  /** The encoded names of the regions that were split, or may still be. */
  Set<String> split() {
    return split;
  }

  /** Asks for one part of a table after the other, until HBase does as it is asked. */
  private <T> Harm first(
      Fault fault,
      List<SoakTable> some,
      Request<SoakTable, List<T>> parts,
      Request<T, String> request) {
    return () -> {
      long start = System.nanoTime();
      for (SoakTable table : shuffled(some)) {
        List<T> all = ask(fault, parts, table);
        for (T part : shuffled(all == null ? List.of() : all)) {
          String done = ask(fault, request, part);
          if (done != null || System.nanoTime() - start > PATIENCE_NANOS) {
            return done;
          }
        }
        if (System.nanoTime() - start > PATIENCE_NANOS) {
          return null;
        }
      }
      return null;
    };
  }

  private <T> List<T> shuffled(List<T> list) {
    List<T> shuffled = new ArrayList<>(list);
    Collections.shuffle(shuffled, random);
    return shuffled;
  }

  /** The answer; null where HBase says no. */
  private <A, B> B ask(Fault fault, Request<A, B> request, A about) throws InterruptedException {
    try {
      return request.send(about);
    } catch (IOException | ExecutionException | TimeoutException e) {
      Throwable root = e.getCause() == null ? e : e.getCause();
      events.say(fault + " is refused: " + Events.firstLine(root));
      return null;
    }
  }

  /** The regions of a table, in their order. */
  private List<RegionInfo> regions(SoakTable table) throws IOException {
    List<RegionInfo> regions = new ArrayList<>(admin.getRegions(table.name()));
    regions.sort((a, b) -> Bytes.compareTo(a.getStartKey(), b.getStartKey()));
    return regions;
  }

  /** Pairs of regions that may be merged; none of a table that would be left with one region. */
  private List<List<RegionInfo>> neighbours(SoakTable table) throws IOException {
    allowMerges(table);
    List<RegionInfo> regions = regions(table);
    return IntStream.range(1, regions.size() < 3 ? 1 : regions.size())
        .mapToObj(i -> regions.subList(i - 1, i + 1))
        .toList();
  }

  /** In a table that is split by load, a master refuses merges of young regions but by force. */
  private void allowMerges(SoakTable table) throws IOException {
    TableDescriptor descriptor = admin.getDescriptor(table.name());
    if (descriptor.getValue("rowguard.split.load") != null) {
      // Another value each time, since what it allows ends after some minutes.
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(descriptor)
              .setValue("rowguard.force", "the soak merges, " + random.nextLong())
              .build());
    }
  }

  private String split(RegionInfo region)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    Future<Void> procedure = admin.splitRegionAsync(region.getRegionName());
    split.add(region.getEncodedName());
    try {
      await(procedure);
    } catch (ExecutionException e) {
      split.remove(region.getEncodedName());
      throw e;
    }
    return region.getRegionNameAsString();
  }

  private String merge(List<RegionInfo> neighbours)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    byte[][] pair =
        neighbours.stream().map(RegionInfo::getEncodedNameAsBytes).toArray(byte[][]::new);
    await(admin.mergeRegionsAsync(pair, false));
    return neighbours.get(0).getRegionNameAsString() + " and the next";
  }

  private static void await(Future<Void> procedure)
      throws InterruptedException, ExecutionException, TimeoutException {
    procedure.get(90, TimeUnit.SECONDS);
  }

  private String move(RegionInfo region) throws IOException {
    List<ServerName> servers = new ArrayList<>(admin.getRegionServers());
    ServerName to = servers.get(random.nextInt(servers.size()));
    admin.move(region.getEncodedNameAsBytes(), to);
    return region.getRegionNameAsString() + " to " + to;
  }

  private String compact(SoakTable table) throws IOException {
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
