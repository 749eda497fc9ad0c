package io.rowguard.tools.cluster;

import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cli.ShellWord;
import java.util.function.IntSupplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that name a command's cluster, and the longest wait for an answer. */
public final class ClusterOptions {
  private static final int LONGEST_TIMEOUT = 3600;
  private static final String TIMEOUT = "10";

  @Mixin private SiteOptions site;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = TIMEOUT,
      description = "The longest wait for one answer of one server; default: ${DEFAULT-VALUE}.")
  private int timeoutSeconds;

  public ClusterOptions() {}

  /** The cluster. */
  SiteOptions site() {
    return site;
  }

  /** Those of them that were given, for a command on the same cluster; each with a blank before. */
  public String text() {
    StringBuilder text = new StringBuilder();
    if (site.site() != null) {
      text.append(" --site ").append(ShellWord.of(site.site().toString()));
    }
    site.settings()
        .forEach((key, value) -> text.append(" -D ").append(ShellWord.of(key + "=" + value)));
    if (timeoutSeconds != Integer.parseInt(TIMEOUT)) {
      text.append(" --timeout ").append(timeoutSeconds);
    }
    return text.toString();
  }

  /**
   * The longest wait for one answer.
   *
   * @throws CommandFailure when it is none
   */
  int timeoutSeconds() {
    if (timeoutSeconds < 1 || timeoutSeconds > LONGEST_TIMEOUT) {
      throw new CommandFailure(
          "--timeout is 1 to " + LONGEST_TIMEOUT + " seconds. found=" + timeoutSeconds);
    }
    return timeoutSeconds;
  }

  /**
   * Does what needs HBase's client on the class path.
   *
   * @throws CommandFailure when it is not there
   */
  public static int withHBase(IntSupplier work) {
    try {
      return work.getAsInt();
    } catch (NoClassDefFoundError e) {
      throw new CommandFailure(
          "HBase's client is not on the class path. Set HBASE_HOME, or put the hbase command on the"
              + " PATH. missing="
              + e.getMessage(),
          e);
    }
  }
}
