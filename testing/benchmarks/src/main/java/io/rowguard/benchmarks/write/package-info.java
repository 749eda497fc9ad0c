/**
 * The cost of guards for a writer: the same rows, written to tables that differ in their guard
 * only.
 */
package io.rowguard.benchmarks.write;
