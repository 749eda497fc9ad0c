/**
 * An operator's view of a table on a server: {@link io.rowguard.observer.metrics.WriteMetrics} and
 * {@link io.rowguard.observer.metrics.RelayoutMetrics} count, and {@link
 * io.rowguard.observer.metrics.SampleLog} logs one message of many.
 */
package io.rowguard.observer.metrics;
