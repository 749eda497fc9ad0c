/**
 * The requests about a table whose layout changes, between servers and by tools: a {@link
 * io.rowguard.relayout.RelayoutRequest} to a region, and its {@link
 * io.rowguard.relayout.RelayoutResponse}.
 *
 * <p>A request travels as an attribute of a Get, of any row in the region that is asked. The region
 * observer answers it in place of the Get. It needs no endpoint, whose protobuf differs between
 * HBase 2 and 3. The response is the value of a cell in a family that no table can have, and begins
 * with a mark: the answer to the Get by a server without this code cannot be taken for a response.
 *
 * <p>{@link io.rowguard.relayout.RegionPoll} sends all regions of a table one request. {@link
 * io.rowguard.relayout.MovingRowSearch} finds out beforehand, with scans, whether a change would
 * move a row at all. {@link io.rowguard.relayout.RegionProgress} is what a region says of its rows
 * on the move. {@link io.rowguard.relayout.KeyScan} reads keys without their cells.
 */
package io.rowguard.relayout;
