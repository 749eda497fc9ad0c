/** What checking rows and finding legal boundaries of a layout costs, with JMH. */
package io.rowguard.benchmarks.layout;
