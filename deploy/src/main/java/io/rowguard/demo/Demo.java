package io.rowguard.demo;

import io.rowguard.workload.KeySets;
import io.rowguard.workload.ServerMessage;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plays the acts against the cluster that the {@code hbase-site.xml} on the class path names, and
 * exits with 0 when every claim held, with 1 otherwise.
 *
 * <p>Arguments: {@code SECONDS [terminal] [color] [unicode]}: the longest that it may take, and
 * what standard output can show. It is for {@code deploy/demo.sh}, which knows all that.
 */
public final class Demo {
  private static final Logger LOG = LoggerFactory.getLogger(Demo.class);
  private static final int NOT_SHOWN = 1;

  private Demo() {}

  /** Runs it. */
  public static void main(String[] args) {
    Set<String> abilities = Set.copyOf(Arrays.asList(args).subList(1, args.length));
    boolean unicode = abilities.contains("unicode");
    PrintStream out =
        new PrintStream(
            new FileOutputStream(FileDescriptor.out),
            true,
            unicode ? StandardCharsets.UTF_8 : StandardCharsets.US_ASCII);
    Screen screen =
        new Screen(out, abilities.contains("terminal"), abilities.contains("color"), unicode);
    Watchdog.start(screen, Integer.parseInt(args[0]), NOT_SHOWN);
    Claims claims = new Claims();
    try (Connection connection = ConnectionFactory.createConnection(configuration())) {
      Stage stage = new Stage(connection, screen, claims, KeySets.geonames());
      introduce(stage);
      play(
          List.of(
              new WriteAct(), new SplitAct(), new PresplitAct(), new SaltAct(), new RelayoutAct()),
          stage);
    } catch (IOException | RuntimeException e) {
      LOG.error("The demo could not go on.", e);
      screen.blank();
      screen.problem("The demo could not go on: " + ServerMessage.of(e));
      System.exit(NOT_SHOWN);
    } catch (InterruptedException e) {
      System.exit(NOT_SHOWN);
    }
    summarize(screen, claims);
    System.exit(claims.allHeld() ? 0 : NOT_SHOWN);
  }

  private static void introduce(Stage stage) throws IOException {
    try (Admin admin = stage.connection().getAdmin()) {
      String version =
          admin
              .getClusterMetrics(EnumSet.of(ClusterMetrics.Option.HBASE_VERSION))
              .getHBaseVersion();
      stage
          .screen()
          .say(
              "A client over the network, HBase "
                  + version
                  + ", and "
                  + Screen.count(stage.keys().size())
                  + " real keys: the world's populated places, by GeoNames (CC BY 4.0).");
    }
  }

  private static void play(List<Act> acts, Stage stage) throws IOException, InterruptedException {
    int number = 1;
    for (Act act : acts) {
      stage.screen().heading(number + ". " + act.title());
      stage.screen().say(act.why());
      stage.screen().blank();
      act.play(stage);
      number++;
    }
  }

  private static void summarize(Screen screen, Claims claims) {
    screen.heading("What was shown");
    for (Claims.Claim claim : claims.all()) {
      screen.verdict(claim.held(), claim.text());
      if (!claim.held()) {
        screen.quote("seen: " + claim.seen());
      }
    }
  }

  /** HBase's client waits for a lost server for 20 minutes by default; a demo's does not. */
  private static Configuration configuration() {
    Configuration configuration = HBaseConfiguration.create();
    configuration.setInt("hbase.rpc.timeout", 20_000);
    configuration.setInt("hbase.client.operation.timeout", 40_000);
    configuration.setInt("hbase.client.retries.number", 8);
    return configuration;
  }
}
