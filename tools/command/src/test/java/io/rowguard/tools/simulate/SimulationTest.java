package io.rowguard.tools.simulate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.tools.cli.Gini;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.keys.GeneratorText;
import io.rowguard.tools.keys.Generators;
import io.rowguard.tools.keys.RowKeys;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The simple model against a naive one: a list of all rows, and a loop over the regions. */
class SimulationTest {
  private static final String LAYOUT =
      "{salt:digits(2)=murmur3(user)%16}-{user:word}|{time:millis descending}";
  private static final int KEYS = 50_000;

  private static final Terminal TERMINAL =
      new Terminal(
          InputStream.nullInputStream(),
          new PrintWriter(Writer.nullWriter()),
          new PrintWriter(Writer.nullWriter()),
          "plain");

  private static Design design() {
    List<byte[]> splits =
        List.of("03", "05-", "13-2", "14").stream()
            .map(key -> key.getBytes(StandardCharsets.US_ASCII))
            .toList();
    return new Design(EntityGroup.of(RowkeyLayout.parse(LAYOUT), "user"), splits, "by hand");
  }

  private static GeneratorText generator() {
    return GeneratorText.parse("values:user=zipf(40),time=clock(5)");
  }

  private static Tally run(int threads) {
    return new GeneratedKeys(generator(), KEYS, 1, threads).run(List.of(design()), TERMINAL).get(0);
  }

  @ParameterizedTest(name = "{0} threads")
  @ValueSource(ints = {1, 2, 5})
  void run_generatedKeys_equalsTheNaiveModel(int threads) {
    Design design = design();
    RowKeys keys = Generators.open(generator(), design.layout(), KEYS, 1);
    long[] rows = new long[design.regions()];
    long[] bytes = new long[design.regions()];
    List<Set<String>> groups =
        Stream.<Set<String>>generate(HashSet::new).limit(design.regions()).toList();
    byte[] target = new byte[keys.maxLength()];
    for (long i = 0; i < KEYS; i++) {
      int length = keys.write(i, target);
      byte[] row = Arrays.copyOf(target, length);
      for (int region = 0; region < rows.length; region++) {
        byte[] end = design.end(region);
        boolean isInside =
            Arrays.compareUnsigned(row, design.start(region)) >= 0
                && (end.length == 0 || Arrays.compareUnsigned(row, end) < 0);
        if (isInside) {
          rows[region]++;
          bytes[region] += row.length;
          groups.get(region).add("" + design.layout().decode(row).get("user"));
        }
      }
    }
    Tally tally = run(threads);
    assertArrayEquals(rows, tally.rows());
    assertArrayEquals(bytes, tally.rowBytes());
    assertEquals(KEYS, tally.intake().rows());
    for (int region = 0; region < rows.length; region++) {
      assertEquals(groups.get(region).size() == 1, tally.isOneGroup(region), "region " + region);
    }
    assertTrue(groups.stream().anyMatch(group -> group.size() == 1), "one region has one group");
    assertTimelineAddsUp(tally, rows);
  }

  private static void assertTimelineAddsUp(Tally tally, long[] rows) {
    for (int region = 0; region < rows.length; region++) {
      long sum = 0;
      for (int slot = 0; slot < tally.timeline().slots(); slot++) {
        sum += tally.timeline().writes(slot, region);
      }
      assertEquals(rows[region], sum);
    }
  }

  @Test
  void run_bareKeys_areCompletedAndOthersRefused() {
    Tally tally = new Tally(design(), 0);
    for (String key : List.of("nobody", "13-x")) {
      tally.write(0, key.getBytes(StandardCharsets.US_ASCII), key.length());
    }
    byte[] row = design().layout().encode(Map.of("user", "alice", "time", 1L));
    byte[] key = design().layout().strip(row);
    tally.write(1, key, key.length);
    tally.write(2, row, row.length);
    assertEquals(1, tally.intake().rows());
    assertEquals(1, tally.intake().completed());
    assertEquals(2, tally.intake().refused());
    assertArrayEquals(new long[] {0, 0, 0, 2, 0}, tally.rows());
  }

  @Test
  void gini_knownDistributions_areKnown() {
    assertEquals(0, Gini.of(new long[] {5, 5, 5, 5}), 1e-12);
    assertEquals(0.75, Gini.of(new long[] {0, 20, 0, 0}), 1e-12);
    assertEquals(0.25, Gini.of(new long[] {1, 2, 3, 4}), 1e-12);
    assertEquals(0, Gini.of(new long[] {0, 0}), 1e-12);
    assertEquals(0, Gini.of(new long[] {7}), 1e-12);
  }
}
