package io.rowguard.tools.audit;

import io.rowguard.layout.KeyRange;
import io.rowguard.layout.RowText;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cli.ExitCodes;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cluster.ClusterOptions;
import io.rowguard.tools.cluster.GivenLayout;
import io.rowguard.tools.cluster.JobOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Judges the rows that a table has. */
@Command(
    name = "audit",
    description = {
      "Hold every row of a table against a layout, before rowguard.mode=reject does so.",
      "",
      "A MapReduce job reads the first cell of each row, without its value, past the servers' block"
          + " caches. It runs in this process, or on YARN where mapreduce.framework.name=yarn is"
          + " configured (-D, or mapred-site.xml on the class path). --snapshot reads a snapshot's"
          + " files and asks no server.",
      "",
      "Exit code 1 says that rows do not fit."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  rowguard audit orders                             by the layout that the table declares",
      "  rowguard audit orders --layout '{id:hex(16)}'     by one that it might get",
      "  rowguard audit orders --start 07- --stop 08- --examples 20",
      "  rowguard audit --snapshot orders-monday --site /etc/hbase/conf/hbase-site.xml",
      "  rowguard audit orders -D mapreduce.framework.name=yarn",
    })
public final class AuditCommand implements Callable<Integer> {
  private static final int MOST_EXAMPLES = 1000;

  private final Terminal terminal;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "TABLE",
      description = "The table; with --snapshot it may be left out.")
  private String table;

  @Mixin private GivenLayout layout;

  @Option(
      names = "--start",
      paramLabel = "KEY",
      defaultValue = "",
      description = "The first row, as the HBase shell writes it.")
  private String start;

  @Option(
      names = "--stop",
      paramLabel = "KEY",
      defaultValue = "",
      description = "The first row that is not read any more.")
  private String stop;

  @Option(
      names = "--snapshot",
      paramLabel = "NAME",
      description = "Read this snapshot of the table instead.")
  private String snapshot;

  @Option(
      names = "--restore-dir",
      paramLabel = "DIR",
      description =
          "Where references to the snapshot's files are put meanwhile: on the file system of"
              + " hbase.rootdir, outside of it. Default: /tmp there.")
  private String restoreDirectory;

  @Mixin private JobOptions job;

  @Option(
      names = "--examples",
      paramLabel = "N",
      defaultValue = "3",
      description = "How many rows to show of each mistake; default: ${DEFAULT-VALUE}.")
  private int examples;

  @Option(names = "--json", description = "Print the findings as JSON.")
  private boolean isJson;

  @Mixin private ClusterOptions cluster;

  public AuditCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    AuditRequest request = request();
    return ClusterOptions.withHBase(
        () -> {
          AuditFindings findings = AuditRun.of(request, terminal);
          if (findings == null) {
            return ExitCodes.FAILED;
          }
          if (isJson) {
            terminal.line(AuditJson.text(findings));
          } else {
            new AuditReport(terminal, findings).print();
          }
          return findings.refused() == 0 ? ExitCodes.OK : ExitCodes.PROBLEMS;
        });
  }

  private AuditRequest request() {
    if (table == null && snapshot == null) {
      throw new CommandFailure("Say which table: rowguard audit TABLE, or --snapshot NAME.");
    }
    String group = layout.group();
    int threads = job.threads();
    if (restoreDirectory != null && snapshot == null) {
      throw new CommandFailure("--restore-dir is for a --snapshot.");
    }
    if (examples < 0 || examples > MOST_EXAMPLES) {
      throw new CommandFailure("--examples is 0 to " + MOST_EXAMPLES + ". found=" + examples);
    }
    return new AuditRequest(
        table,
        snapshot,
        layout.layout(),
        group,
        range(),
        examples,
        threads,
        job.temporaryDirectory(),
        restoreDirectory,
        cluster);
  }

  private KeyRange range() {
    KeyRange range = KeyRange.of(key("--start", start), true, key("--stop", stop), false);
    if (range.isEmpty()) {
      throw new CommandFailure(
          "No row lies there: --stop must be above --start. start=" + start + " stop=" + stop);
    }
    return range;
  }

  private static byte[] key(String option, String text) {
    try {
      return RowText.toBytesBinary(text);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(option + ": " + e.getMessage(), e);
    }
  }
}
