/** The cost and the gain of salting: writes, their spread over regions, and scans. */
package io.rowguard.benchmarks.salt;
