package io.rowguard.master;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.CoprocessorDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;

/**
 * Which of the two plugins that work in regions a table has: from its descriptor, else from {@code
 * hbase-site.xml}, which is taken to be the same on masters and region servers. Known by name only,
 * since the plugins do not know each other.
 */
final class Guards {
  static final String OBSERVER = "io.rowguard.observer.LayoutRegionObserver";
  static final String POLICY = "io.rowguard.split.LayoutRegionSplitPolicy";

  private final boolean observer;
  private final boolean policy;

  private Guards(boolean observer, boolean policy) {
    this.observer = observer;
    this.policy = policy;
  }

  static Guards of(TableDescriptor table, Configuration conf) {
    List<String> classes = new ArrayList<>();
    for (CoprocessorDescriptor coprocessor : table.getCoprocessorDescriptors()) {
      classes.add(coprocessor.getClassName());
    }
    for (String key :
        Arrays.asList(
            CoprocessorHost.REGION_COPROCESSOR_CONF_KEY,
            CoprocessorHost.USER_REGION_COPROCESSOR_CONF_KEY)) {
      for (String each : conf.getTrimmedStrings(key)) {
        // A priority may follow the name.
        classes.add(each.split("\\|", -1)[0].trim());
      }
    }
    String own = table.getRegionSplitPolicyClassName();
    String policy = own != null ? own : conf.get(HConstants.HBASE_REGION_SPLIT_POLICY_KEY);
    return new Guards(classes.contains(OBSERVER), POLICY.equals(policy));
  }

  /** Whether writes are looked at. */
  boolean hasObserver() {
    return observer;
  }

  /** Whether regions are split where the layout has it. */
  boolean hasPolicy() {
    return policy;
  }
}
