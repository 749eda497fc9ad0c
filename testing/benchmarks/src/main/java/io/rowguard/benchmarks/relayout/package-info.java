/**
 * The cost of a change of the layout for the clients of a live table, and how long it blocks a key.
 */
package io.rowguard.benchmarks.relayout;
