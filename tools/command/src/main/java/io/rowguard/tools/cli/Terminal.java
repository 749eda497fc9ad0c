package io.rowguard.tools.cli;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The input and output of a command, and the form of what can be shown there. Not thread-safe.
 *
 * <p>Java cannot tell which of its streams are terminals, a shell script can: the launcher says so
 * in the system property {@value #ABILITIES}, a list of {@code color}, {@code unicode}, {@code
 * live} (a line on standard error may be painted over) and {@code columns=N}. Without it the output
 * is plain, as for a file.
 */
public final class Terminal {
  /** The system property that the launcher sets. */
  public static final String ABILITIES = "rowguard.terminal";

  private static final int DEFAULT_COLUMNS = 100;
  private static final int FEWEST_COLUMNS = 60;
  private static final Pattern COLUMNS = Pattern.compile("columns=(\\d{1,4})");

  /** How a piece of text stands out. */
  public enum Style {
    STRONG("1"),
    GOOD("32"),
    BAD("31"),
    WARNING("33"),
    FAINT("2");

    private final String code;

    Style(String code) {
      this.code = code;
    }
  }

  private final InputStream in;
  private final PrintWriter out;
  private final PrintWriter err;
  private final Set<String> abilities;

  /**
   * @param abilities as {@value #ABILITIES} lists them
   */
  public Terminal(InputStream in, PrintWriter out, PrintWriter err, String abilities) {
    this.in = in;
    this.out = out;
    this.err = err;
    this.abilities = Set.of(abilities.split(",", -1));
  }

  /** The terminal of this process. */
  public static Terminal ofProcess() {
    String abilities = System.getProperty(ABILITIES, "plain");
    Charset charset =
        abilities.contains("unicode") ? StandardCharsets.UTF_8 : Charset.defaultCharset();
    return new Terminal(
        new FileInputStream(FileDescriptor.in),
        writer(FileDescriptor.out, charset),
        writer(FileDescriptor.err, charset),
        abilities);
  }

  private static PrintWriter writer(FileDescriptor descriptor, Charset charset) {
    return new PrintWriter(
        new OutputStreamWriter(new FileOutputStream(descriptor), charset), /* autoFlush= */ false);
  }

  /** Standard input, unbuffered. */
  public InputStream in() {
    return in;
  }

  /** Standard output: the answer and nothing else. */
  public PrintWriter out() {
    return out;
  }

  /** Standard error: notes, progress, failures. */
  public PrintWriter err() {
    return err;
  }

  /** Whether colours may be used. */
  public boolean isColored() {
    return abilities.contains("color");
  }

  /** Whether a line on standard error may be painted over. */
  public boolean isLive() {
    return abilities.contains("live");
  }

  /** How many columns a line may have. */
  public int columns() {
    for (String ability : abilities) {
      Matcher columns = COLUMNS.matcher(ability);
      if (columns.matches()) {
        return Math.max(FEWEST_COLUMNS, Integer.parseInt(columns.group(1)));
      }
    }
    return DEFAULT_COLUMNS;
  }

  /** A text that stands out where colours may be used. */
  public String styled(Style style, String text) {
    return isColored() ? "\u001b[" + style.code + "m" + text + "\u001b[0m" : text;
  }

  /** Writes a line to standard output. */
  public void line(String text) {
    out.println(text.stripTrailing());
  }

  /**
   * Writes prose, broken at blanks so that no line is too long; a word that is too long gets a line
   * of its own.
   *
   * @param lead what stands before the first line; as many blanks stand before the others
   */
  public void prose(String lead, String text) {
    prose(lead, lead.length(), text);
  }

  /** As {@link #prose(String, String)}, with a lead that takes fewer columns than it has chars. */
  public void prose(String lead, int leadColumns, String text) {
    StringBuilder line = new StringBuilder();
    String before = lead;
    for (String word : text.split(" ", -1)) {
      if (line.length() > 0 && leadColumns + line.length() + 1 + word.length() > columns()) {
        line(before + line);
        before = " ".repeat(leadColumns);
        line.setLength(0);
      }
      line.append(line.length() == 0 ? "" : " ").append(word);
    }
    line(before + line);
  }

  /** Writes a heading and a blank line before it. */
  public void heading(String text) {
    out.println();
    out.println(styled(Style.STRONG, text));
  }

  /** Tells something beside the answer, on standard error. */
  public void note(String text) {
    err.println("rowguard: " + text);
    err.flush();
  }

  /** A bar of at most so many columns, one at least when there is anything to show. */
  public String bar(double value, double largest, int columns) {
    if (value <= 0 || largest <= 0) {
      return "";
    }
    int length = (int) Math.round(value * columns / largest);
    return (isUnicode() ? "\u2588" : "#").repeat(Math.max(1, length));
  }

  /** One character for a share between 0 and 1: the fuller, the more. */
  public char level(double share) {
    String levels = isUnicode() ? " \u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588" : " .:-=+*#@";
    if (share <= 0) {
      return levels.charAt(0);
    }
    int level = (int) Math.ceil(share * (levels.length() - 1));
    return levels.charAt(Math.min(levels.length() - 1, Math.max(1, level)));
  }

  private boolean isUnicode() {
    return abilities.contains("unicode");
  }

  /** A whole number with its thousands apart. */
  public static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** A share of 1 as a percentage with one decimal. */
  public static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  /** A number of bytes in the largest decimal unit that leaves at least 1. */
  public static String bytes(long bytes) {
    String[] units = {"bytes", "kB", "MB", "GB", "TB", "PB"};
    int unit = 0;
    double number = (double) bytes;
    while (number >= 1000 && unit < units.length - 1) {
      number /= 1000;
      unit++;
    }
    return String.format(Locale.ROOT, unit == 0 ? "%.0f %s" : "%.1f %s", number, units[unit]);
  }
}
