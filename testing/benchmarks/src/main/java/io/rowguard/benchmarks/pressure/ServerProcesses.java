package io.rowguard.benchmarks.pressure;

import io.rowguard.testing.Eventually;
import io.rowguard.testing.LocalCluster;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.regionserver.HRegionServer;

/**
 * An HBase whose servers are processes: one master and some region servers. HDFS and ZooKeeper run
 * in this JVM. Files are under the directory for temporary files.
 */
final class ServerProcesses implements AutoCloseable {
  private static final String MASTER_HEAP = "-Xmx512m";

  /**
   * With a small heap G1's regions are of 1 MB, and what is larger than half of one has whole ones
   * to itself: a memstore's chunk of 2 MB, HBase's default, takes three.
   */
  private static final int MEMSTORE_CHUNK = (1 << 20) - (1 << 10);

  /** HBase's default is half of such a heap, for each log that is split. */
  private static final int LOG_SPLIT_BUFFER = 16 << 20;

  private final HBaseTestingUtility hbase = new HBaseTestingUtility();
  private final Path dir = Files.createTempDirectory("servers");
  private final List<Process> processes = new ArrayList<>();
  private final List<Server> servers = new ArrayList<>();
  private final String heap;
  private final int taken;
  private Connection connection;

  /** A process, where it writes its log, and the port of its pages; 0 for a master's. */
  record Server(Process process, Path dir, int infoPort) {
    /** Stops it where it is, or lets it go on. */
    void signal(String name) throws IOException, InterruptedException {
      new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
          .inheritIO()
          .start()
          .waitFor();
    }
  }

  private ServerProcesses(String heap, int taken) throws IOException {
    this.heap = heap;
    this.taken = taken;
  }

  /**
   * Starts them.
   *
   * @param regionServers how many
   * @param heap of each region server, as an option of {@code java}
   * @param taken megabytes of the first one's heap that it cannot use
   */
  static ServerProcesses start(int regionServers, String heap, int taken) throws Exception {
    ServerProcesses all = new ServerProcesses(heap, taken);
    Configuration conf = all.hbase.getConfiguration();
    LocalCluster.configure(conf);
    conf.setInt("hbase.regionserver.msginterval", 3_000);
    all.hbase.startMiniDFSCluster(1);
    all.hbase.startMiniZKCluster();
    conf.setBoolean(HConstants.CLUSTER_DISTRIBUTED, true);
    conf.set(HConstants.HBASE_DIR, all.hbase.getDFSCluster().getFileSystem().getUri() + "/hbase");
    conf.setInt(HConstants.MASTER_PORT, 0);
    conf.setInt(HConstants.REGIONSERVER_PORT, 0);
    // A server that stands still for a while is to be alive afterwards.
    conf.setInt(HConstants.ZK_SESSION_TIMEOUT, 20_000);
    conf.set("hbase.regionserver.info.bindAddress", HConstants.LOCALHOST_IP);
    // A region server needs less of a small heap than it would take.
    conf.setFloat(HConstants.HFILE_BLOCK_CACHE_SIZE_KEY, 0.2f);
    conf.setInt("hbase.hregion.memstore.mslab.chunksize", MEMSTORE_CHUNK);
    conf.setInt("hbase.regionserver.hlog.splitlog.buffersize", LOG_SPLIT_BUFFER);
    try (OutputStream site = Files.newOutputStream(all.dir.resolve("hbase-site.xml"))) {
      conf.writeXml(site);
    }
    all.launch(HMaster.class, 0, MASTER_HEAP);
    for (int i = 0; i < regionServers; i++) {
      all.startServer();
    }
    all.connection = ConnectionFactory.createConnection(conf);
    all.await(regionServers);
    return all;
  }

  Connection connection() {
    return connection;
  }

  /** Starts one more. */
  Server startServer() throws IOException {
    boolean isFull = taken > 0 && servers.isEmpty();
    int infoPort;
    try (ServerSocket free = new ServerSocket(0)) {
      infoPort = free.getLocalPort();
    }
    Server server =
        isFull
            ? launch(
                FullHeapServer.class, infoPort, heap, "-D" + FullHeapServer.TAKEN + "=" + taken)
            : launch(HRegionServer.class, infoPort, heap);
    servers.add(server);
    return server;
  }

  /** The region servers, in the order in which they were started, dead ones too. */
  List<Server> servers() {
    return servers;
  }

