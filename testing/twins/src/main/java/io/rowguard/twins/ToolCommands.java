package io.rowguard.twins;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * Runs one of HBase's programs, a {@link Tool}, once for each line of standard input, with the
 * words of the line as its arguments. Prints each line behind the exit code of its run, and nothing
 * else on standard output: what the program prints goes to standard error. Exit code 1: one of the
 * runs had another than 0.
 *
 * <p>Argument: the class, which has a constructor that takes the configuration, or none of
 * anything.
 */
public final class ToolCommands {
  private ToolCommands() {}

  /** The program. */
  public static void main(String[] arguments) throws Exception {
    PrintStream out = System.out;
    System.setOut(System.err);
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    int worst = 0;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (!line.isBlank()) {
        Configuration conf = HBaseConfiguration.create();
        int code = ToolRunner.run(conf, tool(arguments[0], conf), line.trim().split(" +"));
        worst = code == 0 ? worst : 1;
        out.println(code + " " + line.trim());
      }
    }
    // They leave threads behind.
    System.exit(worst);
  }

  private static Tool tool(String name, Configuration conf) throws IOException {
    try {
      Class<? extends Tool> type = Class.forName(name).asSubclass(Tool.class);
      try {
        return type.getConstructor(Configuration.class).newInstance(conf);
      } catch (NoSuchMethodException e) {
        return type.getConstructor().newInstance();
      }
    } catch (ReflectiveOperationException e) {
      throw new IOException("There is no such program: " + name, e);
    }
  }
}
