/** Cost of transactions of an entity group; begins with {@code GroupCommits}. */
package io.rowguard.benchmarks.group;
