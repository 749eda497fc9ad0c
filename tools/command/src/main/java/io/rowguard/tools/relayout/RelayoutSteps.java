package io.rowguard.tools.relayout;

import io.rowguard.config.Mode;
import io.rowguard.config.Relayout;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.EntityGroup;
import io.rowguard.mapreduce.job.RegionsJob;
import io.rowguard.mapreduce.relayout.MoveJob;
import io.rowguard.mapreduce.relayout.MovePace;
import io.rowguard.relayout.Answer;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cluster.NoAnswer;
import io.rowguard.tools.cluster.RegionKeys;
import io.rowguard.tools.cluster.RegionSizes;
import io.rowguard.tools.cluster.TableRegions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;

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
public final class RelayoutSteps {
  private static final int ANSWER_MILLIS = 60_000;

  private static final long PATIENCE_MINUTES = 30;

  private final Connection connection;
  private final Configuration servers;
  private final TableName table;
  private final StepListener listener;

  private RelayoutSteps(
      Connection connection, Configuration servers, TableName table, StepListener listener) {
    this.connection = connection;
    this.servers = servers;
    this.table = table;
    this.listener = listener;
  }

  /**
   * The steps for one table.
   *
   * @param connection stays open
   * @param servers the configuration of the region servers
   * @param listener is told what is being done
   */
  public static RelayoutSteps of(
      Connection connection, Configuration servers, TableName table, StepListener listener) {
    return new RelayoutSteps(connection, servers, table, listener);
  }

  /** Finds out what a relayout would do and what is in its way; changes nothing. */
  public RelayoutPlan plan(PlanRequest request) throws IOException {
    return new RelayoutPlanner(connection, servers, table, request, ANSWER_MILLIS).plan();
  }

  /**
   * Plans, and if nothing is in the way has both layouts known everywhere, makes regions for the
   * new rows, and lets rows move. A start that was interrupted goes on.
   *
   * @throws CommandFailure when the table is in another relayout, or the master refuses
   */
  public StartOutcome start(PlanRequest request) throws IOException {
    TableConfig config = config();
    RelayoutPlan plan = null;
    if (config.relayout() == null) {
      plan = plan(request);
      if (!plan.isClear()) {
        return new StartOutcome(plan, false, 0, config.layoutVersion());
      }
      if (plan.compactsFirst()) {
        listener.doing("Compacting the table: an earlier relayout has left delete markers.");
        new MajorCompaction(connection, table, listener).run();
      }
      prepare(request);
    } else {
      requireSame(config.relayout(), request);
      listener.doing("The table is in this relayout already; going on where its start was.");
    }
    int made = 0;
    config = config();
    if (config.relayout().phase() == Relayout.Phase.PREPARED) {
      awaitVersion(config.layoutVersion());
      RelayoutObstacle strays = strays(config, request.threads());
      if (strays != null) {
        back();
        return new StartOutcome(
            plan == null ? plan(request).with(strays) : plan.with(strays),
            false,
            0,
            config().layoutVersion());
      }
      made = makeRegions(request, config, plan);
      awaitVersion(config.layoutVersion());
      listener.doing("Every region knows both layouts. Letting rows move.");
      alter(RelayoutDeclaration.moving(descriptor(), config));
    }
    long version = config().layoutVersion();
    awaitVersion(version);
    return new StartOutcome(plan, true, made, version);
  }

  /**
   * Has every region look for rows that fit only the layout that rows are to go to: nobody can
   * write another one now. Null when there are none.
   */
  private RelayoutObstacle strays(TableConfig config, int threads) throws IOException {
    listener.doing("Looking for rows that fit only the layout that rows are to go to.");
    long found = 0;
    for (RegionAnswers.Said said : counted(config)) {
      found += said.answer().oldRows();
    }
    if (found == 0) {
      return null;
    }
    return StrayRows.search(
            connection,
            table,
            config.relayout().change(),
            config.mode() == Mode.SALT,
            threads,
            listener)
        .obstacle(found);
  }

