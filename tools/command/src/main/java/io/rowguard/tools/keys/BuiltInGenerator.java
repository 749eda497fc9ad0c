package io.rowguard.tools.keys;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The common parts of Rowguard's own generators: a layout of their own, and where the numbers of
 * its segments come from. With another layout they fill its segments of the same names.
 */
abstract class BuiltInGenerator implements RowKeyGenerator {
  private final String name;
  private final String description;
  private final String layout;
  private final Map<String, String> sources;

  /**
   * @param layout null when the user must give one
   * @param sources pairs of a segment's name and a {@link ValueSource}
   */
  BuiltInGenerator(String name, String description, String layout, String... sources) {
    this.name = name;
    this.description = description;
    this.layout = layout;
    this.sources = new LinkedHashMap<>();
    for (int i = 0; i < sources.length; i += 2) {
      this.sources.put(sources[i], sources[i + 1]);
    }
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final String description() {
    return description;
  }

  /** Its segments, each with the source that it has unless another is given. */
  @Override
  public final Map<String, String> options() {
    return sources;
  }

  @Override
  public final String layout() {
    return layout;
  }

  @Override
  public final RowKeys open(GeneratorRequest request) {
    return NumberedKeys.open(name, sources, request);
  }
}
