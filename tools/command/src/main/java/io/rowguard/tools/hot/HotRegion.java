package io.rowguard.tools.hot;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import java.util.ArrayList;
import java.util.List;

/**
 * A region's load as its server shows it; keys are in the shell's writing.
 *
 * @param server the one that serves it
 * @param since when it began to count, in milliseconds of the epoch
 * @param sample one in so many operations is counted
 * @param repeats the input of the salt that most rows have; null where that is not the matter
 * @param boundary the key that divides the load best; null for none
 * @param splitLoad above so many operations a second it is split by its load; 0 for never
 * @param splitAnswer whether it is, and why not; null where it never is, or nothing is known yet
 */
public record HotRegion(
    String server,
    String region,
    String startKey,
    String endKey,
    long since,
    int sample,
    int halfLifeSeconds,
    double readsPerSecond,
    double writesPerSecond,
    double lostPerSecond,
    String verdict,
    String advice,
    String repeats,
    String boundary,
    double smallerSide,
    int splitLoad,
    String splitAnswer,
    List<HotKeyRate> groups,
    List<HotKeyRate> rows) {
  /** The verdict on a region most of whose load one row has. */
  public static final String ONE_ROW = "one row";

  /** The verdict on a region most of whose load one entity group has. */
  public static final String ONE_GROUP = "one group";

  /**
   * Reads a bean.
   *
   * @throws JsonParseException when something is missing
   * @throws IllegalStateException when something is of another kind
   * @throws UnsupportedOperationException likewise
   * @throws NumberFormatException likewise
   */
  static HotRegion of(String server, JsonObject bean) {
    return new HotRegion(
        server,
        value(bean, "Region").getAsString(),
        value(bean, "StartKey").getAsString(),
        value(bean, "EndKey").getAsString(),
        value(bean, "Since").getAsLong(),
        value(bean, "Sample").getAsInt(),
        value(bean, "HalfLifeSeconds").getAsInt(),
        value(bean, "ReadsPerSecond").getAsDouble(),
        value(bean, "WritesPerSecond").getAsDouble(),
        value(bean, "LostPerSecond").getAsDouble(),
        value(bean, "Verdict").getAsString(),
        value(bean, "Advice").getAsString(),
        text(bean.get("Repeats")),
        text(bean.get("Boundary")),
        value(bean, "SmallerSide").getAsDouble(),
        value(bean, "SplitLoad").getAsInt(),
        text(bean.get("SplitAnswer")),
        keys(value(bean, "Groups").getAsJsonArray()),
        keys(value(bean, "Rows").getAsJsonArray()));
  }

  /** The name of the table of a bean; fails likewise. */
  static String tableOf(JsonObject bean) {
    return value(bean, "Table").getAsString();
  }

  private static JsonElement value(JsonObject object, String name) {
    JsonElement value = object.get(name);
    if (value == null) {
      throw new JsonParseException("there is no " + name);
    }
    return value;
  }

  private static String text(JsonElement element) {
    return element == null || element.isJsonNull() ? null : element.getAsString();
  }

  private static List<HotKeyRate> keys(JsonArray array) {
    List<HotKeyRate> keys = new ArrayList<>();
    for (JsonElement element : array) {
      JsonObject key = element.getAsJsonObject();
      keys.add(
          new HotKeyRate(
              value(key, "key").getAsString(),
              value(key, "length").getAsInt(),
              value(key, "share").getAsDouble(),
              value(key, "readsPerSecond").getAsDouble(),
              value(key, "writesPerSecond").getAsDouble(),
              value(key, "errorPerSecond").getAsDouble()));
    }
    return keys;
  }
}