  /**
   * What every region has counted.
   *
   * @throws CommandFailure when one does not answer, or is not of the table's version
   */
  private List<RegionAnswers.Said> counted(TableConfig config) throws IOException {
    List<RegionAnswers.Said> all =
        new RegionAnswers(connection, table, ANSWER_MILLIS)
            .counting(config.relayout().generation());
    for (RegionAnswers.Said said : all) {
      String wrong = notOfThis(said, config);
      if (wrong == null && !said.answer().items().isEmpty()) {
        wrong = "Region " + said.range() + ": " + said.answer().items().get(0).words();
      }
      if (wrong != null) {
        throw new CommandFailure(
            wrong
                + " table="
                + table
                + ". Nothing has moved: give the same command again to go on, or rowguard relayout"
                + " back "
                + table
                + " to give up.");
      }
    }
    return all;
  }

  private void requireSame(Relayout relayout, PlanRequest request) {
    if (!relayout.change().to().parts().equals(request.to().parts())) {
      throw new CommandFailure(
          "The table is in another relayout. table="
              + table
              + " from="
              + relayout.change().from()
              + " to="
              + relayout.change().to()
              + ". Finish it first (rowguard relayout finish "
              + table
              + "), or turn it back (rowguard relayout back "
              + table
              + ").");
    }
  }

  private void prepare(PlanRequest request) throws IOException {
    TableDescriptor current = descriptor();
    listener.doing("Declaring both layouts. The old rows take the writes still.");
    alter(RelayoutDeclaration.prepared(current, TableConfig.of(current, servers), request.to()));
  }

  /** After both layouts are known: a boundary of the new one may be none of the old. */
  private int makeRegions(PlanRequest request, TableConfig config, RelayoutPlan plan)
      throws IOException {
    List<byte[]> missing = plan == null ? missingRegions(request, config) : plan.newRegions();
    if (missing.isEmpty()) {
      return 0;
    }
    listener.doing("Making " + missing.size() + " regions for the new rows.");
    RegionSplits splits =
        new RegionSplits(connection, config.group(), table, listener, PATIENCE_MINUTES);
    splits.at(missing);
    int moved = splits.spread(missing);
    listener.doing("Gave " + moved + " of them to other servers.");
    return missing.size();
  }

  private List<byte[]> missingRegions(PlanRequest request, TableConfig config) throws IOException {
    MoveEstimate estimate = estimate(config, request.sampleRegions(), request.sampleRows());
    EntityGroup group = config.group();
    int wanted = request.regions();
    if (wanted == 0) {
      try (Admin admin = connection.getAdmin()) {
        int all = RegionSizes.servers(admin).size();
        wanted = NewRegions.wanted(group, estimate, all);
      }
    }
    List<byte[]> keys = NewRegions.boundaries(group, wanted, estimate.newRows());
    return NewRegions.missing(group, keys, TableRegions.startKeys(connection, table));
  }

  private MoveEstimate estimate(TableConfig config, int regions, int rows) throws IOException {
    return MoveSample.of(
        connection, table, config.relayout().change(), config.mode() == Mode.SALT, regions, rows);
  }

  /**
   * Moves the rows that have not moved.
   *
   * @param pace how fast at most; its {@link MovePace#end} stops this, from any thread
   * @throws CommandFailure when rows do not move (yet)
   */
  public MoveOutcome run(MoveRequest request, MovePace pace) throws IOException {
    TableConfig config = moving();
    MoveEstimate estimate = estimate(config, 20, 200);
    return new Mover(connection, table, config, request.threads(), pace, listener)
        .move(estimate.movingRows());
  }

  /**
   * Prepares a MapReduce job that moves the rows that have not moved.
   *
   * @param conf of the cluster, and of YARN where the job is to run there
   * @param directory where the job may have files
   * @throws CommandFailure when rows do not move (yet)
   */
  public MoveJob job(Configuration conf, MoveRequest request, Path directory) throws IOException {
    TableConfig config = moving();
    int mappers = TableRegions.of(connection, table).size();
    int atOnce = RegionsJob.isLocal(conf) ? Math.min(request.threads(), mappers) : mappers;
    return MoveJob.of(
        conf,
        table,
        config.relayout().change(),
        config.relayout().generation(),
        request.rowsPerSecond() / atOnce,
        directory);
  }

