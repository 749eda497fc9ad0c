package io.rowguard.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Coprocessor;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.CoprocessorDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The plugins that work in a table's regions, two at most: from its descriptor, else from {@code
 * hbase-site.xml}, which is taken to be the same on masters and region servers. Known by name only,
 * since the plugins do not know each other. Immutable.
 */
public final class Guards {
  /** The class of the region observer. */
  public static final String OBSERVER = "io.rowguard.observer.LayoutRegionObserver";

  /** The class of the split policy. */
  public static final String POLICY = "io.rowguard.split.LayoutRegionSplitPolicy";

  /**
   * The keys of {@code hbase-site.xml} that load coprocessors for tables: {@code
   * CoprocessorHost.REGION_COPROCESSOR_CONF_KEY} and {@code USER_REGION_COPROCESSOR_CONF_KEY},
   * which HBase keeps where clients do not have them.
   */
  public static final List<String> COPROCESSOR_KEYS =
      Collections.unmodifiableList(
          Arrays.asList(
              "hbase.coprocessor.region.classes", "hbase.coprocessor.user.region.classes"));

  private final int observers;
  private final boolean policy;

  private Guards(int observers, boolean policy) {
    this.observers = observers;
    this.policy = policy;
  }

  /** The guards of a table on servers with such a configuration. */
  public static Guards of(TableDescriptor table, Configuration conf) {
    String own = table.getRegionSplitPolicyClassName();
    String policy = own != null ? own : conf.get(HConstants.HBASE_REGION_SPLIT_POLICY_KEY);
    return new Guards(
        Collections.frequency(coprocessors(table, conf), OBSERVER), POLICY.equals(policy));
  }

  /** The classes that are loaded in a table's regions, as often as they are. */
  static List<String> coprocessors(TableDescriptor table, Configuration conf) {
    List<String> classes = new ArrayList<>();
    for (CoprocessorDescriptor coprocessor : table.getCoprocessorDescriptors()) {
      classes.add(coprocessor.getClassName());
    }
    for (String key : COPROCESSOR_KEYS) {
      for (String each : conf.getTrimmedStrings(key)) {
        // A priority may follow the name.
        classes.add(each.split("\\|", -1)[0].trim());
      }
    }
    return classes;
  }

  /**
   * Whether the hooks of the observer come before those of any coprocessor that is neither HBase's
   * nor Rowguard's: it is in the table's descriptor, before what servers load for all tables
   * ({@code Coprocessor.PRIORITY_SYSTEM}), and no other one is.
   */
  static boolean isObservedFirst(TableDescriptor table) {
    boolean isFirst = false;
    for (CoprocessorDescriptor coprocessor : table.getCoprocessorDescriptors()) {
      String name = coprocessor.getClassName();
      if (name.equals(OBSERVER)) {
        isFirst = coprocessor.getPriority() < Coprocessor.PRIORITY_SYSTEM;
      } else if (!name.startsWith("org.apache.hadoop.hbase.") && !name.startsWith("io.rowguard.")) {
        return false;
      }
    }
    return isFirst;
  }

  /**
   * The column families of a table that Phoenix keeps local indexes in, whose rows have another
   * form than the table's: {@code QueryConstants.LOCAL_INDEX_COLUMN_FAMILY_PREFIX}. Phoenix adds
   * them to the table, and gives it a split policy of its own in the same alter.
   */
  public static List<String> localIndexFamilies(TableDescriptor table) {
    List<String> families = new ArrayList<>();
    for (byte[] family : table.getColumnFamilyNames()) {
      String name = Bytes.toString(family);
      if (name.startsWith("L#")) {
        families.add(name);
      }
    }
    return families;
  }

  /** Whether writes are looked at. */
  public boolean hasObserver() {
    return observers > 0;
  }

  /** How many places name the observer; HBase loads it as often, by default. */
  public int observers() {
    return observers;
  }

  /** Whether regions are split where the layout has it. */
  public boolean hasPolicy() {
    return policy;
  }
}
