/**
 * The soak of writers while servers are short of memory and while one of them stands still or dies:
 * servers are processes of their own, on HDFS.
 *
 * <ul>
 *   <li>{@link io.rowguard.benchmarks.pressure.SaltPressure}: the soak, and its verdict
 *   <li>{@link io.rowguard.benchmarks.pressure.ServerProcesses}: the servers
 *   <li>{@link io.rowguard.benchmarks.pressure.Writers}: the writers, and what was acknowledged
 * </ul>
 */
package io.rowguard.benchmarks.pressure;