  /** How far it is; changes nothing. */
  public RelayoutStatus status() throws IOException {
    TableConfig config = config();
    Relayout relayout = config.relayout();
    return new StatusReader(table, config, new RegionAnswers(connection, table, ANSWER_MILLIS))
        .read(relayout);
  }

  /**
   * Counts the old rows in every region; when there are none, takes the former layout off.
   *
   * @throws CommandFailure when rows do not move (yet), or the master refuses
   */
  public FinishOutcome finish() throws IOException {
    TableConfig config = moving();
    awaitVersion(config.layoutVersion());
    TableDescriptor counted = descriptor();
    listener.doing("Counting old rows in every region.");
    List<String> inTheWay = new ArrayList<>();
    long oldRows = 0;
    List<RegionAnswers.Said> all =
        new RegionAnswers(connection, table, ANSWER_MILLIS)
            .counting(config.relayout().generation());
    for (RegionAnswers.Said said : all) {
      String obstacle = obstacle(said, config);
      if (obstacle != null) {
        inTheWay.add(obstacle);
      }
      oldRows += said.answer() == null ? 0 : said.answer().oldRows();
    }
    if (!inTheWay.isEmpty()) {
      return new FinishOutcome(
          false, all.size(), oldRows, inTheWay, null, config.layoutVersion(), 0);
    }
    if (!descriptor().equals(counted)) {
      throw new CommandFailure(
          "The table has been altered while its old rows were counted, so the count is worth"
              + " nothing. table="
              + table
              + ". Look who did that (rowguard relayout status "
              + table
              + "), and give the command again.");
    }
    listener.doing("No region has an old row. Taking the former layout off.");
    alter(RelayoutDeclaration.finished(counted, config));
    TableConfig now = config();
    awaitVersion(now.layoutVersion());
    return new FinishOutcome(
        true,
        all.size(),
        0,
        List.of(),
        now.layout().toString(),
        now.layoutVersion(),
        emptyRegions(now));
  }

  /** What one region has against a finish, as a sentence; null for nothing. */
  private static String obstacle(RegionAnswers.Said said, TableConfig config) {
    String wrong = notOfThis(said, config);
    if (wrong != null) {
      return wrong;
    }
    Answer answer = said.answer();
    if (answer.oldRows() > 0) {
      return "Region " + said.range() + " has " + answer.oldRows() + " old rows or more.";
    }
    return answer.items().isEmpty()
        ? null
        : "Region " + said.range() + ": " + answer.items().get(0).words();
  }

  /** Why an answer is not one about the relayout that the table is in, as a sentence; or null. */
  private static String notOfThis(RegionAnswers.Said said, TableConfig config) {
    Answer answer = said.answer();
    if (answer == null) {
      return "Region " + said.range() + " does not answer: " + said.silence() + ".";
    }
    Relayout relayout = config.relayout();
    boolean isOfThis =
        answer.generation() == relayout.generation()
            && answer.version() == config.layoutVersion()
            && answer.isMoving() == (relayout.phase() == Relayout.Phase.MOVING);
    return isOfThis
        ? null
        : "Region "
            + said.range()
            + " has version "
            + answer.version()
            + " and generation "
            + answer.generation()
            + ", not "
            + config.layoutVersion()
            + " and "
            + relayout.generation()
            + ".";
  }

  private int emptyRegions(TableConfig config) throws IOException {
    int empty = 0;
    for (HRegionLocation region : TableRegions.of(connection, table)) {
      RegionKeys keys = new RegionKeys(connection, region.getRegion(), config.mode() == Mode.SALT);
      empty += keys.read(row -> true) ? 0 : 1;
    }
    return empty;
  }

