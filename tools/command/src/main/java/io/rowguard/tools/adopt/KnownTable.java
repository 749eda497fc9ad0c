package io.rowguard.tools.adopt;

import io.rowguard.layout.RowkeyLayout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * One kind of table that a system has.
 *
 * @param kind its name here
 * @param about what it holds
 * @param names of its tables, {@code *} for anything; empty where any name will do
 * @param template of its layout, with {@code ${NAME}} for numbers; null where rows cannot be judged
 * @param group the segment that ends an entity group, or null
 * @param numbers what the template leaves open
 * @param guarded what the layout guards, in sentences
 * @param open what it does not, or why there is none
 * @param rows who made the rows that the layout is tested with; empty where there is no layout
 */
record KnownTable(
    String kind,
    String about,
    List<String> names,
    String template,
    String group,
    List<KnownNumber> numbers,
    List<String> guarded,
    List<String> open,
    String rows) {

  /** Whether rows can be judged. */
  boolean hasLayout() {
    return template != null;
  }

  /** Whether tables of this kind are known by their names, and this is such a name. */
  boolean isNamed(String table) {
    return names.stream().anyMatch(name -> matches(name, table));
  }

  private static boolean matches(String name, String table) {
    String[] literals = name.split("\\*", -1);
    StringBuilder pattern = new StringBuilder();
    for (int i = 0; i < literals.length; i++) {
      pattern.append(i == 0 ? "" : ".*").append(Pattern.quote(literals[i]));
    }
    return table.matches(pattern.toString());
  }

  /** The numbers by their names, each with its usual value. */
  Map<String, Integer> usual() {
    Map<String, Integer> usual = new LinkedHashMap<>();
    numbers.forEach(number -> usual.put(number.name(), number.usual()));
    return usual;
  }

  /** The layout with these numbers. */
  RowkeyLayout layout(Map<String, Integer> values) {
    String text = template;
    for (Map.Entry<String, Integer> value : values.entrySet()) {
      text = text.replace("${" + value.getKey() + "}", value.getValue().toString());
    }
    return RowkeyLayout.parse(text);
  }
}
