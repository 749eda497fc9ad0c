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

  /** This key with the load of another one, which is of the same region or of another. */
  HotKeyRate plus(HotKeyRate other) {
    return new HotKeyRate(
        key,
        length,
        share,
        readsPerSecond + other.readsPerSecond,
        writesPerSecond + other.writesPerSecond,
        errorPerSecond + other.errorPerSecond);
  }

  double perSecond(HotReport.By by) {
    return by.of(readsPerSecond, writesPerSecond);
  }
}
