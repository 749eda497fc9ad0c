package io.rowguard.soak;

import io.rowguard.client.SaltedTable;
import io.rowguard.soak.SoakTable.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;

/** A soak from its tables to its verdict. The exit code is 0 where nothing was wrong, else 1. */
public final class Soak {
  /** A client waits out a server that stands still, and the recovery of its regions. */
  private static final int CLIENT_PATIENCE_SECONDS = 300;

  /** A step of a relayout waits out several faults. */
  private static final int OPERATOR_PATIENCE_SECONDS = 900;

  /** The longest rest of a client after one thing that it did. */
  private static final long MOST_REST_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final int MOST_SHOWN = 20;

  private final SoakOptions options;
  private final Events events;
  private final Crew crew;
  private final Retries retries;
  private final List<SoakTable> tables = new ArrayList<>();
  private volatile boolean isOver;

  private Soak(SoakOptions options, Events events) throws IOException {
    this.options = options;
    this.events = events;
    crew = new Crew(events);
    retries = new Retries(() -> isOver, events);
    for (Kind kind : Kind.values()) {
      tables.add(new SoakTable(kind, options.history()));
    }
  }

  /** Runs a soak as its {@link SoakOptions} say; after the word check it only reads them. */
  public static void main(String[] arguments) throws IOException {
    boolean isCheck = arguments.length > 0 && arguments[0].equals("check");
    SoakOptions options;
    try {
      options = SoakOptions.parse(Arrays.copyOfRange(arguments, isCheck ? 1 : 0, arguments.length));
    } catch (IllegalArgumentException e) {
      System.err.println("soak: " + e.getMessage());
      System.exit(2);
      return;
    }
    if (isCheck) {
      return;
    }
    List<String> violations;
    try (Events events = new Events(options.history())) {
      events.say("soak begins: " + options);
      options
          .missing()
          .forEach((need, why) -> events.say("left out: " + Fault.names(need) + ": " + why));
      violations = violations(options, events);
      violations.stream().limit(MOST_SHOWN).forEach(violation -> events.say("WRONG " + violation));
      events.say(
          violations.isEmpty()
              ? "PASSED: nothing lost, doubled or wrong. " + options
              : "FAILED: violations=" + violations.size() + " " + options);
    }
    System.exit(violations.isEmpty() ? 0 : 1);
  }

  private static List<String> violations(SoakOptions options, Events events) {
    try {
      return new Soak(options, events).run();
    } catch (Throwable e) {
      // Threads of HBase's client would keep the process alive, without a verdict.
      e.printStackTrace();
      return List.of("the soak itself failed: " + e);
    }
  }

  private List<String> run() throws IOException, InterruptedException {
    List<String> violations = new ArrayList<>();
    ClusterScript cluster = new ClusterScript(options.cluster(), options.directory());
    ServerWatch watch = new ServerWatch(cluster, events, System::nanoTime);
    try (Connections own = Connections.own(options.directory());
        Connections byProperty = Connections.byProperty(options.directory());
        Admin admin = own.patient().getAdmin()) {
      admin.normalizerSwitch(true);
      for (SoakTable table : tables) {
        table.create(admin);
        startClients(table, own, byProperty);
      }
      RegionFaults regions = new RegionFaults(admin, tables, options.seed() + 2, events);
      Nemesis nemesis =
          new Nemesis(harms(cluster, watch, admin, regions), watch, options.seed(), events);
      Relayouts relayouts = relayouts();
      Worker harm = startPausing("nemesis", 10, nemesis::strike);
      Worker operator = startPausing("relayouts", 10, relayouts::next);
      crew.watch(TimeUnit.MINUTES.toSeconds(options.minutes()));
      // First the faults, then the clients, who so work on the whole cluster for a moment.
      crew.end(harm, OPERATOR_PATIENCE_SECONDS);
      crew.end(operator, OPERATOR_PATIENCE_SECONDS);
      TimeUnit.SECONDS.sleep(10);
      isOver = true;
      crew.endAll(CLIENT_PATIENCE_SECONDS);
      violations.addAll(crew.violations());
      relayouts.finish();
      for (SoakTable table : tables) {
        Access.ByTable rows = rowsByTable(table, own, byProperty);
        violations.addAll(new LastLook(own.patient(), rows, table, events).violations());
      }
      watch.heal();
      SoakTable grouped = table(Kind.GROUPED);
      Splits splits =
          Splits.of(options.directory().resolve("logs"), grouped.name(), regions.split());
      events.say(
          String.format(
              "faults: %s; relayouts=%d; splits of %s: %s",
              nemesis.counts(), relayouts.finished(), grouped.name(), splits));
      violations.addAll(nemesis.violations());
      if (splits.bySize() + splits.byLoad() == 0) {
        violations.add("no region of " + grouped.name() + " was split by its size or load");
      }
      if (relayouts.finished() == 0) {
        violations.add("no relayout has been finished");
      }
      violations.addAll(watch.violations());
    }
    return violations;
  }

