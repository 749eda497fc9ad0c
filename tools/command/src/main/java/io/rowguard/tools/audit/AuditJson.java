package io.rowguard.tools.audit;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.rowguard.layout.Verdict;
import java.util.Map;

/** The findings of an audit as JSON: all that the other report shows, and all regions. */
final class AuditJson {
  private AuditJson() {}

  /** The findings as text, in several lines. */
  static String text(AuditFindings findings) {
    JsonObject json = new JsonObject();
    json.addProperty("table", findings.table());
    json.addProperty("snapshot", findings.snapshot());
    json.addProperty("layout", findings.layout().toString());
    json.addProperty(
        "previous", findings.previous() == null ? null : findings.previous().toString());
    json.addProperty("group", findings.group());
    json.addProperty("start", findings.start());
    json.addProperty("stop", findings.stop());
    json.addProperty("regionsRead", findings.regionsRead());
    json.addProperty("rows", findings.rows());
    json.addProperty("refused", findings.refused());
    json.addProperty("bare", findings.bare());
    json.addProperty("old", findings.old());
    json.addProperty("share", findings.share());
    JsonArray codes = new JsonArray();
    findings.codes().forEach(code -> codes.add(code(code)));
    json.add("codes", codes);
    JsonArray regions = new JsonArray();
    findings.regions().forEach(region -> regions.add(region(region)));
    json.add("regions", regions);
    return new GsonBuilder()
        .serializeNulls()
        .disableHtmlEscaping()
        .setPrettyPrinting()
        .create()
        .toJson(json);
  }

  private static JsonObject code(AuditFindings.Code code) {
    JsonObject json = new JsonObject();
    json.addProperty("code", code.verdict().name());
    json.addProperty("description", code.verdict().description());
    json.addProperty("rows", code.rows());
    json.addProperty("regions", code.regions());
    JsonArray examples = new JsonArray();
    for (AuditFindings.Example example : code.examples()) {
      JsonObject one = new JsonObject();
      one.addProperty("row", example.row());
      one.addProperty("problem", example.problem());
      one.addProperty("bare", example.isBare());
      one.addProperty("region", example.region());
      examples.add(one);
    }
    json.add("examples", examples);
    return json;
  }

  private static JsonObject region(AuditFindings.Region region) {
    JsonObject json = new JsonObject();
    json.addProperty("region", region.name());
    json.addProperty("start", region.start());
    json.addProperty("end", region.end());
    json.addProperty("rows", region.rows());
    json.addProperty("refused", region.refused());
    json.addProperty("bare", region.bare());
    JsonObject counts = new JsonObject();
    for (Map.Entry<Verdict, Long> count : region.counts().entrySet()) {
      counts.addProperty(count.getKey().name(), count.getValue());
    }
    json.add("codes", counts);
    return json;
  }
}
