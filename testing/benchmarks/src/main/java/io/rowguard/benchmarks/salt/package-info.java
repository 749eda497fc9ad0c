/** What salting costs and what it brings: writes, their spread over regions, and scans. */
package io.rowguard.benchmarks.salt;
