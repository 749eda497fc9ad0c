package io.rowguard.tools.merge;

/**
 * A region that might be merged.
 *
 * @param name its encoded name
 * @param start inclusive; empty for none
 * @param end exclusive; empty for none
 * @param bytes its store files, in whole mebibytes
 * @param isEmpty whether it has no row
 */
record MergeRegion(String name, byte[] start, byte[] end, long bytes, boolean isEmpty) {}
