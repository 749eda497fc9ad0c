package io.rowguard.tools.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.rowguard.layout.RowText;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/** The findings of a plain scan, judged row by row: an audit must find the same. */
final class ScanOracle {
  private long rows;
  private long bare;
  private final Map<Verdict, Long> counts = new EnumMap<>(Verdict.class);
  private final Map<Verdict, List<String>> examples = new EnumMap<>(Verdict.class);
  private final Map<String, Map<Verdict, Long>> byRegion = new TreeMap<>();
  private final Map<String, Long> rowsByRegion = new TreeMap<>();

  ScanOracle(Connection connection, TableName name, RowkeyLayout layout, Scan scan)
      throws IOException {
    try (Table table = connection.getTable(name);
        RegionLocator regions = connection.getRegionLocator(name);
        ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        RegionInfo region = regions.getRegionLocation(result.getRow()).getRegion();
        add(layout, result.getRow(), region.getEncodedName());
      }
    }
  }

  private void add(RowkeyLayout layout, byte[] row, String region) {
    rows++;
    rowsByRegion.merge(region, 1L, Long::sum);
    Verdict verdict = layout.check(row);
    if (verdict.conforms()) {
      return;
    }
    bare += layout.bare().check(row).conforms() ? 1 : 0;
    counts.merge(verdict, 1L, Long::sum);
    examples
        .computeIfAbsent(verdict, code -> new ArrayList<>())
        .add(RowText.abbreviated(row) + " in " + region);
    byRegion
        .computeIfAbsent(region, key -> new EnumMap<>(Verdict.class))
        .merge(verdict, 1L, Long::sum);
  }

  /** The mistakes there are, and how many rows have each. */
  Map<Verdict, Long> counts() {
    return counts;
  }

  /** The mistakes by the encoded names of the regions. */
  Map<String, Map<Verdict, Long>> byRegion() {
    return byRegion;
  }

  /** How many rows lack only what the layout derives. */
  long bare() {
    return bare;
  }

  long refused() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  void assertSame(JsonObject json, int mostExamples) {
    assertEquals(rows, json.get("rows").getAsLong());
    assertEquals(refused(), json.get("refused").getAsLong());
    assertEquals(bare, json.get("bare").getAsLong());
    Map<Verdict, Long> codes = new EnumMap<>(Verdict.class);
    for (JsonElement element : json.getAsJsonArray("codes")) {
      JsonObject code = element.getAsJsonObject();
      Verdict verdict = Verdict.valueOf(code.get("code").getAsString());
      codes.put(verdict, code.get("rows").getAsLong());
      assertEquals(
          byRegion.values().stream().filter(region -> region.containsKey(verdict)).count(),
          code.get("regions").getAsLong());
      List<String> first = examples.get(verdict);
      assertEquals(
          first.subList(0, Math.min(mostExamples, first.size())),
          code.getAsJsonArray("examples").asList().stream()
              .map(JsonElement::getAsJsonObject)
              .map(one -> one.get("row").getAsString() + " in " + one.get("region").getAsString())
              .toList());
    }
    assertEquals(counts, codes);
    assertRegions(json.getAsJsonArray("regions"));
  }

  private void assertRegions(JsonArray regions) {
    Map<String, Map<Verdict, Long>> found = new TreeMap<>();
    for (JsonElement element : regions) {
      JsonObject region = element.getAsJsonObject();
      Map<Verdict, Long> codes = new EnumMap<>(Verdict.class);
      region
          .getAsJsonObject("codes")
          .entrySet()
          .forEach(code -> codes.put(Verdict.valueOf(code.getKey()), code.getValue().getAsLong()));
      String name = region.get("region").getAsString();
      found.put(name, codes);
      assertEquals(rowsByRegion.get(name), region.get("rows").getAsLong());
    }
    assertEquals(byRegion, found);
  }
}
