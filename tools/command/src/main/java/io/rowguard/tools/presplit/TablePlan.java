package io.rowguard.tools.presplit;

import io.rowguard.layout.EntityGroup;
import io.rowguard.tools.keys.SplitKeyText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A table that is to be created: name, families, split keys, and what its descriptor says.
 *
 * @param table its name, with the namespace if any
 * @param families one or more
 * @param splitKeys ascending
 * @param group the layout and the group
 * @param withPlugins whether Rowguard's plugins are to guard it
 */
public record TablePlan(
    String table,
    List<String> families,
    List<byte[]> splitKeys,
    EntityGroup group,
    boolean withPlugins) {
  static final String LAYOUT_KEY = "rowguard.layout";
  static final String GROUP_KEY = "rowguard.group";
  static final String MODE_KEY = "rowguard.mode";
  static final String MODE = "reject";
  static final String SPLIT_POLICY_KEY = "SPLIT_POLICY";

  /** The class of the split policy. */
  public static final String SPLIT_POLICY = "io.rowguard.split.LayoutRegionSplitPolicy";

  /** The class of the region observer. */
  public static final String OBSERVER = "io.rowguard.observer.LayoutRegionObserver";

  /** Behind HBase's own observers. */
  public static final int OBSERVER_PRIORITY = 1001;

  /** The descriptor's values beside the coprocessor; empty without plugins. */
  Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    if (withPlugins) {
      values.put(LAYOUT_KEY, group.layout().toString());
      if (group.segment() != null) {
        values.put(GROUP_KEY, group.segment());
      }
      values.put(MODE_KEY, MODE);
      values.put(SPLIT_POLICY_KEY, SPLIT_POLICY);
    }
    return values;
  }

  /** The statement that creates the table in the HBase shell. */
  String statement() {
    StringBuilder text = new StringBuilder("create ").append(quoted(table));
    families.forEach(family -> text.append(", ").append(quoted(family)));
    if (splitKeys.isEmpty() && !withPlugins) {
      return text.toString();
    }
    text.append(", {");
    if (!splitKeys.isEmpty()) {
      text.append("SPLITS => [")
          .append(splitKeys.stream().map(TablePlan::quotedKey).collect(Collectors.joining(", ")))
          .append(']')
          .append(withPlugins ? ", " : "");
    }
    if (withPlugins) {
      text.append("METADATA => {");
      values()
          .forEach(
              (key, value) ->
                  text.append("\n  ")
                      .append(quoted(key))
                      .append(" => ")
                      .append(quoted(value))
                      .append(','));
      text.append("\n  'COPROCESSOR$1' => ")
          .append(quoted("|" + OBSERVER + "|" + OBSERVER_PRIORITY + "|"))
          .append('}');
    }
    return text.append('}').toString();
  }

  /** A split key as the shell reads it: Ruby's single quotes leave {@code \xHH} to HBase. */
  private static String quotedKey(byte[] key) {
    return quoted(SplitKeyText.of(key));
  }

  /**
   * A text in Ruby's single quotes, where a backslash means something else only before a quote, a
   * backslash, and the end.
   */
  public static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("'");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean isLast = i + 1 == text.length();
      if (c == '\'') {
        quoted.append('\\');
      } else if (c == '\\'
          && (isLast || text.charAt(i + 1) == '\\' || text.charAt(i + 1) == '\'')) {
        quoted.append('\\');
      }
      quoted.append(c);
    }
    return quoted.append('\'').toString();
  }
}
