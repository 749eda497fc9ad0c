/**
 * Reading and writing a table of salted rows with bare keys, from the client alone: the servers
 * need no plugin.
 *
 * <pre>{@code
 * try (Table orders = SaltedTable.open(connection, TableName.valueOf("orders"))) {
 *   orders.put(new Put(toBytes("alice|0001")).addColumn(F, Q, V));   // salted row 13-alice|0001
 *   orders.get(new Get(toBytes("alice|0001"))).getRow();             // alice|0001
 *   orders.get(new Get(toBytes("13-alice|0001")));                   // refused: no bare key
 *   orders.getScanner(new Scan().withStartRow(toBytes("a")));        // all buckets, in bare-key order
 * }
 * }</pre>
 *
 * <ul>
 *   <li>{@link io.rowguard.client.SaltedConnection}: HBase's {@code Connection}, for programs that
 *       open theirs by a property
 *   <li>{@link io.rowguard.client.SaltedAsyncConnection}: the same for HBase's asynchronous client
 *   <li>{@link io.rowguard.client.SaltedTable}: HBase's {@code Table}
 *   <li>{@link io.rowguard.client.SaltedTableBuilder}: the same, with options
 *   <li>{@link io.rowguard.client.RowGroup}: an entity group, written as one and read as of one
 *       moment, also of a table without a salt
 *   <li>{@link io.rowguard.client.ScanPlan}: which scans of salted rows a scan of bare keys becomes
 * </ul>
 */
package io.rowguard.client;
