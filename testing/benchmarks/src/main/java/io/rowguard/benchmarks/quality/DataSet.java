package io.rowguard.benchmarks.quality;

import java.util.Map;

/**
 * A table's worth of real rows, and what is declared about them.
 *
 * @param name short, for table names too
 * @param title what it is and what its groups are
 * @param rows the rows
 * @param layout for Rowguard
 * @param group for Rowguard
 * @param prefixes for HBase's own policies
 */
record DataSet(
    String name, String title, TableRows rows, String layout, String group, Prefixes prefixes) {

  /**
   * How the groups are declared to HBase.
   *
   * @param policy the simple name of its split policy
   * @param settings what the policy reads from the table's descriptor
   */
  record Prefixes(String policy, Map<String, String> settings) {

    static Prefixes ofLength(int length) {
      return new Prefixes(
          "KeyPrefixRegionSplitPolicy",
          Map.of("KeyPrefixRegionSplitPolicy.prefix_length", Integer.toString(length)));
    }

    static Prefixes upTo(String delimiter) {
      return new Prefixes(
          "DelimitedKeyPrefixRegionSplitPolicy",
          Map.of("DelimitedKeyPrefixRegionSplitPolicy.delimiter", delimiter));
    }
  }
}
