package io.rowguard.tools.presplit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rowguard.config.Mode;
import io.rowguard.config.RowguardKey;
import io.rowguard.observer.LayoutRegionObserver;
import io.rowguard.split.LayoutRegionSplitPolicy;
import java.util.Locale;
import java.util.Random;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

/** The names of what this module does not depend on, and Ruby's quotes. */
class TablePlanTest {
  @Test
  void names_ofPluginsAndKeys_areThoseOfTheServerModules() {
    assertEquals(RowguardKey.LAYOUT.key(), TablePlan.LAYOUT_KEY);
    assertEquals(RowguardKey.GROUP.key(), TablePlan.GROUP_KEY);
    assertEquals(RowguardKey.MODE.key(), TablePlan.MODE_KEY);
    assertEquals(Mode.REJECT.name().toLowerCase(Locale.ROOT), TablePlan.MODE);
    assertEquals(TableDescriptorBuilder.SPLIT_POLICY, TablePlan.SPLIT_POLICY_KEY);
    assertEquals(LayoutRegionSplitPolicy.class.getName(), TablePlan.SPLIT_POLICY);
    assertEquals(LayoutRegionObserver.class.getName(), TablePlan.OBSERVER);
  }

  @Test
  void quoted_randomTexts_areReadBackAsRubyDoes() {
    Random random = new Random(403);
    String pieces = "\\\\''ax{}7C";
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int n = random.nextInt(9); n > 0; n--) {
        text.append(pieces.charAt(random.nextInt(pieces.length())));
      }
      assertEquals(text.toString(), readBack(TablePlan.quoted(text.toString())), "index=" + i);
    }
    assertEquals("'\\x7C'", TablePlan.quoted("\\x7C"));
  }

  /** Ruby's single quotes: a backslash goes before a backslash or a quote, else it is itself. */
  private static String readBack(String quoted) {
    StringBuilder text = new StringBuilder();
    int i = 1;
    while (quoted.charAt(i) != '\'') {
      char c = quoted.charAt(i++);
      boolean isEscape = c == '\\' && (quoted.charAt(i) == '\\' || quoted.charAt(i) == '\'');
      text.append(isEscape ? quoted.charAt(i++) : c);
    }
    assertEquals(quoted.length() - 1, i, quoted);
    return text.toString();
  }
}
