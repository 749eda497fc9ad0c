/** What a change of the layout costs the clients of a live table, and how long it blocks a key. */
package io.rowguard.benchmarks.relayout;
