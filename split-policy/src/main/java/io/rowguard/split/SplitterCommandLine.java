package io.rowguard.split;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.util.RegionSplitter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is set behind {@code -D} on the command line of HBase's {@code RegionSplitter}, when that is
 * what this process runs; nothing in any other process, be it a server or the shell.
 *
 * <p>RegionSplitter puts these settings into a configuration that it does not hand to the algorithm
 * ({@code RegionSplitter#newSplitAlgoInstance}), and the JVM keeps arguments only joined by blanks
 * ({@code sun.java.command}), so they are read where Linux shows them one by one. Where there is no
 * such file, there are no settings.
 */
final class SplitterCommandLine {
  private static final Logger LOG = LoggerFactory.getLogger(SplitterCommandLine.class);
  private static final Path ARGUMENTS = Paths.get("/proc/self/cmdline");
  private static final String MAIN_CLASS = RegionSplitter.class.getName();
  private static final String DEFINE = "-D";

  private SplitterCommandLine() {}

  /** The settings on this process's own command line. */
  static Map<String, String> settings() {
    if (!Files.isReadable(ARGUMENTS)) {
      return Collections.emptyMap();
    }
    try {
      return settings(Files.readAllBytes(ARGUMENTS), charset());
    } catch (IOException e) {
      LOG.debug("The command line cannot be read; settings behind -D do not count", e);
      return Collections.emptyMap();
    }
  }

  /** The charset in which the JVM itself reads arguments. */
  private static Charset charset() {
    String name = System.getProperty("sun.jnu.encoding");
    return name != null && Charset.isSupported(name)
        ? Charset.forName(name)
        : Charset.defaultCharset();
  }

  /**
   * The settings on a command line; of several for one key the last, as RegionSplitter has it.
   *
   * @param commandLine the program, the JVM's options, the main class and its arguments, each ended
   *     by a NUL
   */
  static Map<String, String> settings(byte[] commandLine, Charset charset) {
    List<String> all = Arrays.asList(new String(commandLine, charset).split("\0", -1));
    int main = all.indexOf(MAIN_CLASS);
    return main < 0 ? Collections.emptyMap() : defined(all.subList(main + 1, all.size()));
  }

  /**
   * Reads arguments as commons-cli's GnuParser does for RegionSplitter. Behind {@code --} that
   * knows no options any more; but nothing can be there besides a table and a class.
   */
  private static Map<String, String> defined(List<String> arguments) {
    Map<String, String> settings = new HashMap<>();
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      if (argument.equals(DEFINE) || argument.equals("-" + DEFINE)) {
        i++;
        define(settings, i < arguments.size() ? arguments.get(i) : "");
      } else if (argument.startsWith(DEFINE + "=") || argument.startsWith("-" + DEFINE + "=")) {
        define(settings, argument.substring(argument.indexOf('=') + 1));
      } else if (argument.startsWith(DEFINE)) {
        define(settings, argument.substring(DEFINE.length()));
      }
    }
    return settings;
  }

  private static void define(Map<String, String> settings, String quoted) {
    boolean isQuoted = quoted.length() > 1 && quoted.startsWith("\"") && quoted.endsWith("\"");
    String setting = isQuoted ? quoted.substring(1, quoted.length() - 1) : quoted;
    int equals = setting.indexOf('=');
    if (equals >= 0) {
      settings.put(setting.substring(0, equals), setting.substring(equals + 1));
    }
  }
}
