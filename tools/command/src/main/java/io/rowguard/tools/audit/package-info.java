/**
 * {@code rowguard audit}: the rows that are stored, judged by a layout. The command, its request,
 * the findings and the reports name no class of HBase; the rest needs HBase and its MapReduce.
 */
package io.rowguard.tools.audit;
