/**
 * The requests about a table whose layout changes, between servers and by tools: a {@link
 * io.rowguard.relayout.Question} to a region, and its {@link io.rowguard.relayout.Answer}.
 *
 * <p>A question travels as an attribute of a Get, of any row in the region that is asked, and is
 * answered by the region observer in place of the Get; so it needs no endpoint, whose protobuf
 * differs between HBase 2 and 3. Its answer is the value of a cell in a family that no table can
 * have, and begins with a mark; so a server without this code, which answers the Get, answers
 * nothing that could be taken for one.
 *
 * <p>{@link io.rowguard.relayout.MovingRows} finds out beforehand, with scans, whether a change
 * would move a row at all.
 */
package io.rowguard.relayout;
