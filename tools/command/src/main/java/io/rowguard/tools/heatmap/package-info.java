/**
 * {@code rowguard heatmap}: which regions of a live table are read and written, over time. It asks
 * the region servers for their counters and changes nothing.
 *
 * <p>{@code Sampler} knows HBase; everything else is a function of what it brings.
 */
package io.rowguard.tools.heatmap;
