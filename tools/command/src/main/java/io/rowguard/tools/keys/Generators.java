package io.rowguard.tools.keys;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cli.LayoutArguments;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/** Rowguard's own generators, and all others on the class path. */
public final class Generators {
  private Generators() {}

  /**
   * Every generator, Rowguard's own first.
   *
   * @throws CommandFailure when a jar on the class path names one that cannot be loaded
   */
  public static List<RowKeyGenerator> all() {
    List<RowKeyGenerator> all = new ArrayList<>(BuiltInGenerator.ALL);
    try {
      ServiceLoader.load(RowKeyGenerator.class).forEach(all::add);
      return all;
    } catch (ServiceConfigurationError e) {
      throw new CommandFailure(
          "A jar on the class path names a generator that cannot be loaded; take it away or mend"
              + " it. "
              + e.getMessage(),
          e);
    }
  }

  /**
   * The generator of a name.
   *
   * @throws CommandFailure when there is none; it lists those there are
   */
  static RowKeyGenerator named(String name) {
    return all().stream()
        .filter(generator -> generator.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new CommandFailure(
                    "There is no generator of that name. name="
                        + name
                        + " known=\""
                        + all().stream()
                            .map(RowKeyGenerator::name)
                            .collect(Collectors.joining(", "))
                        + "\""));
  }

  /**
   * The layout for a generator's keys: the given one, else its own.
   *
   * @throws CommandFailure when there is neither
   */
  public static RowkeyLayout layout(RowKeyGenerator generator, String given) {
    String text = given == null ? generator.layout() : given;
    if (text == null) {
      throw new CommandFailure(
          "The generator needs a layout; give one. generator=" + generator.name());
    }
    return LayoutArguments.parse(text);
  }

  /**
   * Begins a sequence of keys.
   *
   * @throws CommandFailure when the generator refuses
   */
  public static RowKeys open(GeneratorText text, RowkeyLayout layout, long count, long seed) {
    try {
      return text.generator().open(new GeneratorRequest(layout, count, seed, text.options()));
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(e.getMessage(), e);
    }
  }
}
