package io.rowguard.observer.load;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.apache.hadoop.hbase.TableName;

/** The load of a table's regions as JMX shows it. */
final class LoadBeans {
  private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

  private final TableName table;

  LoadBeans(TableName table) {
    this.table = table;
  }

  /** One per open region. */
  Set<ObjectName> names() throws JMException {
    String pattern = "Rowguard:type=Load,table=" + ObjectName.quote(table.toString()) + ",*";
    return SERVER.queryNames(new ObjectName(pattern), null);
  }

  /** The value of an attribute of the only region. */
  Object only(String attribute) throws JMException {
    Set<ObjectName> names = names();
    if (names.size() != 1) {
      throw new AssertionError("one region is expected, there are " + names);
    }
    return SERVER.getAttribute(names.iterator().next(), attribute);
  }

  /** The values of an attribute of all regions; of those that close meanwhile there is none. */
  List<Object> all(String attribute) throws JMException {
    List<Object> values = new ArrayList<>();
    for (ObjectName name : names()) {
      try {
        values.add(SERVER.getAttribute(name, attribute));
      } catch (InstanceNotFoundException e) {
        // It is split.
      }
    }
    return values;
  }

  /** The sum of a rate over all regions. */
  double rate(String attribute) throws JMException {
    double sum = 0;
    for (ObjectName name : names()) {
      sum += (Double) SERVER.getAttribute(name, attribute);
    }
    return sum;
  }

  /** One property of all hot rows, or groups, region by region, the hottest first. */
  <T> List<T> hot(String attribute, String item, Class<T> type) throws JMException {
    List<T> values = new ArrayList<>();
    for (ObjectName name : names()) {
      CompositeData[] keys = (CompositeData[]) SERVER.getAttribute(name, attribute);
      Arrays.stream(keys).map(key -> type.cast(key.get(item))).forEach(values::add);
    }
    return values;
  }
}
