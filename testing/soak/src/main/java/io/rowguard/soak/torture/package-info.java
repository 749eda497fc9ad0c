/**
 * Lets HBase's own torture tests loose on guarded tables: {@link
 * io.rowguard.soak.torture.TortureTable} makes a table for the keys of such a tool, says how the
 * tool is called, and looks afterwards whether all that it has written is stored. {@code
 * testing/soak/torture.sh} runs it.
 */
package io.rowguard.soak.torture;
