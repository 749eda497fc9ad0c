package io.rowguard.tools.merge;

/** A region that might be merged. Immutable but for the arrays that it shares. */
final class MergeRegion {
  private final String name;
  private final byte[] start;
  private final byte[] end;
  private final long bytes;
  private final boolean isEmpty;

  /**
   * A region.
   *
   * @param name its encoded name
   * @param start inclusive; empty for none
   * @param end exclusive; empty for none
   * @param bytes its store files, in whole mebibytes
   * @param isEmpty whether it has no row
   */
  MergeRegion(String name, byte[] start, byte[] end, long bytes, boolean isEmpty) {
    this.name = name;
    this.start = start;
    this.end = end;
    this.bytes = bytes;
    this.isEmpty = isEmpty;
  }

  String name() {
    return name;
  }

  byte[] start() {
    return start;
  }

  byte[] end() {
    return end;
  }

  long bytes() {
    return bytes;
  }

  boolean isEmpty() {
    return isEmpty;
  }
}
