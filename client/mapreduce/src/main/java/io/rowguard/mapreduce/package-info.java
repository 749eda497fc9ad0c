/**
 * MapReduce jobs over salted tables, in which rows have their bare keys.
 *
 * <pre>{@code
 * TableMapReduceUtil.initTableMapperJob("orders", scanOfBareKeys, OrderMapper.class,
 *     Text.class, LongWritable.class, job, true, SaltedTableInputFormat.class);
 * }</pre>
 */
package io.rowguard.mapreduce;
