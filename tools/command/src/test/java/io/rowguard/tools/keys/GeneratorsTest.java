package io.rowguard.tools.keys;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.tools.cli.CommandFailure;
import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All generators: those built in, and one that a user drops in. */
class GeneratorsTest {
  private static final String SERVICE = "META-INF/services/" + RowKeyGenerator.class.getName();

  static List<RowKeyGenerator> withLayout() {
    return Generators.all().stream().filter(generator -> generator.layout() != null).toList();
  }

  @Test
  void all_builtIn_areThoseOfTheManual() {
    assertEquals(
        List.of(
            "sequential",
            "timestamped",
            "md5-id",
            "partitioned-id",
            "reversed-id",
            "reversed-id-newest",
            "salted-event",
            "metric",
            "values"),
        Generators.all().stream().map(RowKeyGenerator::name).toList());
  }

  @ParameterizedTest
  @MethodSource("withLayout")
  void write_ownLayout_everyKeyConforms(RowKeyGenerator generator) {
    RowkeyLayout layout = RowkeyLayout.parse(generator.layout());
    GeneratorRequest request = new GeneratorRequest(layout, 1_000_000, 1, Map.of());
    RowKeys keys = generator.open(request);
    RowKeys again = generator.open(request);
    byte[] target = new byte[keys.maxLength()];
    byte[] other = new byte[keys.maxLength()];
    for (long index = 999_999; index >= 0; index -= 997) {
      int length = keys.write(index, target);
      assertTrue(layout.check(target, 0, length).conforms(), generator.name() + " " + index);
      int same = again.write(index, other);
      assertArrayEquals(Arrays.copyOf(target, length), Arrays.copyOf(other, same));
    }
  }

  /** As in the javadoc of {@link RowKeyGenerator}. */
  public static final class TicketKeys implements RowKeyGenerator {
    public TicketKeys() {}

    @Override
    public String name() {
      return "ticket";
    }

    @Override
    public String description() {
      return "ticket numbers";
    }

    @Override
    public Map<String, String> options() {
      return Map.of("first", "the first number; 1");
    }

    @Override
    public String layout() {
      return "{ticket:digits(10)}";
    }

    @Override
    public RowKeys open(GeneratorRequest request) {
      long first = request.number("first", 1);
      return new RowKeys() {
        @Override
        public int maxLength() {
          return 10;
        }

        @Override
        public int write(long index, byte[] target) {
          byte[] key = String.format("%010d", first + index).getBytes(StandardCharsets.US_ASCII);
          System.arraycopy(key, 0, target, 0, key.length);
          return key.length;
        }
      };
    }
  }

  /** A class loader that finds one more services file, as a jar on the class path would bring. */
  private static final class WithService extends ClassLoader {
    private final URL services;

    WithService(Path services) throws IOException {
      super(GeneratorsTest.class.getClassLoader());
      this.services = services.toUri().toURL();
    }

    @Override
    protected Enumeration<URL> findResources(String name) {
      return Collections.enumeration(name.equals(SERVICE) ? List.of(services) : List.of());
    }
  }

  private static <T> T with(Path services, Supplier<T> work) throws IOException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(new WithService(services));
    try {
      return work.get();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void parse_generatorOfAnotherJar_isFound(@TempDir Path directory) throws IOException {
    Path services = Files.writeString(directory.resolve("services"), TicketKeys.class.getName());
    GeneratorText text = with(services, () -> GeneratorText.parse("ticket:first=7"));
    RowKeys keys = Generators.open(text, Generators.layout(text.generator(), null), 10, 1);
    byte[] target = new byte[10];
    assertEquals(10, keys.write(2, target));
    assertEquals("0000000009", new String(target, StandardCharsets.US_ASCII));
    GeneratorText wrong = new GeneratorText(text.generator(), Map.of("first", "x"));
    RowkeyLayout layout = RowkeyLayout.parse("{ticket:digits(10)}");
    assertThrows(CommandFailure.class, () -> Generators.open(wrong, layout, 10, 1));
  }

  @Test
  void all_brokenJar_isNamed(@TempDir Path directory) throws IOException {
    Path services = Files.writeString(directory.resolve("services"), "no.such.Generator");
    String message =
        with(services, () -> assertThrows(CommandFailure.class, Generators::all).getMessage());
    assertTrue(message.contains("no.such.Generator"), message);
  }
}
