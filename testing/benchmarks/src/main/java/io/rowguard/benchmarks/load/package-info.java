/** What it costs to count a region's load. */
package io.rowguard.benchmarks.load;
