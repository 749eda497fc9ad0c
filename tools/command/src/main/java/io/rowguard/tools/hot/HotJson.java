package io.rowguard.tools.hot;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import java.util.List;

/** Hot regions as JSON in one line. */
final class HotJson {
  private static final Gson GSON =
      new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

  private HotJson() {}

  static String text(HotTable table, List<HotRegion> regions) {
    JsonObject json = new JsonObject();
    json.addProperty("table", table.table());
    json.addProperty("layout", table.group() == null ? null : table.group().layout().toString());
    json.addProperty("group", table.group() == null ? null : table.group().segment());
    json.add("regions", GSON.toJsonTree(regions));
    json.add("silent", GSON.toJsonTree(table.silent()));
    return GSON.toJson(json);
  }
}
