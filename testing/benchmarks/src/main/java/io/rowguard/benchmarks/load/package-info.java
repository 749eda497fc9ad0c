/** The cost of counting a region's load. */
package io.rowguard.benchmarks.load;
