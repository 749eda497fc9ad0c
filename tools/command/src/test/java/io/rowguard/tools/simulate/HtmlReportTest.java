package io.rowguard.tools.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.RowkeyLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The HTML report needs nothing but itself, and carries the JSON report unharmed. */
class HtmlReportTest {
  private static final String DATA = "<script type=\"application/json\" id=\"data\">";

  private static String json() {
    RowkeyLayout layout = RowkeyLayout.parse("{id:text}</script><!--");
    byte[] split = "a</script><!--$1\\".getBytes(StandardCharsets.US_ASCII);
    Design design = new Design(EntityGroup.of(layout, null), List.of(split), "by hand");
    Tally tally = new Tally(design, 0);
    byte[] row = "b</script><!--".getBytes(StandardCharsets.US_ASCII);
    tally.write(0, row, row.length);
    return JsonReport.text(
        "simple", "keys of <b>", List.of(new SimulationResult(design, tally, 100)));
  }

  @Test
  void html_anyKeys_carriesTheJsonUnharmed() {
    String json = json();
    String html = HtmlReport.html(json);
    int from = html.indexOf(DATA) + DATA.length();
    String data = html.substring(from, html.indexOf("</script>", from));
    assertEquals(json, data);
    JsonObject design =
        JsonParser.parseString(data)
            .getAsJsonObject()
            .getAsJsonArray("designs")
            .get(0)
            .getAsJsonObject();
    assertEquals("{id:text}</script><!--", design.get("layout").getAsString());
    JsonObject region = design.getAsJsonArray("regions").get(1).getAsJsonObject();
    assertEquals("a</script><!--$1\\x5C", region.get("start").getAsString());
    assertEquals(1, region.get("rows").getAsLong());
  }

  @Test
  void html_anyReport_loadsNothing() {
    String html = HtmlReport.html(json());
    Matcher loads =
        Pattern.compile("<(?:script|img|link|iframe|object|embed)[^>]*\\b(?:src|href|data)\\s*=")
            .matcher(html.substring(0, html.indexOf("<script>")));
    assertFalse(loads.find());
    assertTrue(html.contains("content=\"default-src 'none'; script-src 'unsafe-inline';"));
    assertTrue(html.contains("Licensed to the Apache Software Foundation"), "ECharts' licence");
    String comment = html.substring(html.indexOf("<!--"), html.indexOf("-->"));
    assertTrue(comment.contains("zrender 5.5.0 (BSD 3-Clause License)"), comment);
    assertTrue(comment.contains("Copyright 2010-2016 Mike Bostock"), comment);
    assertTrue(comment.strip().endsWith("POSSIBILITY OF SUCH DAMAGE."), comment);
    // The library is one script element: nothing in it ends the element early.
    String rest = html.substring(html.indexOf("<script>") + "<script>".length());
    assertTrue(rest.substring(0, rest.indexOf("</script>")).length() > 1_000_000);
  }
}
