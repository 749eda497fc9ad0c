package io.rowguard.tools.keys;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads {@code name=value,name=value}. A comma belongs to the value unless a name and {@code =}
 * follow it.
 */
public final class NamedValues {
  private static final Pattern SEPARATOR = Pattern.compile(",(?=[a-z][a-z0-9-]*=)");

  private NamedValues() {}

  /**
   * The values by name, in the order of the text.
   *
   * @throws IllegalArgumentException when a part has no {@code =} or a name comes twice
   */
  public static Map<String, String> parse(String text) {
    Map<String, String> values = new LinkedHashMap<>();
    if (text.isEmpty()) {
      return values;
    }
    for (String part : SEPARATOR.split(text, -1)) {
      int equals = part.indexOf('=');
      if (equals <= 0) {
        throw new IllegalArgumentException(
            "Values are written name=value, with commas in between. found=\"" + part + "\"");
      }
      if (values.put(part.substring(0, equals), part.substring(equals + 1)) != null) {
        throw new IllegalArgumentException(
            "A name comes twice. name=" + part.substring(0, equals) + " in=\"" + text + "\"");
      }
    }
    return values;
  }
}
