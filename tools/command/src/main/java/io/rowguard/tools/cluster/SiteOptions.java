package io.rowguard.tools.cluster;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** The options that name a command's cluster. */
public final class SiteOptions {
  @Option(
      names = "--site",
      paramLabel = "FILE",
      description =
          "The hbase-site.xml of the cluster; default: that of the class path, else that of a"
              + " running deploy/standalone.sh.")
  private Path site;

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = "A single setting of HBase's client.")
  private Map<String, String> settings = new LinkedHashMap<>();

  public SiteOptions() {}

  /** Whether there are any. */
  public boolean isGiven() {
    return site != null || !settings.isEmpty();
  }

  /** An hbase-site.xml to read after the one on the class path; null for none. */
  public Path site() {
    return site;
  }

  /** Single settings, which come last. */
  public Map<String, String> settings() {
    return settings;
  }
}
