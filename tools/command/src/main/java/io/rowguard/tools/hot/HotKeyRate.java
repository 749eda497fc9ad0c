package io.rowguard.tools.hot;

/**
 * A hot row or entity group: how often it is read and written at least, and how much more at most.
 *
 * @param key as the server shows it: the first 64 bytes in the shell's writing, or a hidden one
 * @param length how many bytes the whole key has
 * @param share of its region's load, 0 to 1, at least
 */
public record HotKeyRate(
    String key,
    int length,
    double share,
    double readsPerSecond,
    double writesPerSecond,
    double errorPerSecond) {

  double perSecond(HotReport.By by) {
    return by.of(readsPerSecond, writesPerSecond);
  }
}
