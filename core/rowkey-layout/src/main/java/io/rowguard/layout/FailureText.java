package io.rowguard.layout;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Renders a failure for people: its innermost reason in one line, such as {@code
 * NotServingRegionException: t,,1. is not online}.
 *
 * <p>Exceptions around the innermost reason count attempts. A server's answer brings its stack
 * trace along in the message, and the names of several classes before it, of which the last one
 * says what happened. There is no full stop at the end: the sentence is the caller's.
 */
public final class FailureText {
  /** A class with its package, and the one that it stands for in HBase's remote exceptions. */
  private static final Pattern CLASS =
      Pattern.compile("(?:[a-z]\\w*\\.)+([A-Z][\\w$]*)(?:\\([\\w.$]*\\))?(?:: |$)");

  private FailureText() {}

  /** The innermost reason of a failure, in one line. */
  public static String of(Throwable failure) {
    Throwable innermost = failure;
    while (innermost.getCause() != null) {
      innermost = innermost.getCause();
    }
    String text = innermost.toString();
    int end = text.indexOf('\n');
    return plain((end < 0 ? text : text.substring(0, end)).trim());
  }

  /**
   * The same, cut to a number of characters: for what goes to a client once per row.
   *
   * @param most how many characters at most
   */
  public static String abbreviated(Throwable failure, int most) {
    String text = of(failure);
    return text.substring(0, Math.min(text.length(), most));
  }

  private static String plain(String line) {
    String name = null;
    int begin = 0;
    Matcher names = CLASS.matcher(line);
    while (names.region(begin, line.length()).lookingAt()) {
      name = names.group(1);
      begin = names.end();
    }
    String words = line.substring(begin);
    if (words.endsWith(".") && !words.endsWith("..")) {
      words = words.substring(0, words.length() - 1);
    }
    return name == null ? words : words.isEmpty() ? name : name + ": " + words;
  }
}
