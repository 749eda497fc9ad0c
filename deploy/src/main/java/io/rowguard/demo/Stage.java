package io.rowguard.demo;

import java.util.List;
import org.apache.hadoop.hbase.client.Connection;

/**
 * The things that the acts share.
 *
 * @param connection to the cluster, as any client has one
 * @param screen where results and progress go
 * @param claims what was shown so far
 * @param keys the real keys, in byte order
 */
record Stage(Connection connection, Screen screen, Claims claims, List<byte[]> keys) {}
