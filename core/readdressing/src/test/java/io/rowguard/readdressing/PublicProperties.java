package io.rowguard.readdressing;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.RawCell;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.RegionLoadStats;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * All that an object of HBase's client says of itself but its row: every public method without
 * arguments, found by reflection, so that no list has to follow HBase's.
 */
final class PublicProperties {
  /**
   * Methods that say nothing of their own, change the object, or depend on the length of the row.
   */
  private static final Set<String> NONE =
      Set.of(
          "getRow",
          "getCellBuilder",
          "toMap",
          "toJSON",
          "toString",
          "hashCode",
          "heapSize",
          "cellScanner",
          "current",
          "advance");

  private PublicProperties() {}

  /** By the name of the method, what it answers, as text. */
  static Map<String, String> of(Object object) throws Exception {
    Map<String, String> properties = new TreeMap<>();
    properties.put("class", object.getClass().getName());
    for (Method method : object.getClass().getMethods()) {
      boolean isProperty =
          method.getParameterCount() == 0
              && !Modifier.isStatic(method.getModifiers())
              && method.getDeclaringClass() != Object.class
              // Those that give the object itself back have changed it: Get.readAllVersions().
              && !method.getReturnType().isInstance(object)
              && !NONE.contains(method.getName());
      if (isProperty) {
        properties.put(method.getName(), show(answer(object, method)));
      }
    }
    return properties;
  }

  private static Object answer(Object object, Method method) throws Exception {
    try {
      return method.invoke(object);
    } catch (InvocationTargetException e) {
      throw new AssertionError(method + " fails", e.getCause());
    }
  }

  private static String show(Object value) throws Exception {
    if (value instanceof byte[] bytes) {
      return Bytes.toStringBinary(bytes);
    }
    if (value instanceof Cell cell) {
      return cell(cell);
    }
    if (value instanceof TimeRange times) {
      return times.getMin() + ".." + times.getMax();
    }
    if (value instanceof Filter filter) {
      return filter.getClass().getName() + Bytes.toStringBinary(filter.toByteArray());
    }
    if (value instanceof Row || value instanceof Result || value instanceof CheckAndMutateResult) {
      return of(value).toString();
    }
    if (value instanceof RegionLoadStats stats) {
      return "load=" + stats.getMemStoreLoad();
    }
    if (value instanceof Object[] array) {
      return show(Arrays.asList(array));
    }
    if (value instanceof Map<?, ?> map) {
      TreeMap<String, String> shown = new TreeMap<>();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        shown.put(show(entry.getKey()), show(entry.getValue()));
      }
      return shown.toString();
    }
    if (value instanceof Collection<?> collection) {
      List<String> shown = new ArrayList<>();
      for (Object each : collection) {
        shown.add(show(each));
      }
      return shown.toString();
    }
    return String.valueOf(value);
  }

  /** All of a cell but its row. */
  static String cell(Cell cell) {
    return String.join(
        " ",
        Bytes.toStringBinary(CellUtil.cloneFamily(cell)),
        Bytes.toStringBinary(CellUtil.cloneQualifier(cell)),
        "" + cell.getTimestamp(),
        "" + cell.getType(),
        Bytes.toStringBinary(CellUtil.cloneValue(cell)),
        Bytes.toStringBinary(((RawCell) cell).cloneTags()),
        "" + ((ExtendedCell) cell).getSequenceId());
  }
}