  /** Waits until the master knows so many live servers; then regions stay where they are. */
  void await(int count) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      Eventually.isTrue(
          count + " servers; logs are in " + dir, () -> admin.getRegionServers().size() == count);
      admin.balancerSwitch(false, true);
    }
  }

  private Server launch(Class<?> main, int infoPort, String... options) throws IOException {
    Path own = Files.createTempDirectory(dir, main.getSimpleName());
    Files.createDirectories(own.resolve("target"));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (!option.startsWith("-Xm") && !option.startsWith("-agent")) {
        command.add(option);
      }
    }
    command.addAll(List.of(options));
    command.add("-XX:+ExitOnOutOfMemoryError");
    command.add(main.getName());
    command.add("-D" + HConstants.REGIONSERVER_INFO_PORT + "=" + infoPort);
    command.add("start");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(own.toFile())
            .redirectErrorStream(true)
            .redirectOutput(own.resolve("out").toFile());
    builder
        .environment()
        .put("CLASSPATH", dir + File.pathSeparator + System.getProperty("java.class.path"));
    Process process = builder.start();
    processes.add(process);
    return new Server(process, own, infoPort);
  }

  /** The servers' messages of being out of memory; each may say so several times. */
  List<String> outOfMemory() throws IOException {
    return logged("java.lang.OutOfMemoryError");
  }

  /** Why servers ended that were not killed. */
  List<String> aborts() throws IOException {
    return logged("***** ABORTING region server");
  }

  private List<String> logged(String words) throws IOException {
    List<String> said = new ArrayList<>();
    for (Server server : servers) {
      try (Stream<Path> files = Files.walk(server.dir())) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          try (Stream<String> lines = Files.lines(file)) {
            lines.filter(line -> line.contains(words)).forEach(said::add);
          }
        }
      }
    }
    return said;
  }

  /** The sum of a counter of Rowguard's on all region servers that are alive. */
  long counted(String counter) throws IOException, InterruptedException {
    List<Long> found = new ArrayList<>();
    for (Server server : servers) {
      if (server.process().isAlive()) {
        values(page(server, ""), "[^\"]*_metric_" + counter).forEach(found::add);
      }
    }
    if (found.isEmpty()) {
      throw new IllegalStateException("no server knows the counter " + counter);
    }
    return found.stream().mapToLong(each -> each).sum();
  }

  /**
   * How long calls have kept handlers of the servers but one, by their newest figures: those of
   * some ten seconds.
   */
  HeldHandlers heldHandlers(Server except) throws IOException, InterruptedException {
    double most = 0;
    double longest = 0;
    for (Server server : servers) {
      if (server.process().isAlive() && !server.equals(except)) {
        try {
          String page = page(server, "?qry=Hadoop:service=HBase,name=RegionServer,sub=IPC");
          most = Math.max(most, most(page, "ProcessCallTime_99th_percentile"));
          longest = Math.max(longest, most(page, "ProcessCallTime_max"));
        } catch (ConnectException e) {
          // It has just been started, and has no handlers yet.
        }
      }
    }
    return new HeldHandlers(most, longest);
  }

  /** The milliseconds that the 99th of a hundred calls takes on some server, and the longest. */
  record HeldHandlers(double most, double longest) {
    static final HeldHandlers NONE = new HeldHandlers(0, 0);

    HeldHandlers or(HeldHandlers other) {
      return new HeldHandlers(Math.max(most, other.most), Math.max(longest, other.longest));
    }
  }

  private static LongStream values(String page, String name) {
    return Pattern.compile("\"" + name + "\"\\s*:\\s*(\\d+)")
        .matcher(page)
        .results()
        .mapToLong(found -> Long.parseLong(found.group(1)));
  }

  private static double most(String page, String name) {
    return values(page, name).asDoubleStream().max().orElse(0);
  }

  private static String page(Server server, String query) throws IOException, InterruptedException {
    URI jmx =
        URI.create("http://" + HConstants.LOCALHOST_IP + ":" + server.infoPort() + "/jmx" + query);
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(jmx).timeout(Duration.ofMinutes(1)).build(),
            BodyHandlers.ofString())
        .body();
  }

  @Override
  public void close() throws IOException {
    if (connection != null) {
      connection.close();
    }
    for (Process process : processes) {
      process.destroyForcibly().onExit().join();
    }
    hbase.shutdownMiniZKCluster();
    hbase.shutdownMiniDFSCluster();
  }
}
