/** What transactions of an entity group cost; begins with {@code GroupCommits}. */
package io.rowguard.benchmarks.group;
