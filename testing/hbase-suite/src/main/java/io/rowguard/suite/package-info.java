/**
 * HBase's own client tests, unchanged, run on plain tables or on salted ones: {@link
 * io.rowguard.suite.SuiteRun} is the program, {@link io.rowguard.suite.KnownDifferences} the list
 * of what differs, and why.
 */
package io.rowguard.suite;
