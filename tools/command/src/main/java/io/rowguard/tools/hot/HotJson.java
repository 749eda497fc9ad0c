package io.rowguard.tools.hot;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.function.Function;

/** The hottest keys and regions of a table as JSON in one line. */
final class HotJson {
  private static final Gson GSON =
      new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

  private HotJson() {}

  static String text(HotTable table, HotReport.By by, int most) {
    JsonObject json = new JsonObject();
    json.addProperty("table", table.table());
    json.addProperty("layout", table.group() == null ? null : table.group().layout().toString());
    json.addProperty("group", table.group() == null ? null : table.group().segment());
    json.add("groups", keys(table, HotRegion::groups, by));
    json.add("rows", keys(table, HotRegion::rows, by));
    json.add("regions", GSON.toJsonTree(HotReport.hottest(table, by, most)));
    json.add("silent", GSON.toJsonTree(table.silent()));
    return GSON.toJson(json);
  }

  /** Each as in its region, with the share of the table's load. */
  private static JsonArray keys(
      HotTable table, Function<HotRegion, List<HotKeyRate>> keys, HotReport.By by) {
    JsonArray array = new JsonArray();
    for (TableKey hot : TableKey.hottest(table, keys, by, HotReport.OF_TABLE)) {
      JsonObject key = GSON.toJsonTree(hot.key()).getAsJsonObject();
      key.addProperty("share", hot.share());
      key.addProperty("region", hot.region());
      array.add(key);
    }
    return array;
  }
}
