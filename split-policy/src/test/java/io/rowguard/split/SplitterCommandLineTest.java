package io.rowguard.split;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.hbase.thirdparty.org.apache.commons.cli.GnuParser;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Options;
import org.apache.hbase.thirdparty.org.apache.commons.cli.ParseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a command line, as Linux shows it, sets for RegionSplitter. */
class SplitterCommandLineTest {
  private static final String SPLITTER = "org.apache.hadoop.hbase.util.RegionSplitter";
  private static final String LAYOUT =
      "{salt:digits(2)=murmur3(user)%16}-{user:word}|{time:millis descending}";

  @Test
  void settings_twoArguments_isTheLayoutAsItWasTyped() {
    assertEquals(LAYOUT, layout("java", SPLITTER, "-D", "rowguard.layout=" + LAYOUT, "orders"));
  }

  @Test
  void settings_oneArgument_isTheLayoutAsItWasTyped() {
    assertEquals(LAYOUT, layout("java", SPLITTER, "orders", "-Drowguard.layout=" + LAYOUT));
  }

  @Test
  void settings_severalKeys_areAllThere() {
    Map<String, String> settings =
        settings("java", SPLITTER, "-D", "rowguard.layout=" + LAYOUT, "-Drowguard.group=user");
    assertEquals(Map.of("rowguard.layout", LAYOUT, "rowguard.group", "user"), settings);
  }

  @Test
  void settings_twiceTheSameKey_isTheLast() {
    assertEquals("b", layout("java", SPLITTER, "-Drowguard.layout=a", "-D", "rowguard.layout=b"));
  }

  @Test
  void settings_quotesInside_stay() {
    assertEquals("\"{a:text}\"", layout("java", SPLITTER, "-D", "rowguard.layout=\"{a:text}\""));
  }

  @Test
  void settings_quotesAround_go() {
    assertEquals("{a:text}", layout("java", SPLITTER, "-D", "\"rowguard.layout={a:text}\""));
  }

  @Test
  void settings_utf8_isDecoded() {
    assertEquals("{a:text}é名", layout("java", SPLITTER, "-D", "rowguard.layout={a:text}é名"));
  }

  @Test
  void settings_otherCharset_isDecoded() {
    byte[] commandLine =
        ("java\0" + SPLITTER + "\0-Drowguard.layout=é\0").getBytes(StandardCharsets.ISO_8859_1);
    assertEquals(
        Map.of("rowguard.layout", "é"),
        SplitterCommandLine.settings(commandLine, StandardCharsets.ISO_8859_1));
  }

  @Test
  void settings_beforeTheMainClass_areTheJvms() {
    assertEquals(Map.of(), settings("java", "-Drowguard.layout=a", "-cp", "x.jar", SPLITTER, "t"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.apache.hadoop.hbase.regionserver.HRegionServer",
        "org.apache.hadoop.hbase.master.HMaster",
        "org.jruby.JarBootstrapMain",
        "-Dproc_org.apache.hadoop.hbase.util.RegionSplitter"
      })
  void settings_otherProcess_areNone(String main) {
    assertEquals(Map.of(), settings("java", main, "-D", "rowguard.layout=a", "-Drowguard.group=b"));
  }

  @Test
  void settings_nothing_areNone() {
    assertEquals(Map.of(), SplitterCommandLine.settings(new byte[0], UTF_8));
    assertEquals(Map.of(), settings("java", SPLITTER));
    assertEquals(Map.of(), settings("java", SPLITTER, "-D"));
  }

  @Test
  void settings_ofThisProcess_areNone() {
    assertEquals(Map.of(), SplitterCommandLine.settings());
  }

  /** The oracle is the parser that RegionSplitter uses, with its options. */
  @Test
  void settings_randomArguments_areWhatRegionSplitterReads() {
    String[] words = {
      "-D",
      "-D",
      "--D",
      "-D=rowguard.layout=e",
      "--D=rowguard.layout=f",
      "-D\"rowguard.layout=g\"",
      "-Drowguard.layout=a=b",
      "-D rowguard.layout=h",
      "rowguard.layout=x y",
      "rowguard.group=",
      "\"rowguard.layout=z\"",
      "\"rowguard.layout=z",
      "rowguard.group=\"",
      "=",
      "\"",
      "",
      "-c",
      "16",
      "-f",
      "f:g",
      "-r",
      "-o",
      "--risky",
      "--firstrow",
      "--lastrow=9",
      "-"
    };
    Random random = new Random(20_261_120);
    int compared = 0;
    for (int index = 0; index < 50_000; index++) {
      List<String> arguments = new ArrayList<>();
      for (int i = random.nextInt(8); i >= 0; i--) {
        arguments.add(words[random.nextInt(words.length)]);
      }
      arguments.add(random.nextInt(arguments.size() + 1), "orders");
      arguments.add(random.nextInt(arguments.size() + 1), "Algorithm");
      Map<String, String> expected = read(arguments);
      if (expected != null) {
        List<String> all = new ArrayList<>(List.of("java", "-Xmx1g", SPLITTER));
        all.addAll(arguments);
        assertEquals(expected, settings(all.toArray(new String[0])), arguments.toString());
        compared += expected.isEmpty() ? 0 : 1;
      }
    }
    assertTrue(compared > 1_000, "compared=" + compared);
  }

  /** What RegionSplitter reads; null when it refuses the arguments and makes no algorithm. */
  @SuppressWarnings("deprecation") // GnuParser: it is RegionSplitter's.
  private static Map<String, String> read(List<String> arguments) {
    Options options = new Options();
    for (String one : List.of("D", "c", "f", "o")) {
      options.addOption(one, true, "");
    }
    options.addOption("h", false, "").addOption("r", false, "");
    options.addOption(null, "firstrow", true, "").addOption(null, "lastrow", true, "");
    options.addOption(null, "risky", false, "");
    Map<String, String> settings = new HashMap<>();
    try {
      CommandLine line = new GnuParser().parse(options, arguments.toArray(new String[0]));
      for (String setting : line.hasOption("D") ? line.getOptionValues("D") : new String[0]) {
        String[] parts = setting.split("=", 2);
        if (parts.length != 2) {
          return null;
        }
        settings.put(parts[0], parts[1]);
      }
      // Else it prints its usage, or finds that an option is no name of a table or a class.
      boolean isComplete =
          line.getArgList().size() == 2
              && line.getArgList().stream().noneMatch(SplitterCommandLineTest::isOption);
      return isComplete ? settings : null;
    } catch (ParseException e) {
      return null;
    }
  }

  private static boolean isOption(String argument) {
    return argument.startsWith("-");
  }

  private static String layout(String... arguments) {
    return settings(arguments).get("rowguard.layout");
  }

  private static Map<String, String> settings(String... arguments) {
    return SplitterCommandLine.settings(
        (String.join("\0", arguments) + "\0").getBytes(UTF_8), UTF_8);
  }
}