  /** Whether a table's relayout can be given up without moving a row. */
  public boolean isOnlyPrepared() throws IOException {
    TableConfig config = config();
    requireRelayout(config);
    return config.relayout().phase() == Relayout.Phase.PREPARED;
  }

  /**
   * Gives a relayout up while nothing has moved; else turns it: what was the former layout is where
   * rows go from now on, which {@link #run} and {@link #finish} do as before.
   *
   * @return whether it was given up, and is over
   * @throws CommandFailure when there is none, or the master refuses
   */
  public boolean back() throws IOException {
    boolean isOnlyPrepared = isOnlyPrepared();
    if (isOnlyPrepared) {
      listener.doing("Nothing has moved yet. Taking the new layout off.");
      alter(RelayoutDeclaration.givenUp(descriptor(), config()));
    } else {
      listener.doing("Compacting the table, so that no delete marker hides what comes back.");
      new MajorCompaction(connection, table, listener).run();
      listener.doing("Exchanging the two layouts.");
      alter(RelayoutDeclaration.turned(descriptor(), config()));
    }
    awaitVersion(config().layoutVersion());
    if (!isOnlyPrepared) {
      listener.doing("Compacting again: rows that moved meanwhile have left markers.");
      new MajorCompaction(connection, table, listener).run();
    }
    return isOnlyPrepared;
  }

  private TableConfig moving() throws IOException {
    TableConfig config = config();
    requireRelayout(config);
    if (config.relayout().phase() != Relayout.Phase.MOVING) {
      throw new CommandFailure(
          "The relayout is prepared only, and no row moves yet. table="
              + table
              + " phase="
              + config.relayout().phase().name().toLowerCase(Locale.ROOT)
              + ". Go on with its start: rowguard relayout start "
              + table
              + " --to '"
              + config.relayout().change().to()
              + "'");
    }
    return config;
  }

  private void requireRelayout(TableConfig config) {
    if (config.relayout() == null) {
      throw new CommandFailure(
          "The table is in no relayout. table="
              + table
              + " layout="
              + config.declaredLayout()
              + " version="
              + config.layoutVersion()
              + ". rowguard relayout plan "
              + table
              + " --to LAYOUT begins one.");
    }
  }

  private TableDescriptor descriptor() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.getDescriptor(table);
    }
  }

  private TableConfig config() throws IOException {
    TableConfig config = TableConfig.of(descriptor(), servers);
    if (config.isWrong()) {
      throw new CommandFailure(config.problemMessage(table.getNameAsString(), "nothing is done"));
    }
    return config;
  }

  private void awaitVersion(long version) throws IOException {
    new RegionAnswers(connection, table, ANSWER_MILLIS)
        .awaitVersion(version, PATIENCE_MINUTES, listener);
  }

  private void alter(TableDescriptor changed) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      Future<Void> altered = admin.modifyTableAsync(changed);
      altered.get(PATIENCE_MINUTES, TimeUnit.MINUTES);
    } catch (ExecutionException e) {
      throw refused(e.getCause());
    } catch (TimeoutException e) {
      throw new CommandFailure(
          "The alter takes longer than "
              + PATIENCE_MINUTES
              + " minutes; the master goes on with it. table="
              + table
              + ". Look for regions in transition, then give the same command again.",
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("Interrupted.", e);
    } catch (IOException e) {
      throw refused(e);
    }
  }

  private CommandFailure refused(Throwable e) {
    return new CommandFailure(
        "The table was not altered. table="
            + table
            + " why=\""
            + NoAnswer.reason(e)
            + "\". Nothing has changed by this step; rowguard relayout status "
            + table
            + " says how it stands.",
        e);
  }

  /** How many regions know which version. */
  static Map<Long, Integer> byVersion(List<RegionAnswers.Said> all) {
    Map<Long, Integer> counts = new TreeMap<>();
    for (RegionAnswers.Said said : all) {
      if (said.answer() != null) {
        counts.merge(said.answer().version(), 1, Integer::sum);
      }
    }
    return counts;
  }
}
