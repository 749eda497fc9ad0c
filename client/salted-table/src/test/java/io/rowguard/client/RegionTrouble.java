package io.rowguard.client;

import io.rowguard.testing.Eventually;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;

/**
 * Events of the regions of a table in operation: flushes, compactions, splits, merges, moves, and
 * servers that die. For one thread, but for the lock.
 */
final class RegionTrouble {
  private final LiveCluster cluster;
  private final LiveTable table;
  private final LiveTraffic traffic;
  private final Admin admin;
  private final Random random;

  /** To what it was done. */
  private String subject;

  /** Is held while something is done to a region; whoever holds it has peace. */
  private final ReentrantLock lock = new ReentrantLock();

  RegionTrouble(LiveCluster cluster, LiveTraffic traffic, long seed) throws IOException {
    this.cluster = cluster;
    this.table = traffic.table();
    this.traffic = traffic;
    this.admin = cluster.patient().getAdmin();
    this.random = new Random(seed);
  }

  /** One thing, after a number of operations. */
  void next(int operations) throws Exception {
    traffic.awaitMore(operations);
    lock.lock();
    try {
      switch (random.nextInt(9)) {
        case 0:
          attempt("split", this::split);
          break;
        case 1:
          attempt("merge", this::merge);
          break;
        case 2:
          attempt("flush", this::flush);
          break;
        case 3:
          attempt("compact", this::compact);
          break;
        case 4:
          attempt("server", this::loseServer);
          break;
        default:
          attempt("move", this::move);
          break;
      }
    } finally {
      lock.unlock();
    }
  }

  private void attempt(String what, Callable<Boolean> work) throws Exception {
    long start = System.nanoTime();
    subject = "";
    String outcome;
    try {
      outcome = work.call() ? what : "no " + what;
    } catch (IOException | ExecutionException | TimeoutException e) {
      // The region is on its way already, or is not what it was a moment ago.
      outcome = "failed " + what + ": " + LiveClient.root(e).getClass().getSimpleName();
    }
    traffic.note(outcome);
    traffic.happened(outcome + subject, start);
    traffic.note(what + " tried, seconds=" + (System.nanoTime() - start) / 1_000_000_000);
  }

  private List<HRegion> regions() {
    List<HRegion> regions = new ArrayList<>();
    for (RegionServerThread thread : cluster.servers()) {
      thread.getRegionServer().getRegions(table.name()).stream()
          .map(HRegion.class::cast)
          .filter(HRegion::isAvailable)
          .forEach(regions::add);
    }
    regions.sort((a, b) -> RegionInfo.COMPARATOR.compare(a.getRegionInfo(), b.getRegionInfo()));
    return regions;
  }

  private HRegion anyRegion() throws IOException {
    List<HRegion> regions = regions();
    if (regions.isEmpty()) {
      throw new IOException("No region is open.");
    }
    return regions.get(random.nextInt(regions.size()));
  }

  private boolean split() throws Exception {
    String key = LiveTable.user(random.nextInt(LiveTable.USERS)) + "|0000";
    byte[] row = (random.nextBoolean() ? table.home() : table.other()).complete(bytes(key));
    byte[] at = Bytes.head(row, row.length - 4);
    for (HRegion region : regions()) {
      RegionInfo info = region.getRegionInfo();
      if (info.containsRow(at) && !Bytes.equals(info.getStartKey(), at) && regions().size() < 24) {
        subject = " " + name(info) + " at " + Bytes.toStringBinary(at);
        whenSettled(() -> admin.splitRegionAsync(info.getRegionName(), at), info);
        return true;
      }
    }
    return false;
  }

  private boolean merge() throws Exception {
    List<HRegion> regions = regions();
    int first = random.nextInt(Math.max(1, regions.size() - 1));
    if (regions.size() < 6) {
      return false;
    }
    RegionInfo a = regions.get(first).getRegionInfo();
    RegionInfo b = regions.get(first + 1).getRegionInfo();
    if (!Bytes.equals(a.getEndKey(), b.getStartKey())) {
      return false;
    }
    subject = " " + name(a) + " and " + name(b);
    byte[][] pair = {a.getEncodedNameAsBytes(), b.getEncodedNameAsBytes()};
    whenSettled(() -> admin.mergeRegionsAsync(pair, false), a, b);
    return true;
  }

  /**
   * Splits or merges regions when they have no file left that a compaction has replaced: it would
   * bring back what was deleted (hbase-facts.md). Nothing is compacted until it is over, so they
   * get none meanwhile; what is compacted already is not interrupted.
   */
  void whenSettled(Callable<Future<Void>> work, RegionInfo... regions) throws Exception {
    setCompactionsEnabled(false);
    try {
      for (int tries = 0; !areSettled(List.of(regions)); tries++) {
        if (tries == 300) {
          throw new IOException("A region is not open, or a scanner reads what is compacted.");
        }
        Thread.sleep(100);
      }
      work.call().get(60, TimeUnit.SECONDS);
    } finally {
      setCompactionsEnabled(true);
    }
  }

