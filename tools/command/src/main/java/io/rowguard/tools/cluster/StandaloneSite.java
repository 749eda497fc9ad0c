package io.rowguard.tools.cluster;

import io.rowguard.tools.cli.Terminal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * The standalone HBase of a checkout, {@code deploy/standalone.sh}: the cluster of a command for
 * which nothing names another. Names no class of HBase.
 *
 * <p>The launcher of a checkout knows whether one runs, and whether the environment names an HBase;
 * options and the class path are looked at here.
 */
public final class StandaloneSite {
  /** The system property in which the launcher names the hbase-site.xml of one that runs. */
  public static final String RUNNING = "rowguard.standalone.site";

  private static final String SITE = "--site";

  /** The first letters of HBase's settings that say where a cluster is. */
  private static final List<String> PLACES =
      List.of(
          "hbase.zookeeper.",
          "zookeeper.znode.parent",
          "hbase.client.registry.",
          "hbase.client.bootstrap.",
          "hbase.masters");

  private StandaloneSite() {}

  /**
   * Gives {@code --site} the standalone HBase's file, and says so on standard error, when the
   * command takes that option and neither it, nor a setting, nor an hbase-site.xml on the class
   * path names a cluster.
   *
   * @param parsed what is about to be executed
   * @param running the hbase-site.xml of a standalone HBase that runs; null if none does
   */
  public static void takeWhereNoneIsNamed(ParseResult parsed, String running, Terminal terminal) {
    ParseResult step = parsed;
    while (step.hasSubcommand()) {
      step = step.subcommand();
    }
    OptionSpec site = step.commandSpec().findOption(SITE);
    if (running == null || site == null || isNamed(step)) {
      return;
    }
    if (StandaloneSite.class.getClassLoader().getResource("hbase-site.xml") != null) {
      return;
    }
    site.setValue(Path.of(running));
    terminal.note(
        "Taking the standalone HBase that runs on this machine, since no cluster is named (--site"
            + " FILE). site="
            + running);
  }

  /** Whether an option names the cluster. */
  static boolean isNamed(ParseResult step) {
    Map<String, String> settings = step.matchedOptionValue("-D", Map.of());
    return step.hasMatchedOption(SITE)
        || settings.keySet().stream().anyMatch(key -> PLACES.stream().anyMatch(key::startsWith));
  }
}
