package io.rowguard.checker;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Rows stored in a table in the end, region by region: holds every row to the layout, each key to
 * one row, and each group to one region. For one thread.
 *
 * <p>Rows and boundaries are ASCII, so that the order of strings is that of bytes.
 */
public final class StoredTable {
  private final NaiveLayout layout;
  private final Map<String, String> rowOfKey = new HashMap<>();
  private final Map<String, String> regionOfGroup = new HashMap<>();
  private final List<String> violations = new ArrayList<>();
  private String end = "";
  private int regions;

  public StoredTable(NaiveLayout layout) {
    this.layout = layout;
  }

  /**
   * Adds the next region, in the order of the table.
   *
   * @param start inclusive, empty for the first
   * @param end exclusive, empty for the last
   * @param rows as a scan of the region gives them
   */
  public void addRegion(String start, String end, List<String> rows) {
    String name = "region " + start + ".." + end;
    if (regions > 0 && this.end.isEmpty()) {
      violations.add(name + " comes after the last one");
    } else if (!start.equals(this.end)) {
      violations.add(name + " does not begin where the one before ends: " + this.end);
    }
    regions++;
    this.end = end;
    String last = null;
    for (String row : rows) {
      if (last != null && last.compareTo(row) >= 0) {
        violations.add(name + " has " + row + " after " + last);
      }
      last = row;
      if (row.compareTo(start) < 0 || (!end.isEmpty() && row.compareTo(end) >= 0)) {
        violations.add(name + " has " + row);
      }
      add(name, row);
    }
  }

  private void add(String region, String row) {
    String complaint = layout.complaint(row);
    if (complaint != null) {
      violations.add("stored row " + row + ": " + complaint);
      return;
    }
    String key = layout.key(row);
    String other = rowOfKey.put(key, row);
    if (other != null) {
      violations.add("key " + key + " is stored twice: " + other + " and " + row);
    }
    String group = NaiveLayout.group(key);
    String home = regionOfGroup.putIfAbsent(group, region);
    if (home != null && !home.equals(region)) {
      violations.add("group " + group + " is in " + home + " and in " + region);
    }
  }

  /** How many keys are stored. */
  public int keys() {
    return rowOfKey.size();
  }

  /** All that is wrong; empty where nothing is. */
  public List<String> violations() {
    List<String> all = new ArrayList<>(violations);
    if (!end.isEmpty()) {
      all.add("no region follows " + end);
    }
    return all;
  }
}
