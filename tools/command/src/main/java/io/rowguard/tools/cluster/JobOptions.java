package io.rowguard.tools.cluster;

import io.rowguard.tools.cli.CommandFailure;
import picocli.CommandLine.Option;

/** The options of a MapReduce job that reads a table. */
public final class JobOptions {
  /** A scan over buckets holds some 16 MB, and HBase's scanners some of it once more. */
  private static final long BYTES_PER_THREAD = 48 << 20;

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
              + " processors, as far as the memory suffices.")
  private int threads =
      (int)
          Math.max(
              1,
              Math.min(
                  Runtime.getRuntime().availableProcessors(),
                  Runtime.getRuntime().maxMemory() / BYTES_PER_THREAD));

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
