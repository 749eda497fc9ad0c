/**
 * Real keys, and what splits a table of them and reads it: for tests, benchmarks and the demo. The
 * {@link io.rowguard.workload.KeySets keys} need nothing but the JDK, the rest HBase's client.
 */
package io.rowguard.workload;
