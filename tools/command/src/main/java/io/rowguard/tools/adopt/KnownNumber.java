package io.rowguard.tools.adopt;

/**
 * A number that a system is configured with, such as its buckets.
 *
 * @param name as in the layout's template: {@code ${buckets}}
 * @param least the smallest value, inclusive
 * @param most the largest value, inclusive
 * @param usual the system's default
 * @param where it is configured
 */
record KnownNumber(String name, int least, int most, int usual, String where) {}
