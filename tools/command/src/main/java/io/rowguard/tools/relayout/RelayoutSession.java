package io.rowguard.tools.relayout;

import io.rowguard.mapreduce.job.RegionsJob;
import io.rowguard.mapreduce.relayout.MovePace;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cli.Interrupt;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cluster.ClientConfiguration;
import io.rowguard.tools.cluster.Cluster;
import io.rowguard.tools.cluster.JobFiles;
import io.rowguard.tools.cluster.NoAnswer;
import io.rowguard.tools.cluster.ServerSettings;
import io.rowguard.tools.cluster.TableNames;
import io.rowguard.tools.relayout.RelayoutArguments.RelayoutTarget;
import io.rowguard.tools.relayout.StepOutcome.MoveOutcome;
import io.rowguard.tools.relayout.StepRequest.MoveRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/** One step of a relayout at a terminal; apart from the commands, which must load without HBase. */
final class RelayoutSession {
  /** As a shell has it for a command that Ctrl-C ended. */
  static final int INTERRUPTED = 130;

  private RelayoutSession() {}

  /**
   * The work to do with the steps.
   *
   * @param <T> what comes of it
   */
  @FunctionalInterface
  interface Work<T> {
    /** Does it. */
    T with(RelayoutSteps steps) throws IOException;
  }

  /**
   * Does something with a table's steps: first looks whether the cluster answers in time, and has
   * the table; then is as patient as HBase's client.
   *
   * @throws CommandFailure when that is not so, or the work fails
   */
  static <T> T of(RelayoutTarget target, Terminal terminal, Work<T> work) {
    return of(target, ClientConfiguration.forJob(target.cluster()), terminal, work);
  }

  private static <T> T of(
      RelayoutTarget target, Configuration conf, Terminal terminal, Work<T> work) {
    TableName table = TableNames.parse(target.table());
    Configuration servers;
    try (Cluster cluster = Cluster.connect(target.cluster())) {
      cluster.requireTable(table);
      servers = ServerSettings.of(cluster);
    }
    StepLines lines = new StepLines(terminal);
    try (Connection connection = ConnectionFactory.createConnection(conf)) {
      return work.with(RelayoutSteps.of(connection, servers, table, lines));
    } catch (IOException e) {
      throw new CommandFailure(
          "The step failed. table="
              + table
              + " "
              + ClientConfiguration.where(conf)
              + " why=\""
              + NoAnswer.reason(e)
              + "\"."
              + TablePoll.wayOn(table),
          e);
    } finally {
      lines.end();
    }
  }

  /**
   * Moves rows until none is left, or the process is asked to end.
   *
   * @param report is given what came of it; the process does not end before it has returned
   */
  static MoveOutcome run(
      RelayoutTarget target,
      Terminal terminal,
      MoveRequest request,
      Duration patience,
      Consumer<MoveOutcome> report) {
    MovePace pace = MovePace.of(request.rowsPerSecond());
    Configuration conf = ClientConfiguration.forRepeating(target.cluster());
    try (Interrupt interrupt = Interrupt.onExit()) {
      Thread watch = new Thread(() -> endWhenAsked(interrupt, pace), "interrupt-watch");
      watch.setDaemon(true);
      watch.start();
      try {
        MoveOutcome outcome =
            of(target, conf, terminal, steps -> steps.patient(patience).run(request, pace));
        report.accept(outcome);
        return outcome;
      } finally {
        watch.interrupt();
        terminal.out().flush();
        terminal.err().flush();
      }
    }
  }

  /** Moves rows by jobs, one after the other, until none is left. */
  static MoveOutcome runAsJobs(
      RelayoutTarget target,
      Terminal terminal,
      MoveRequest request,
      Duration patience,
      String temporary) {
    Configuration conf = ClientConfiguration.forJob(target.cluster());
    RegionsJob.setLocalThreads(conf, request.threads());
    StepLines lines = new StepLines(terminal);
    return of(
        target,
        terminal,
        steps ->
            new MoveJobs(
                    () -> steps.job(conf, request, JobFiles.temporary(conf, temporary)),
                    steps::watch,
                    patience,
                    lines)
                .run());
  }

  private static void endWhenAsked(Interrupt interrupt, MovePace pace) {
    if (interrupt.await(Duration.ofDays(10_000))) {
      pace.end();
    }
  }
}
