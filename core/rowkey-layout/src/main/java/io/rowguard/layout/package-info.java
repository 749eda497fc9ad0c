/**
 * The rowkey layout: one declaration of what the rowkeys of a table look like, and everything that
 * follows from it. Pure Java, no HBase, all byte arithmetic of Rowguard in one place.
 *
 * <pre>
 * {salt:digits(2)=murmur3(user)%16}-{user:word}|{time:millis descending}
 *
 * 07-alice|\x7F\xFF\xFE\x6B...        legal, when murmur3("alice") % 16 is 7
 * 99-alice|\x7F\xFF\xFE\x6B...        illegal: a wrong salt
 * </pre>
 *
 * <p>Where to find what:
 *
 * <ul>
 *   <li>{@link io.rowguard.layout.RowkeyLayout}: parse, check, explain, complete and strip bare
 *       keys, encode and decode values
 *   <li>{@link io.rowguard.layout.EntityGroup}: which rows must stay in one region
 *   <li>{@link io.rowguard.layout.LayoutBoundaries}: where a region may be cut
 *   <li>{@link io.rowguard.layout.Verdict}: the codes of what can be wrong with a row
 *   <li>{@link io.rowguard.layout.Hash}: the hashes behind salts, pinned by golden vectors
 * </ul>
 *
 * <p>All byte ranges are compared as unsigned bytes, a prefix before what it begins, as HBase
 * orders rows. Starts are inclusive, ends exclusive.
 */
package io.rowguard.layout;
