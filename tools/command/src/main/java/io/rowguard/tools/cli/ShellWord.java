package io.rowguard.tools.cli;

import java.util.regex.Pattern;

/** A word of a command, for a shell. */
public final class ShellWord {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=,+@%-]+");

  private ShellWord() {}

  /** The text in quotes, where a shell would see more in it than text. */
  public static String of(String text) {
    return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
