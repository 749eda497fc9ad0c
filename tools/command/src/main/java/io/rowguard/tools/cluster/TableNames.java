package io.rowguard.tools.cluster;

import io.rowguard.tools.cli.CommandFailure;
import org.apache.hadoop.hbase.TableName;

/** Names of tables as they are typed. */
public final class TableNames {
  private TableNames() {}

  /**
   * Reads one, with its namespace if any.
   *
   * @throws CommandFailure when it is none
   */
  public static TableName parse(String text) {
    try {
      return TableName.valueOf(text);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(
          "This is no name of a table. table=\""
              + text
              + "\" why=\""
              + e.getMessage()
              + "\". `list` in the HBase shell shows those there are.",
          e);
    }
  }
}
