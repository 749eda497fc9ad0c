/** The cost of checking rows and of finding legal boundaries of a layout, with JMH. */
package io.rowguard.benchmarks.layout;
