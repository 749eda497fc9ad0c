/**
 * How evenly regions are cut on real keys: by Rowguard, by HBase's own policies, and at best.
 *
 * <p>A table is loaded and split until no region is over a limit; then its real regions are read.
 */
package io.rowguard.benchmarks.quality;
