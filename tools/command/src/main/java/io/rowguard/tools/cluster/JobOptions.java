package io.rowguard.tools.cluster;

import io.rowguard.tools.cli.CommandFailure;
import picocli.CommandLine.Option;

/** The options of a MapReduce job that reads a table. */
public final class JobOptions {
  @Option(
      names = "--temp-dir",
      paramLabel = "DIR",
      description =
          "Where the job has its files meanwhile. Default: this machine's, or YARN's /tmp.")
  private String temporaryDirectory;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description =
          "How many parts of the table are read at a time in this process. Default: the"
              + " processors.")
  private int threads = Runtime.getRuntime().availableProcessors();

  public JobOptions() {}

  /** The directory; null for the default. */
  public String temporaryDirectory() {
    return temporaryDirectory;
  }

  /**
   * How many parts are read at a time.
   *
   * @throws CommandFailure when it is none
   */
  public int threads() {
    if (threads < 1) {
      throw new CommandFailure("--threads is 1 or more. found=" + threads);
    }
    return threads;
  }
}
