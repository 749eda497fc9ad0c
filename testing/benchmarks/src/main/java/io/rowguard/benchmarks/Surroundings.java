package io.rowguard.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.util.VersionInfo;

/** The conditions of a measurement: the day, the commit, the machine, the JDK, HBase. */
final class Surroundings {
  private static final Path CPUS = Path.of("/proc/cpuinfo");

  private Surroundings() {}

  /** Prints them as one Markdown paragraph. */
  static void print(PrintStream out) {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    Runtime runtime = Runtime.getRuntime();
    out.printf(
        "Measured on %s, %s: %d cores (%s), %.0f GiB of memory, %s %s; JDK %s, heap %,d MiB;"
            + " HBase %s.%n%n",
        LocalDate.now(ZoneOffset.UTC),
        System.getProperty("rowguard.benchmark.commit", "of no commit"),
        runtime.availableProcessors(),
        processor(),
        system.getTotalMemorySize() / (double) (1 << 30),
        System.getProperty("os.name"),
        System.getProperty("os.arch"),
        System.getProperty("java.runtime.version"),
        runtime.maxMemory() >> 20,
        VersionInfo.getVersion());
  }

  private static String processor() {
    if (!Files.isReadable(CPUS)) {
      return "of unknown kind";
    }
    try (Stream<String> lines = Files.lines(CPUS)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("of unknown kind");
    } catch (IOException e) {
      return "of unknown kind";
    }
  }
}