  private Map<Fault, Harm> harms(
      ClusterScript cluster, ServerWatch watch, Admin admin, RegionFaults regions) {
    Rest rest = TimeUnit.SECONDS::sleep;
    Map<Fault, Harm> harms = new EnumMap<>(Fault.class);
    harms.putAll(new ServerFaults(cluster, watch, options.seed() + 1, events, rest).harms());
    harms.putAll(new JarFaults(cluster, watch, admin, tables, options.seed() + 3, events).harms());
    harms.putAll(new LastingFaults(cluster, watch, options.seed() + 4, events, rest).harms());
    harms.putAll(regions.harms());
    harms.keySet().retainAll(options.faults());
    return harms;
  }

  /**
   * Starts two clients of each sort: with connections of HBase's own, and, where rows are salted,
   * with some by property. In salt mode both leave the salt of writes and gets to the servers.
   */
  private void startClients(SoakTable table, Connections own, Connections byProperty)
      throws IOException {
    long seed = options.seed() + 100L * (1 + tables.indexOf(table));
    Connections second = table.kind() == Kind.SALTED ? byProperty : own;
    startHotKeys(table, 1, table.open(own.exact()), table.open(own.patient()), seed);
    startHotKeys(
        table,
        2,
        second.exact().getTable(table.name()),
        second.patient().getTable(table.name()),
        seed);
    startLedger(table, 1, rowsByTable(table, own, byProperty), seed);
    startLedger(
        table,
        2,
        new Access.ByBuffer(
            second.patient().getBufferedMutator(table.name()),
            second.async().getTable(table.name()),
            byProperty.async().getTable(table.name())),
        seed);
    Connection patient = own.patient();
    BulkLoadClient loads =
        new BulkLoadClient(
            table, patient.getAdmin(), patient.getConfiguration(), retries, events, seed + 7);
    start(table.name() + " bulk loads", loads::next);
    if (table.hasTransfers()) {
      for (int i = 1; i <= 2; i++) {
        SaltedTable rows = SaltedTable.open(patient, table.name());
        TransferClient client = new TransferClient(table, rows, retries, seed + 4 + i);
        start(table.name() + " transfers " + i, client::next);
      }
    }
  }

  private static Access.ByTable rowsByTable(
      SoakTable table, Connections own, Connections byProperty) throws IOException {
    return new Access.ByTable(
        table.open(own.patient()), byProperty.patient().getTable(table.name()));
  }

  private void startHotKeys(SoakTable table, int number, Table exact, Table patient, long seed) {
    HotKeyClient client = new HotKeyClient(table, exact, patient, retries, seed + number);
    start(table.name() + " hot keys " + number, client::next);
  }

  private void startLedger(SoakTable table, int number, Access rows, long seed) {
    start(
        table.name() + " inserts " + number,
        new LedgerClient(table, rows, retries, seed + 10 + number)::insert);
    start(
        table.name() + " reads " + number,
        new LedgerClient(table, rows, retries, seed + 20 + number)::read);
  }

  /** Starts a client that rests as long as it works, else on few cores no fault gets its turn. */
  private void start(String name, Worker.Task task) {
    crew.start(
        name,
        CLIENT_PATIENCE_SECONDS,
        () -> {
          long began = System.nanoTime();
          task.run();
          TimeUnit.NANOSECONDS.sleep(Math.min(MOST_REST_NANOS, System.nanoTime() - began));
        });
  }

  /** Starts a worker that rests up to so many seconds before each thing that it does. */
  private Worker startPausing(String name, int seconds, Worker.Task task) {
    Random random = new Random(options.seed());
    return crew.start(
        name,
        OPERATOR_PATIENCE_SECONDS,
        () -> {
          TimeUnit.MILLISECONDS.sleep(1000 + random.nextInt(1000 * seconds));
          task.run();
        });
  }

  private SoakTable table(Kind kind) {
    return tables.stream().filter(table -> table.kind() == kind).findFirst().orElseThrow();
  }

  private Relayouts relayouts() {
    return new Relayouts(
        options.cluster().resolveSibling("rowguard"),
        options.directory().resolve("conf/hbase-site.xml"),
        table(Kind.SALTED),
        events);
  }
}
