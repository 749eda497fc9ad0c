package io.rowguard.tools.relayout;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;

/**
 * Running work on a table that a relayout would spoil, or be spoilt by: its snapshots as the master
 * lists them, and its bulk loads by their directories. Pure functions.
 */
final class RunningWork {
  private static final Set<String> SNAPSHOT_PROCEDURES =
      Set.of("SnapshotProcedure", "RestoreSnapshotProcedure", "CloneSnapshotProcedure");
  private static final Set<String> ENDED = Set.of("SUCCESS", "FAILED", "ROLLEDBACK");

  private RunningWork() {}

  /**
   * The procedures of a table's snapshots that run, by their simple class names.
   *
   * @param procedures as {@code Admin.getProcedures} tells of them
   */
  static List<String> snapshots(String procedures, TableName table) {
    List<String> found = new ArrayList<>();
    JsonArray all;
    try {
      all = JsonParser.parseString(procedures).getAsJsonArray();
    } catch (JsonParseException | IllegalStateException e) {
      throw new IllegalArgumentException("The master lists its procedures in an unknown form.", e);
    }
    for (JsonElement each : all) {
      JsonObject procedure = each.getAsJsonObject();
      String name = text(procedure, "className");
      String simple = name.substring(name.lastIndexOf('.') + 1);
      boolean isOfSnapshots = SNAPSHOT_PROCEDURES.contains(simple) || isLock(simple, procedure);
      if (isOfSnapshots && !ENDED.contains(text(procedure, "state")) && names(procedure, table)) {
        found.add(simple);
      }
    }
    return found;
  }

  /** HBase 2.5 takes a snapshot under a lock, which says what it is for: TakeSnapshotHandler. */
  private static boolean isLock(String simpleName, JsonObject procedure) {
    return simpleName.equals("LockProcedure") && procedure.toString().contains(": take snapshot ");
  }

  private static String text(JsonObject json, String key) {
    return json.has(key) && json.get(key).isJsonPrimitive() ? json.get(key).getAsString() : "";
  }

  /** Names travel as Base64 in what procedures say of themselves. */
  private static boolean names(JsonObject procedure, TableName table) {
    String text = procedure.toString();
    String coded = Base64.getEncoder().encodeToString(table.getQualifier());
    return text.contains('"' + coded + '"')
        || text.contains('"' + table.getQualifierAsString() + '"');
  }

  /**
   * The directories of a table among those in which bulk loads stage their files: {@code
   * user__table__random}, by {@code SecureBulkLoadManager}. One whose process has died stays.
   */
  static List<String> bulkLoads(List<String> directories, TableName table) {
    String middle = "__" + table.getNameAsString().replace(':', '_') + "__";
    return directories.stream()
        .filter(
            each -> {
              int at = each.lastIndexOf(middle);
              return at > 0 && each.substring(at + middle.length()).matches("[0-9a-v]+");
            })
        .toList();
  }
}
