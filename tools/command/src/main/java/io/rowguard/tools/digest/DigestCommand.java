package io.rowguard.tools.digest;

import io.rowguard.layout.KeyRange;
import io.rowguard.mapreduce.digest.RangeDigests;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cli.ExitCodes;
import io.rowguard.tools.cli.OutputFile;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cluster.ClusterOptions;
import io.rowguard.tools.cluster.JobOptions;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Digests a table's cells by bare key. */
@Command(
    name = "digest",
    description = {
      "Digest a table's cells by bare key: the same whatever its layout.",
      "",
      "Holds a table against itself before a relayout, against a copy, or against another"
          + " cluster's.",
      "",
      "A MapReduce job reads all rows, past the servers' block caches, as a program with"
          + " SaltedConnection does. It runs in this process, or on YARN where"
          + " mapreduce.framework.name=yarn is configured (-D, or mapred-site.xml on the class"
          + " path).",
      "",
      "Exit code 1 says that the tables differ."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  rowguard digest orders -o orders.digest",
      "  rowguard digest orders --against orders.digest          after a relayout",
      "  rowguard digest copy --against orders.digest --site other/hbase-site.xml",
      "  rowguard digest orders --start alice --stop bob --versions"
    })
public final class DigestCommand implements Callable<Integer> {
  private static final int MOST_RANGES = 1_000_000;
  private static final String RANGES = "1024";

  private final Terminal terminal;

  @Parameters(index = "0", paramLabel = "TABLE", description = "The table.")
  private String table;

  @Option(
      names = "--start",
      paramLabel = "KEY",
      defaultValue = "",
      description = "The first bare key, as the HBase shell writes it.")
  private String from;

  @Option(
      names = "--stop",
      paramLabel = "KEY",
      defaultValue = "",
      description = "The first bare key that is not read any more.")
  private String to;

  @Option(
      names = "--versions",
      description = "All versions of each cell; default: the newest alone.")
  private boolean isOfVersions;

  @Option(
      names = "--no-timestamps",
      description = "Cells that differ by their timestamps alone are the same.")
  private boolean isWithoutTimestamps;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write the digests of ranges there, for --against.")
  private Path output;

  @Option(
      names = "--against",
      paramLabel = "FILE",
      description = "Digest what FILE is of, and name the ranges that differ.")
  private Path against;

  @Option(
      names = "--ranges",
      paramLabel = "N",
      defaultValue = RANGES,
      description =
          "The most ranges; default: ${DEFAULT-VALUE}. Where there are as many rows at most, each is"
              + " one.")
  private int ranges;

  @Mixin private JobOptions job;

  @Mixin private ClusterOptions cluster;

  public DigestCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    int threads = job.threads();
    if (ranges < 1 || ranges > MOST_RANGES) {
      throw new CommandFailure("--ranges is 1 to " + MOST_RANGES + ". found=" + ranges);
    }
    OutputFile.require(output);
    DigestFile there = against == null ? null : DigestFile.read(against);
    DigestScope scope = there == null ? scope() : scopeOf(there);
    return ClusterOptions.withHBase(() -> digest(scope, there, threads));
  }

  private int digest(DigestScope scope, DigestFile there, int threads) {
    RangeDigests digests =
        new DigestRun(table, scope, ranges, threads, job.temporaryDirectory(), cluster)
            .run(terminal);
    if (digests == null) {
      return ExitCodes.FAILED;
    }
    DigestFile here = new DigestFile(table, scope, digests);
    DigestReport report = new DigestReport(terminal, here, cluster.text());
    boolean isSame = true;
    if (there == null) {
      report.print(output);
    } else {
      isSame = report.printAgainst(there, against);
    }
    if (output != null) {
      here.write(output);
    }
    return isSame ? ExitCodes.OK : ExitCodes.PROBLEMS;
  }

  private DigestScope scope() {
    DigestScope scope = new DigestScope(from, to, isOfVersions, !isWithoutTimestamps);
    KeyRange range =
        KeyRange.of(key("--start", scope::fromKey), true, key("--stop", scope::toKey), false);
    if (range.isEmpty()) {
      throw new CommandFailure(
          "No key lies there: --stop must be above --start. start=" + from + " stop=" + to);
    }
    return scope;
  }

  private static byte[] key(String option, Supplier<byte[]> key) {
    try {
      return key.get();
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(option + ": " + e.getMessage(), e);
    }
  }

  private DigestScope scopeOf(DigestFile there) {
    if (!from.isEmpty() || !to.isEmpty() || isOfVersions || isWithoutTimestamps) {
      throw new CommandFailure(
          "--against FILE says which cells: leave --start, --stop, --versions and --no-timestamps"
              + " out. Another part is digested into another FILE first. against="
              + against
              + " options=\""
              + there.scope().options().strip()
              + "\"");
    }
    return there.scope();
  }
}
