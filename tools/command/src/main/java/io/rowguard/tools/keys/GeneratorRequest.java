package io.rowguard.tools.keys;

import io.rowguard.layout.RowkeyLayout;
import java.util.Map;

/**
 * The request to a generator.
 *
 * @param layout what the rows of the table look like
 * @param count how many keys there will be
 * @param seed what random choices depend on
 * @param options what the user gave after the generator's name, by name
 */
public record GeneratorRequest(
    RowkeyLayout layout, long count, long seed, Map<String, String> options) {

  public GeneratorRequest {
    options = Map.copyOf(options);
  }

  /**
   * An option that is a whole number.
   *
   * @param otherwise what it is when the user did not give it
   * @throws IllegalArgumentException when it is no whole number
   */
  public long number(String name, long otherwise) {
    String text = options.get(name);
    if (text == null) {
      return otherwise;
    }
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "The option must be a whole number. option=" + name + " value=\"" + text + "\"", e);
    }
  }
}
