package io.rowguard.tools.hot;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
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
 */
record HotRegion(
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
    List<HotKeyRate> groups,
    List<HotKeyRate> rows) {

  /**
   * Reads a bean.
   *
   * @throws RuntimeException when it is none of these
   */
  static HotRegion of(String server, JsonObject bean) {
    return new HotRegion(
        server,
        bean.get("Region").getAsString(),
        bean.get("StartKey").getAsString(),
        bean.get("EndKey").getAsString(),
        bean.get("Since").getAsLong(),
        bean.get("Sample").getAsInt(),
        bean.get("HalfLifeSeconds").getAsInt(),
        bean.get("ReadsPerSecond").getAsDouble(),
        bean.get("WritesPerSecond").getAsDouble(),
        bean.get("LostPerSecond").getAsDouble(),
        bean.get("Verdict").getAsString(),
        bean.get("Advice").getAsString(),
        text(bean.get("Repeats")),
        text(bean.get("Boundary")),
        bean.get("SmallerSide").getAsDouble(),
        keys(bean.getAsJsonArray("Groups")),
        keys(bean.getAsJsonArray("Rows")));
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
              key.get("key").getAsString(),
              key.get("length").getAsInt(),
              key.get("share").getAsDouble(),
              key.get("readsPerSecond").getAsDouble(),
              key.get("writesPerSecond").getAsDouble(),
              key.get("errorPerSecond").getAsDouble()));
    }
    return keys;
  }
}
