package io.rowguard.config;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * HBase's own endpoint that writes several rows of a region as one, by which transactions of entity
 * groups are carried out. It is part of HBase, and no table loads it by itself.
 */
public final class GroupEndpoint {
  /** The class, which HBase's servers have and its clients lack. */
  public static final String NAME = "org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint";

  private GroupEndpoint() {}

  /** Whether the regions of a table load it, by the descriptor or by {@code hbase-site.xml}. */
  public static boolean isLoaded(TableDescriptor table, Configuration servers) {
    return Guards.coprocessors(table, servers).contains(NAME);
  }

  /** The command of HBase's shell that has a table load it. */
  public static String alter(TableName table) {
    return "alter '"
        + table.getNameAsString()
        + "', METHOD => 'table_att', 'coprocessor' => '|"
        + NAME
        + "|1001|'";
  }
}
