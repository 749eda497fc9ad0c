/**
 * {@code rowguard digest}: whether two tables have the same cells under the same bare keys, and
 * where they differ. {@link io.rowguard.tools.digest.DigestFile} is one table's digest as it is
 * kept; only {@link io.rowguard.tools.digest.DigestRun} needs HBase.
 */
package io.rowguard.tools.digest;
