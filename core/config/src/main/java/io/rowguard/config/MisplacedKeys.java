package io.rowguard.config;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.CoprocessorDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/** Keys of ours, well spelt or not, that nothing would read; for {@link TableConfigReader}. */
final class MisplacedKeys {
  private final TableDescriptor table;
  private final List<String> problems;

  /** The check of a table; adds its mistakes to {@code problems}. */
  MisplacedKeys(TableDescriptor table, List<String> problems) {
    this.table = table;
    this.problems = problems;
  }

  /**
   * Finds them; answers whether the table itself has any key of ours but a version.
   *
   * @param messages what is wrong in {@code conf} is added to these
   */
  boolean find(Configuration conf, List<String> messages) {
    boolean declared = false;
    Set<String> unknown = new TreeSet<>();
    for (Bytes name : table.getValues().keySet()) {
      String key = Bytes.toString(name.get(), name.getOffset(), name.getLength());
      if (RowguardKey.isOurs(key)) {
        // The master leaves the version when the rest is taken off the table.
        declared |= !key.equals(RowguardKey.LAYOUT_VERSION.key());
        if (!RowguardKey.isKnown(key)) {
          unknown.add(key);
        }
      }
    }
    Set<String> unknownInSite = new TreeSet<>();
    for (Map.Entry<String, String> entry : conf) {
      String key = entry.getKey();
      if (RowguardKey.isOurs(key) && !RowguardKey.isKnown(key) && !unknown.contains(key)) {
        unknownInSite.add(key);
      }
    }
    addUnknown(unknown, problems);
    addUnknown(unknownInSite, messages);
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      declared |= findFamilyKeys(family);
    }
    for (CoprocessorDescriptor coprocessor : table.getCoprocessorDescriptors()) {
      declared |= findArguments(coprocessor);
      declared |= findJar(coprocessor);
    }
    return declared;
  }

  private static void addUnknown(Set<String> unknown, List<String> messages) {
    for (String key : unknown) {
      messages.add(
          "There is no key "
              + ConfiguredValues.shown(key)
              + "; the keys are "
              + RowguardKey.list()
              + ".");
    }
  }

  private boolean findFamilyKeys(ColumnFamilyDescriptor family) {
    Set<String> keys = new TreeSet<>(family.getConfiguration().keySet());
    for (Bytes name : family.getValues().keySet()) {
      keys.add(Bytes.toString(name.get(), name.getOffset(), name.getLength()));
    }
    keys.removeIf(key -> !RowguardKey.isOurs(key));
    for (String key : keys) {
      problems.add(
          ConfiguredValues.shown(key)
              + " is set on the column family "
              + family.getNameAsString()
              + ", where nothing reads it; set it on the table.");
    }
    return !keys.isEmpty();
  }

  /** HBase hands a coprocessor's arguments to that coprocessor only. */
  private boolean findArguments(CoprocessorDescriptor coprocessor) {
    Set<String> keys = new TreeSet<>(coprocessor.getProperties().keySet());
    keys.removeIf(key -> !RowguardKey.isOurs(key));
    for (String key : keys) {
      problems.add(
          ConfiguredValues.shown(key)
              + " is an argument of the coprocessor "
              + ConfiguredValues.shown(coprocessor.getClassName())
              + ", where the split policy cannot read it; set it on the table.");
    }
    return !keys.isEmpty();
  }

  /**
   * The observer works from the servers' class path only. From a jar of its own HBase would load
   * the part of it that is in HBase's packages from the class path all the same ({@code
   * CoprocessorClassLoader}): it is missing there, or of another version.
   */
  private boolean findJar(CoprocessorDescriptor coprocessor) {
    String jar = coprocessor.getJarPath().orElse("");
    if (jar.isEmpty() || !Guards.OBSERVER.equals(coprocessor.getClassName())) {
      return false;
    }
    problems.add(
        "The coprocessor "
            + Guards.OBSERVER
            + " is named with the jar "
            + ConfiguredValues.shown(jar)
            + ", but works from the servers' class path only; put the jar on the class path of all"
            + " masters and region servers, and alter the table so that the coprocessor's"
            + " specification begins with \"|\": \"|"
            + Guards.OBSERVER
            + "|"
            + coprocessor.getPriority()
            + "|\".");
    return true;
  }
}