  private void setCompactionsEnabled(boolean enabled) {
    for (RegionServerThread thread : cluster.servers()) {
      thread.getRegionServer().getCompactSplitThread().setCompactionsEnabled(enabled);
    }
  }

  private boolean areSettled(List<RegionInfo> wanted) {
    return regions().stream()
            .filter(region -> wanted.contains(region.getRegionInfo()) && isSettled(region))
            .count()
        == wanted.size();
  }

  private static boolean isSettled(HRegion region) {
    return region.getCompactionState() == CompactionState.NONE
        && region.getStores().stream().allMatch(store -> store.getCompactedFilesCount() == 0);
  }

  private boolean move() throws IOException {
    RegionInfo region = anyRegion().getRegionInfo();
    List<RegionServerThread> servers = cluster.servers();
    ServerName to = servers.get(random.nextInt(servers.size())).getRegionServer().getServerName();
    subject = " " + name(region) + " to " + to;
    admin.move(region.getEncodedNameAsBytes(), to);
    return true;
  }

  private boolean flush() throws IOException {
    HRegion region = anyRegion();
    subject = " " + name(region.getRegionInfo());
    region.flush(true);
    return true;
  }

  private boolean compact() throws IOException {
    HRegion region = anyRegion();
    boolean isMajor = random.nextBoolean();
    subject = " " + name(region.getRegionInfo()) + (isMajor ? " major" : " minor");
    region.compact(isMajor);
    return true;
  }

  private static String name(RegionInfo region) {
    return region.getEncodedName() + " from " + Bytes.toStringBinary(region.getStartKey());
  }

  /** Kills or aborts a server that has regions of the table, and starts another. */
  private boolean loseServer() throws Exception {
    List<RegionServerThread> servers = cluster.servers();
    List<HRegionServer> doomed = new ArrayList<>();
    for (RegionServerThread thread : servers) {
      if (!thread.getRegionServer().getRegions(table.name()).isEmpty()) {
        doomed.add(thread.getRegionServer());
      }
    }
    if (servers.size() < LiveCluster.SERVERS || doomed.isEmpty()) {
      return false;
    }
    HRegionServer server = doomed.get(random.nextInt(doomed.size()));
    boolean isKilled = random.nextBoolean();
    subject = (isKilled ? " killed " : " aborted ") + server.getServerName();
    if (isKilled) {
      endCompactions(server);
      cluster.hbase().getMiniHBaseCluster().killRegionServer(server.getServerName());
    } else {
      server.abort("The test wants to be rid of this server.", null);
    }
    cluster.hbase().getMiniHBaseCluster().startRegionServer();
    return true;
  }

  /**
   * Ends the compactions of a server that is to be killed. A process ends with all its threads, a
   * server in this JVM does not: its compactions would go on, and put files into the folders of
   * regions that are open elsewhere, which bring back what was deleted.
   */
  private void endCompactions(HRegionServer server) throws IOException {
    server.getCompactSplitThread().setCompactionsEnabled(false);
    Eventually.isTrue(
        server + " compacts nothing",
        () ->
            server.getRegions(table.name()).stream()
                .allMatch(region -> region.getCompactionState() == CompactionState.NONE));
  }

  /** Does something while nothing happens to the regions but what the master does by itself. */
  void inPeace(Callable<Void> work) throws Exception {
    lock.lock();
    try {
      Eventually.isTrue("every region is open", this::isWhole);
      work.call();
    } finally {
      lock.unlock();
    }
  }

  /** Whether all regions are open, on servers that live. */
  boolean isWhole() throws IOException {
    Set<String> missing = new HashSet<>();
    admin.getRegions(table.name()).forEach(region -> missing.add(region.getEncodedName()));
    boolean isCreated = !missing.isEmpty();
    regions().forEach(region -> missing.remove(region.getRegionInfo().getEncodedName()));
    return isCreated && missing.isEmpty() && cluster.servers().size() >= LiveCluster.SERVERS;
  }

  /** Takes all delete markers away. In peace: a compaction on a server that is dead does harm. */
  void compactAll() throws Exception {
    inPeace(
        () -> {
          for (HRegion region : regions()) {
            region.flush(true);
            region.compact(true);
          }
          return null;
        });
  }

  private static byte[] bytes(String text) {
    return Bytes.toBytes(text);
  }
}
