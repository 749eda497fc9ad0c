package io.rowguard.tools.doctor;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.util.Locale;

/** The doctor's facts and findings as JSON in one line. */
final class DoctorJson {
  private DoctorJson() {}

  static String text(Diagnosis diagnosis) {
    JsonObject json = new JsonObject();
    json.addProperty("well", diagnosis.isWell());
    json.addProperty("hbase", diagnosis.hbase());
    json.add("servers", servers(diagnosis));
    JsonArray tables = new JsonArray();
    diagnosis.tables().forEach(table -> tables.add(table(table)));
    json.add("tables", tables);
    json.addProperty("tablesWithoutRowguard", diagnosis.tablesUnguarded());
    JsonArray findings = new JsonArray();
    diagnosis.findings().forEach(finding -> findings.add(finding(finding)));
    json.add("findings", findings);
    json.addProperty("ignored", diagnosis.ignored());
    return new GsonBuilder().serializeNulls().disableHtmlEscaping().create().toJson(json);
  }

  private static JsonArray servers(Diagnosis diagnosis) {
    JsonArray servers = new JsonArray();
    for (ServerFacts server : diagnosis.servers()) {
      JsonObject json = new JsonObject();
      json.addProperty("server", server.server());
      json.addProperty("role", server.isMaster() ? "master" : "region server");
      JsonArray versions = null;
      if (server.jars() != null) {
        versions = new JsonArray();
        server.jars().versions().forEach(versions::add);
      }
      json.add("versions", versions);
      json.addProperty(
          "observerLoaded",
          server.hasLoaded(server.isMaster() ? ServerFacts.MASTER_OBSERVER : ServerFacts.OBSERVER));
      json.addProperty("silence", server.silence());
      servers.add(json);
    }
    return servers;
  }

  private static JsonObject table(TableFacts table) {
    JsonObject json = new JsonObject();
    json.addProperty("table", table.table());
    json.addProperty("layout", table.layout());
    json.addProperty("group", table.group());
    json.addProperty("mode", table.mode());
    json.addProperty("observer", table.observer());
    json.addProperty("splitPolicy", table.splitPolicy());
    json.addProperty("enabled", table.enabled());
    json.addProperty("regions", table.regions());
    json.addProperty("regionsSampled", table.regionsSampled());
    json.addProperty("rowsSampled", table.rowsSampled());
    json.addProperty("rowsThatDoNotFit", table.rowsBad());
    return json;
  }

  private static JsonObject finding(Finding finding) {
    JsonObject json = new JsonObject();
    json.addProperty("severity", finding.severity().name().toLowerCase(Locale.ROOT));
    json.addProperty("code", finding.code());
    json.addProperty("table", finding.table());
    json.addProperty("where", finding.where());
    json.addProperty("what", finding.what());
    json.addProperty("wayOut", finding.wayOut());
    return json;
  }
}
