package io.rowguard.tools.relayout;

import io.rowguard.config.Relayout;
import io.rowguard.config.TableConfig;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cluster.NoAnswer;
import io.rowguard.tools.cluster.TableRegions;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/**
 * The table that the steps of a relayout alter: what it declares now, and what its regions know of
 * that. Holds nothing that it has read.
 */
final class AlteredTable {
  /** The longest wait for the response of one region. */
  static final int RESPONSE_MILLIS = 60_000;

  private static final int QUICK_RESPONSE_MILLIS = 20_000;

  /** The longest wait for an alter, for its regions, and for a split. */
  static final long PATIENCE_MINUTES = 30;

  private final Connection connection;
  private final Configuration servers;
  private final TableName name;
  private final Duration patience;
  private final StepListener listener;

  /**
   * @param connection stays open
   * @param servers the configuration of the region servers
   * @param patience how long to go on without progress, where progress can be seen
   * @param listener is told what is being waited for
   */
  AlteredTable(
      Connection connection,
      Configuration servers,
      TableName name,
      Duration patience,
      StepListener listener) {
    this.connection = connection;
    this.servers = servers;
    this.name = name;
    this.patience = patience;
    this.listener = listener;
  }

  /** The same, more or less patient. */
  AlteredTable patient(Duration other) {
    return new AlteredTable(connection, servers, name, other, listener);
  }

  Connection connection() {
    return connection;
  }

  Configuration servers() {
    return servers;
  }

  TableName name() {
    return name;
  }

  Duration patience() {
    return patience;
  }

  TableDescriptor descriptor() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.getDescriptor(name);
    }
  }

  /**
   * The declaration of the table.
   *
   * @throws CommandFailure when that is wrong
   */
  TableConfig config() throws IOException {
    TableConfig config = TableConfig.of(descriptor(), servers);
    if (config.isWrong()) {
      throw new CommandFailure(config.problemMessage(name.getNameAsString(), "nothing is done"));
    }
    return config;
  }

  /**
   * The same, of a table in relayout.
   *
   * @throws CommandFailure when it is in none
   */
  TableConfig inRelayout() throws IOException {
    TableConfig config = config();
    if (config.relayout() == null) {
      throw new CommandFailure(
          "The table is in no relayout. table="
              + name
              + " layout="
              + config.declaredLayout()
              + " version="
              + config.layoutVersion()
              + ". rowguard relayout plan "
              + name
              + " --to LAYOUT begins one.");
    }
    return config;
  }

  /**
   * The same, of a table whose rows move.
   *
   * @throws CommandFailure when they do not (yet)
   */
  TableConfig moving() throws IOException {
    TableConfig config = inRelayout();
    Relayout relayout = config.relayout();
    if (relayout.phase() != Relayout.Phase.MOVING) {
      throw new CommandFailure(
          "The relayout is prepared only, and no row moves yet. table="
              + name
              + " phase="
              + relayout.phase().inDescriptor()
              + ". Go on with its start: rowguard relayout start "
              + name
              + " --to '"
              + relayout.change().to()
              + "'");
    }
    return config;
  }

  TablePoll poll() {
    return new TablePoll(connection, name, RESPONSE_MILLIS);
  }

  /** A poll on trial: whether all regions respond at all. */
  TablePoll quickPoll() {
    return new TablePoll(connection, name, QUICK_RESPONSE_MILLIS);
  }

  /** Returns once every region knows what the table declares now; gives that. */
  TableConfig awaitRegions() throws IOException {
    TableConfig config = config();
    poll().awaitVersion(config.layoutVersion(), PATIENCE_MINUTES, listener);
    return config;
  }

  /**
   * Alters the table, and returns when the master is through with it.
   *
   * @throws CommandFailure when the master refuses, or takes too long
   */
  void alter(TableDescriptor changed) {
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
              + name
              + ". Look for regions in transition; then"
              + TablePoll.wayOn(name),
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
            + name
            + " why=\""
            + NoAnswer.reason(e)
            + "\". Nothing has changed by this step; rowguard relayout status "
            + name
            + " says how it stands.",
        e);
  }

  /** Whether relayouts that are over may have left delete markers in any region. */
  boolean mayHaveLeftovers() throws IOException {
    Set<String> without = withoutLeftovers(0);
    return TableRegions.of(connection, name).stream()
        .anyMatch(region -> !without.contains(region.getRegion().getEncodedName()));
  }

  /**
   * Flushes and compacts the regions in which pulls may have left delete markers, and returns when
   * that is done.
   *
   * @param generation whose pulls may have left some since regions opened; 0 where none may
   * @param purpose a sentence for people, where there are such regions
   * @param wayOn ends the message of a failure: how it stands then, and what to do
   * @throws CommandFailure when it does not get on
   */
  void compactLeftovers(long generation, String purpose, String wayOn) throws IOException {
    Set<String> without;
    try {
      without = withoutLeftovers(generation);
    } catch (AccessDeniedException e) {
      throw e;
    } catch (IOException e) {
      without = Set.of(); // the compaction waits for a cluster in trouble, with the way on
    }
    new MajorCompaction(this, without, listener).run(purpose, wayOn);
  }

  /**
   * The encoded names of the regions that say that they have none. A region that is split or moved
   * meanwhile may not be among them.
   */
  private Set<String> withoutLeftovers(long generation) throws IOException {
    return quickPoll().once(RelayoutRequest.leftovers(generation)).stream()
        .filter(polled -> polled.response() != null && !polled.response().mayHaveLeftovers())
        .map(polled -> polled.region().getEncodedName())
        .collect(Collectors.toUnmodifiableSet());
  }
}
