package io.rowguard.tools.relayout;

import io.rowguard.config.Relayout;
import io.rowguard.config.TableConfig;
import io.rowguard.mapreduce.job.RegionsJob;
import io.rowguard.mapreduce.relayout.MoveJob;
import io.rowguard.mapreduce.relayout.MovePace;
import io.rowguard.relayout.PolledRegion;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse.Outcome;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cluster.TableRegions;
import io.rowguard.tools.relayout.StepOutcome.FinishOutcome;
import io.rowguard.tools.relayout.StepOutcome.MoveOutcome;
import io.rowguard.tools.relayout.StepOutcome.PauseOutcome;
import io.rowguard.tools.relayout.StepOutcome.StartOutcome;
import io.rowguard.tools.relayout.StepRequest.MoveRequest;
import io.rowguard.tools.relayout.StepRequest.PlanRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/**
 * The steps that take a table from one layout to another, as {@code rowguard relayout} does them.
 * Every step may be done again: one that was interrupted goes on where it was. Not thread-safe.
 *
 * <pre>{@code
 * RelayoutSteps steps = RelayoutSteps.of(connection, conf, table, StepListener.none());
 * steps.start(PlanRequest.of(RowkeyLayout.parse("...")));
 * steps.run(MoveRequest.usual(), MovePace.of(0));
 * steps.finish();
 * }</pre>
 */
final class RelayoutSteps {
  private final AlteredTable table;
  private final StepListener listener;
  private final PaceTimes paceTimes;

  private RelayoutSteps(AlteredTable table, StepListener listener, PaceTimes paceTimes) {
    this.table = table;
    this.listener = listener;
    this.paceTimes = paceTimes;
  }

  /**
   * The steps for one table, which go on for ten minutes without progress.
   *
   * @param connection stays open
   * @param servers the configuration of the region servers
   * @param listener is told what is being done
   */
  static RelayoutSteps of(
      Connection connection, Configuration servers, TableName table, StepListener listener) {
    return new RelayoutSteps(
        new AlteredTable(connection, servers, table, Patience.USUAL, listener),
        listener,
        PaceTimes.usual());
  }

  /**
   * The same, more or less patient.
   *
   * @param patience how long to go on while no row moves, or no region is compacted
   */
  RelayoutSteps patient(Duration patience) {
    return new RelayoutSteps(table.patient(patience), listener, paceTimes);
  }

  /** The same with other times for the pace of a run. */
  RelayoutSteps withPaceTimes(PaceTimes times) {
    return new RelayoutSteps(table, listener, times);
  }

  /** Finds out what a relayout would do and what is in its way; changes nothing. */
  RelayoutPlan plan(PlanRequest request) throws IOException {
    return new RelayoutPlanner(table, request).plan();
  }

  /**
   * Plans, and if nothing is in the way has both layouts known everywhere, makes regions for the
   * new rows, and lets rows move. A start that was interrupted goes on.
   *
   * @throws CommandFailure when the table is in another relayout, or the master refuses
   */
  StartOutcome start(PlanRequest request) throws IOException {
    return new RelayoutStart(table, request, listener).run();
  }

  /**
   * Moves the rows that have not moved, until no row has moved for as long as the patience lasts.
   *
   * @param pace how fast at most; its {@link MovePace#end} stops this, from any thread
   * @throws CommandFailure when rows do not move (yet), or a thread fails
   */
  MoveOutcome run(MoveRequest request, MovePace pace) throws IOException {
    TableConfig config = table.moving();
    PaceController controller =
        request.slowdown() > 0
            ? new PaceController(
                request.slowdown(), request.rowsPerSecond(), paceTimes, System::nanoTime)
            : null;
    try (ProgressWatch watch = watch(config.relayout().generation());
        PaceKeeper keeper = PaceKeeper.begin(pace, controller, table.connection(), table.name())) {
      MoveOutcome outcome =
          new RelayoutRunner(
                  table.connection(),
                  table.name(),
                  config,
                  request.threads(),
                  pace,
                  keeper,
                  table.patience(),
                  listener)
              .move(watch);
      keeper.requireHealthy();
      return outcome;
    }
  }

  /**
   * Has movers wait, wherever they run, until {@link #resume}. Writes pull their rows as ever.
   *
   * @throws CommandFailure when rows do not move (yet)
   */
  PauseOutcome pause() throws IOException {
    long generation = table.moving().relayout().generation();
    return told(table.quickPoll().once(RelayoutRequest.pause(generation)), true);
  }

