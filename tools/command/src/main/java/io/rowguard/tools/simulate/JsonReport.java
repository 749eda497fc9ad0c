package io.rowguard.tools.simulate;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.rowguard.layout.RowText;
import io.rowguard.model.SimulatedRegionState;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** The results of one or two designs as JSON: all that the other reports show, and all regions. */
final class JsonReport {
  private JsonReport() {}

  /** The report as text, in one line; safe inside of an HTML script element. */
  static String text(String model, String keys, List<SimulationResult> results) {
    // Gson escapes <, > and & unless asked not to.
    return new GsonBuilder().serializeNulls().create().toJson(report(model, keys, results));
  }

  private static JsonObject report(String model, String keys, List<SimulationResult> results) {
    JsonObject report = new JsonObject();
    report.addProperty("model", model);
    report.addProperty("keys", keys);
    JsonArray designs = new JsonArray();
    results.forEach(result -> designs.add(design(result)));
    report.add("designs", designs);
    return report;
  }

  private static JsonObject design(SimulationResult result) {
    JsonObject json = new JsonObject();
    json.addProperty("layout", result.design().layout().toString());
    json.addProperty("group", result.design().group().segment());
    json.addProperty("splitBy", result.design().splitBy());
    json.addProperty("rows", result.rows());
    json.addProperty("bytes", result.bytes());
    json.addProperty("bareKeysCompleted", result.intake().completed());
    json.addProperty("keysRefused", result.intake().refused());
    JsonObject refused = new JsonObject();
    result
        .intake()
        .refusedByVerdict()
        .forEach((verdict, count) -> refused.addProperty(verdict.name(), count));
    json.add("refusedByVerdict", refused);
    json.addProperty("gini", rounded(result.gini()));
    json.addProperty("meanHottestShare", rounded(result.live().meanHottestShare()));
    json.addProperty("hotspot", result.isHotspot());
    json.addProperty("unreachableRegions", result.unreachable());
    json.addProperty("regionsOfOneGroup", result.oneGroup());
    json.add("regions", regions(result));
    json.add("timeline", timeline(result));
    if (result.growth() != null) {
      json.add("growth", growth(result.growth()));
    }
    return json;
  }

  /** The part that only the full model has. */
  private static JsonObject growth(Growth growth) {
    JsonObject json = new JsonObject();
    json.addProperty("settings", GrowthText.settings(growth.settings()));
    json.addProperty("servers", growth.settings().servers());
    json.addProperty("regionsAtFirst", growth.begin().regions());
    json.addProperty("meanHottestServerShare", rounded(growth.servers().meanHottestShare()));
    json.addProperty("stuckRegions", growth.stuck());
    json.addProperty("splitsRefused", growth.work().refusedSplits());
    json.addProperty("splitsByLoad", growth.work().splitsByLoad());
    json.addProperty("flushes", growth.work().flushes());
    json.addProperty("flushesThatWaited", growth.work().blockedFlushes());
    json.addProperty("compactions", growth.work().compactions());
    json.addProperty("writeAmplification", rounded(growth.work().writeAmplification()));
    json.addProperty("regionsMoved", growth.work().moves());
    json.add("splitTimes", numbers(growth.splitTimes().stream().mapToLong(time -> time)));
    json.add("regionsOverTime", numbers(Arrays.stream(growth.regionsOverTime()).asLongStream()));
    json.add("hottestRegionShare", shares(growth.regions()));
    json.add("hottestServerShare", shares(growth.servers()));
    json.add("hottestServer", numbers(slots(growth.servers()).map(growth.servers()::hottest)));
    return json;
  }

  private static IntStream slots(Timeline timeline) {
    return IntStream.range(0, timeline.slots());
  }

  private static JsonArray shares(Timeline timeline) {
    JsonArray shares = new JsonArray();
    slots(timeline).forEach(slot -> shares.add(rounded(timeline.hottestShare(slot))));
    return shares;
  }

  private static JsonArray numbers(IntStream numbers) {
    return numbers(numbers.asLongStream());
  }

  private static JsonArray numbers(LongStream numbers) {
    JsonArray array = new JsonArray();
    numbers.forEach(array::add);
    return array;
  }

  private static JsonArray regions(SimulationResult result) {
    JsonArray regions = new JsonArray();
    for (int i = 0; i < result.regions(); i++) {
      JsonObject region = new JsonObject();
      region.addProperty("start", RowText.toStringBinary(result.design().start(i)));
      region.addProperty("end", RowText.toStringBinary(result.design().end(i)));
      region.addProperty("rows", result.rows(i));
      region.addProperty("bytes", result.bytes(i));
      region.addProperty("reachable", result.isReachable(i));
      region.addProperty("oneGroup", result.isOneGroup(i));
      if (result.growth() != null) {
        SimulatedRegionState state = result.growth().states().get(i);
        region.addProperty("server", state.server());
        region.addProperty("storeFiles", state.files());
        region.addProperty("stuck", state.isStuck());
      }
      regions.add(region);
    }
    return regions;
  }

  /** The writes of every region (inner arrays) in every slot of time (outer array). */
  private static JsonObject timeline(SimulationResult result) {
    JsonObject json = new JsonObject();
    json.addProperty("keysPerSlot", result.timeline().keysPerSlot());
    JsonArray slots = new JsonArray();
    for (int slot = 0; slot < result.timeline().slots(); slot++) {
      JsonArray writes = new JsonArray();
      for (int region = 0; region < result.regions(); region++) {
        writes.add(result.timeline().writes(slot, region));
      }
      slots.add(writes);
    }
    json.add("writes", slots);
    return json;
  }

  private static double rounded(double number) {
    return Math.round(number * 1e6) / 1e6;
  }
}
