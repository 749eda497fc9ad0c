package io.rowguard.tools.keys;

import io.rowguard.tools.cli.CommandFailure;
import java.util.Map;

/**
 * A generator as users name it: {@code sequential}, or {@code values:user=zipf(1000),time=clock}.
 *
 * @param generator the generator
 * @param options what stands after the colon
 */
public record GeneratorText(RowKeyGenerator generator, Map<String, String> options) {
  /**
   * Reads it.
   *
   * @throws CommandFailure when there is no such generator or the options are not name=value
   */
  public static GeneratorText parse(String text) {
    int colon = text.indexOf(':');
    String name = colon < 0 ? text : text.substring(0, colon);
    try {
      String options = colon < 0 ? "" : text.substring(colon + 1);
      return new GeneratorText(Generators.named(name), NamedValues.parse(options));
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(e.getMessage(), e);
    }
  }
}
