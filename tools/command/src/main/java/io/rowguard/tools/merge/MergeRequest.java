package io.rowguard.tools.merge;

/**
 * The wish for merges of regions.
 *
 * @param table the table's name
 * @param layout of its rows; null for the one that it declares
 * @param group the segment that ends the entity group, with a layout; null for none
 * @param smallerThan how many bytes a merged region may have at most; 0: only what is empty
 * @param atOnce how many merges may go on at a time
 */
record MergeRequest(String table, String layout, String group, long smallerThan, int atOnce) {}
