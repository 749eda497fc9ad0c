/**
 * Digests of a table's cells by bare key, which do not depend on its layout: {@link
 * io.rowguard.mapreduce.digest.DigestJob} reads, {@link io.rowguard.mapreduce.digest.RangeDigests}
 * divides.
 */
package io.rowguard.mapreduce.digest;
