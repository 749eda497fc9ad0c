package io.rowguard.tools.relayout;

import io.rowguard.tools.cli.DurationText;
import java.time.Duration;
import picocli.CommandLine.Option;

/** How long a step that waits for the cluster goes on. */
final class PatienceOption {
  @Option(
      names = "--patience",
      paramLabel = "TIME",
      defaultValue = "10m",
      converter = DurationText.class,
      description =
          "How long to wait without progress (a server is down, a region is not open, no compaction"
              + " advances): 90s, 10m, 2h; default: ${DEFAULT-VALUE}.")
  private Duration patience;

  /** For picocli. */
  PatienceOption() {}

  Duration patience() {
    return patience;
  }
}
