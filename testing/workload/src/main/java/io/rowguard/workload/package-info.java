/** Real keys, and what drives a table with them: for tests, benchmarks and the demo. */
package io.rowguard.workload;
