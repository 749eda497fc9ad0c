package io.rowguard.tools.heatmap;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.rowguard.layout.RowText;
import io.rowguard.tools.hot.HotKeyRate;
import io.rowguard.tools.hot.HotKeyText;
import io.rowguard.tools.hot.HotRegion;
import java.time.Instant;
import java.util.List;

/** A heatmap as JSON in one line, safe inside of an HTML script element. */
final class HeatmapJson {
  /** The entity groups that are named of a range. */
  private static final int HOT_KEYS = 3;

  private HeatmapJson() {}

  static String text(Heatmap heatmap) {
    JsonObject json = new JsonObject();
    json.addProperty("table", heatmap.table());
    json.addProperty("layout", heatmap.layout());
    json.addProperty("group", heatmap.group());
    SampleHistory history = heatmap.history();
    json.addProperty("seconds", heatmap.seconds());
    json.addProperty("readings", history.readings());
    json.addProperty("moved", history.moved());
    json.addProperty("opened", history.opened());
    json.addProperty("gone", history.gone());
    json.addProperty("unknown", history.unknown());
    JsonArray silent = new JsonArray();
    history.silent().forEach(silent::add);
    json.add("silent", silent);
    json.add("reads", load(heatmap, heatmap.reads()));
    json.add("writes", load(heatmap, heatmap.writes()));
    json.add("bytes", load(heatmap, heatmap.bytes()));
    json.add("ranges", ranges(heatmap));
    json.add("columns", columns(heatmap));
    // Gson escapes <, > and & unless asked not to.
    return new GsonBuilder().serializeNulls().create().toJson(json);
  }

  private static JsonObject load(Heatmap heatmap, Heatmap.Load load) {
    JsonObject json = new JsonObject();
    json.addProperty("total", load.total());
    json.addProperty(
        "hottest",
        load.total() == 0 ? null : heatmap.grid().ranges().get(load.hottest()).toString());
    json.addProperty("hottestShare", Math.round(load.share(load.hottest()) * 1e6) / 1e6);
    json.addProperty("gini", Math.round(load.gini() * 1e6) / 1e6);
    return json;
  }

  private static JsonArray ranges(Heatmap heatmap) {
    JsonArray ranges = new JsonArray();
    List<HotRegion> loads = heatmap.loads();
    int i = 0;
    for (RegionRange range : heatmap.grid().ranges()) {
      JsonObject json = new JsonObject();
      json.addProperty("start", RowText.toStringBinary(range.start()));
      json.addProperty("end", RowText.toStringBinary(range.end()));
      json.addProperty("words", heatmap.words().of(range.start()));
      json.addProperty("open", heatmap.isOpen(i));
      json.add("load", load(heatmap, loads.get(i)));
      ranges.add(json);
      i++;
    }
    return ranges;
  }

  /** The verdict on a region, and its hottest entity groups; null where nothing is known. */
  private static JsonObject load(Heatmap heatmap, HotRegion region) {
    if (region == null) {
      return null;
    }
    HotKeyText text = new HotKeyText(heatmap.load().group());
    JsonObject json = new JsonObject();
    json.addProperty("region", region.region());
    json.addProperty("verdict", region.verdict());
    json.addProperty("advice", region.advice());
    JsonArray keys = new JsonArray();
    for (HotKeyRate key : region.groups().subList(0, Math.min(HOT_KEYS, region.groups().size()))) {
      JsonObject hot = new JsonObject();
      hot.addProperty("words", text.ofGroup(key));
      hot.addProperty("share", Math.round(key.share() * 1e6) / 1e6);
      keys.add(hot);
    }
    json.add("groups", keys);
    return json;
  }

  private static JsonArray columns(Heatmap heatmap) {
    JsonArray columns = new JsonArray();
    int i = 0;
    for (TimeSlice slice : heatmap.history().slices()) {
      JsonObject json = new JsonObject();
      json.addProperty("from", Instant.ofEpochMilli(slice.fromMillis()).toString());
      json.addProperty("to", Instant.ofEpochMilli(slice.toMillis()).toString());
      json.add("reads", numbers(heatmap.grid().reads()[i]));
      json.add("writes", numbers(heatmap.grid().writes()[i]));
      json.add("bytes", numbers(heatmap.grid().bytes()[i]));
      columns.add(json);
      i++;
    }
    return columns;
  }

  private static JsonArray numbers(long[] values) {
    JsonArray numbers = new JsonArray();
    for (long value : values) {
      numbers.add(value);
    }
    return numbers;
  }
}