  /** Lets movers go on. */
  PauseOutcome resume() throws IOException {
    long generation = table.moving().relayout().generation();
    return told(table.quickPoll().once(RelayoutRequest.resume(generation)), false);
  }

  private static PauseOutcome told(List<PolledRegion> regions, boolean isPause) {
    List<String> failures = new ArrayList<>();
    for (PolledRegion each : regions) {
      String failure = each.failure();
      if (failure == null && each.response().items().get(0).outcome() != Outcome.DONE) {
        failure = each.response().items().get(0).words();
      }
      if (failure != null) {
        failures.add(
            "Region " + TablePoll.range(each) + " on " + each.server() + ": " + failure + ".");
      }
    }
    boolean isPaused = isPause ? failures.size() < regions.size() : !failures.isEmpty();
    return new PauseOutcome(isPaused, regions.size(), failures);
  }

  /** Begins to watch how far the table is in a generation of its relayout. */
  ProgressWatch watch(long generation) {
    return ProgressWatch.begin(table.quickPoll(), generation);
  }

  /**
   * Prepares a MapReduce job that moves the rows that have not moved.
   *
   * @param conf of the cluster, and of YARN where the job is to run there
   * @param directory where the job may have files
   * @throws CommandFailure when rows do not move (yet)
   */
  MoveJob job(Configuration conf, MoveRequest request, Path directory) throws IOException {
    TableConfig config = table.moving();
    int mappers = TableRegions.of(table.connection(), table.name()).size();
    int atOnce = RegionsJob.isLocal(conf) ? Math.min(request.threads(), mappers) : mappers;
    return MoveJob.of(
        conf,
        table.name(),
        config.relayout().change(),
        config.relayout().generation(),
        config.takesAnyOrder(),
        request.rowsPerSecond() / atOnce,
        directory);
  }

  /** How far it is; changes nothing. */
  RelayoutStatus status() throws IOException {
    return RelayoutStatus.of(table);
  }

  /**
   * Counts the old rows in every region; when there are none, takes the former layout off.
   *
   * @throws CommandFailure when rows do not move (yet), or the master refuses
   */
  FinishOutcome finish() throws IOException {
    return new RelayoutFinish(table, listener).run();
  }

  /**
   * Gives a relayout up while nothing has moved; else turns it: what was the former layout is where
   * rows go from now on, which {@link #run} and {@link #finish} do as before.
   *
   * @return whether it was given up, and is over
   * @throws CommandFailure when there is none, the table cannot be compacted, or the master refuses
   */
  boolean back() throws IOException {
    Relayout relayout = table.inRelayout().relayout();
    boolean isOnlyPrepared = relayout.phase() == Relayout.Phase.PREPARED;
    long generation = relayout.generation();
    if (isOnlyPrepared) {
      listener.doing("Nothing has moved yet. Taking the new layout off.");
      table.alter(RelayoutDeclaration.givenUp(table.descriptor(), table.inRelayout()));
    } else {
      requireCompactable();
      table.compactLeftovers(
          generation,
          "no delete marker may hide what comes back.",
          "Nothing has been changed: mend that and give the same command again.");
      requireGeneration(generation);
      listener.doing("Exchanging the two layouts.");
      table.alter(RelayoutDeclaration.turned(table.descriptor(), table.inRelayout()));
    }
    table.awaitRegions();
    if (!isOnlyPrepared) {
      table.compactLeftovers(
          generation,
          "rows that moved meanwhile may have left delete markers.",
          "The table is turned already, so do not turn it again: mend that, major_compact '"
              + table.name()
              + "' in the HBase shell, then rowguard relayout run "
              + table.name()
              + ".");
    }
    return isOnlyPrepared;
  }

  /** Another one's "back" may have come meanwhile: a second one would turn the table again. */
  private void requireGeneration(long generation) throws IOException {
    if (table.inRelayout().relayout().generation() != generation) {
      throw new CommandFailure(
          "The relayout has been turned by another one meanwhile, and nothing was done. table="
              + table.name()
              + "."
              + TablePoll.wayOn(table.name()));
    }
  }

  private void requireCompactable() throws IOException {
    List<RelayoutObstacle> obstacles = new TableObstacles(table).all();
    if (!obstacles.isEmpty()) {
      throw new CommandFailure(
          "The table cannot be turned for now, and nothing was done. table="
              + table.name()
              + " why=\""
              + RelayoutObstacle.sentences(obstacles)
              + "\". Then give the same command again.");
    }
  }
}
