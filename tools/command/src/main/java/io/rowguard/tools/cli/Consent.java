package io.rowguard.tools.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Asks the person at the terminal before something is changed. */
public final class Consent {
  private static final int LONGEST_ANSWER = 100;

  private Consent() {}

  /**
   * Returns when the user has agreed.
   *
   * @param what will be done, a sentence
   * @param isGiven whether the command line says so already ({@code --yes})
   * @throws CommandFailure when there is no answer, or the answer is no
   */
  public static void require(Terminal terminal, String what, boolean isGiven) {
    if (isGiven) {
      return;
    }
    terminal.out().flush();
    terminal.err().print("rowguard: " + what + " Go on? [y/N] ");
    terminal.err().flush();
    String answer = line(terminal.in());
    if (answer == null) {
      terminal.err().println();
      throw new CommandFailure("There was no answer, so nothing was done. --yes goes on unasked.");
    }
    String agreed = answer.trim().toLowerCase(Locale.ROOT);
    if (!agreed.equals("y") && !agreed.equals("yes")) {
      throw new CommandFailure("Nothing was done.");
    }
  }

  /** A line, as far as it matters; null at the end of the input. */
  private static String line(InputStream in) {
    StringBuilder line = new StringBuilder();
    try {
      int next = in.read();
      if (next < 0) {
        return null;
      }
      while (next >= 0 && next != '\n') {
        if (line.length() < LONGEST_ANSWER) {
          line.append(new String(new byte[] {(byte) next}, StandardCharsets.ISO_8859_1));
        }
        next = in.read();
      }
      return line.toString();
    } catch (IOException e) {
      throw new CommandFailure("The answer cannot be read: " + e.getMessage() + ".", e);
    }
  }
}
