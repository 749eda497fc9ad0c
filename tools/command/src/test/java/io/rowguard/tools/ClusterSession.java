package io.rowguard.tools;

import io.rowguard.testing.Eventually;
import io.rowguard.tools.cli.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;

/** Runs the command in this JVM against a mini-cluster. */
public final class ClusterSession {
  private final Path site;

  /**
   * @param directory for the cluster's hbase-site.xml
   */
  public ClusterSession(HBaseTestingUtility hbase, Path directory) throws IOException {
    this(hbase.getConfiguration(), directory);
  }

  /**
   * @param conf of the cluster
   * @param directory for its hbase-site.xml
   */
  public ClusterSession(Configuration conf, Path directory) throws IOException {
    site = directory.resolve("hbase-site.xml");
    try (OutputStream stream = Files.newOutputStream(site)) {
      conf.writeXml(stream);
    }
  }

  /**
   * The options that lead a command to the cluster and let it wait longer for an answer than its
   * users would.
   */
  public List<String> arguments() {
    List<String> arguments = new ArrayList<>(where());
    arguments.addAll(List.of("--timeout", "120"));
    return arguments;
  }

  private List<String> where() {
    return List.of("--site", site.toString());
  }

  /** Waits until every region server has reported to the master that it has loaded the observer. */
  public static void awaitObservers(HBaseTestingUtility hbase) throws Exception {
    Eventually.isTrue(
        "all region servers report the observer",
        () ->
            hbase.getAdmin().getClusterMetrics().getLiveServerMetrics().values().stream()
                .allMatch(server -> server.getCoprocessorNames().contains("LayoutRegionObserver")));
  }

  /**
   * Starts {@code rowguard COMMAND --site ... ARGS} as a process of its own.
   *
   * @param out takes what it prints; another file beside it, with {@code .err} to its name, its
   *     errors
   */
  public Process start(Path out, String command, String... args) throws IOException {
    List<String> all = new ArrayList<>();
    all.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (option.startsWith("-Dlog4j")) {
        all.add(option); // else HBase logs to standard output
      }
    }
    all.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    all.addAll(List.of("-cp", System.getProperty("java.class.path")));
    all.add(Rowguard.class.getName());
    all.addAll(List.of(command.split(" ", -1)));
    all.addAll(arguments());
    all.addAll(List.of(args));
    return new ProcessBuilder(all)
        .redirectOutput(out.toFile())
        .redirectError(out.resolveSibling(out.getFileName() + ".err").toFile())
        .start();
  }

  /**
   * Runs {@code rowguard COMMAND --site ... ARGS}.
   *
   * @param command one word, or two where it has steps
   */
  public CommandResult run(String command, String... args) {
    return run(InputStream.nullInputStream(), command, args);
  }

  /** The same with something on standard input. */
  public CommandResult run(InputStream in, String command, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Terminal terminal =
        new Terminal(in, new PrintWriter(out), new PrintWriter(err), "unicode,columns=100");
    List<String> all = new ArrayList<>(List.of(command.split(" ", -1)));
    all.addAll(List.of(args).contains("--timeout") ? where() : arguments());
    all.addAll(List.of(args));
    int exitCode = Rowguard.run(terminal, all.toArray(new String[0]));
    return new CommandResult(exitCode, out.toString(), err.toString());
  }
}
