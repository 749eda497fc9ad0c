package io.rowguard.tools;

/** Output with what changes from run to run replaced by words. */
public final class Masked {
  private Masked() {}

  /**
   * Without names of servers, versions, and the widths of columns that follow from them; and
   * without how many findings were ignored, since the counters of JMX are ten seconds late.
   */
  public static String of(String text) {
    return text.replaceAll("[A-Za-z0-9.-]+,\\d{2,5},\\d{6,}", "SERVER")
        .replaceAll("\\b\\d+\\.\\d+\\.\\d+(-[A-Za-z]\\w*)*", "VERSION")
        .replaceAll("(?<=\\S) {2,}", "  ")
        .replaceAll("(?m)^ {7,}", "        ")
        .replaceAll("; \\d+ ignored", "")
        .replaceAll("\"ignored\": \\d+", "\"ignored\": \"...\"");
  }

  /** Also without numbers, and without bars, which are as long as numbers are large. */
  public static String ofNumbers(String text) {
    return of(text)
        .replaceAll("\u2588+", "BAR")
        .replaceAll("\\d[\\d,]*(\\.\\d+)?", "N")
        .replaceAll("(N (bytes|[kMGT]B))", "SIZE");
  }
}
