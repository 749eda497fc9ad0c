package io.rowguard.workload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class KeySetsTest {

  static Stream<Arguments> sets() {
    return Stream.of(
        Arguments.of("geonames", 135_233, 246, (Supplier<List<byte[]>>) KeySets::geonames),
        Arguments.of("jvmclasses", 65_660, 5_689, (Supplier<List<byte[]>>) KeySets::jvmclasses),
        Arguments.of("ipasn", 82_393, 34_736, (Supplier<List<byte[]>>) KeySets::ipasn));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("sets")
  void sets_asDocumented_inByteOrderWithoutDuplicates(
      String name, int size, int groups, Supplier<List<byte[]>> set) {
    List<byte[]> keys = set.get();

    assertEquals(size, keys.size(), name);
    for (int i = 1; i < size; i++) {
      assertTrue(
          Arrays.compareUnsigned(keys.get(i - 1), keys.get(i)) < 0, name + " at line " + (i + 1));
    }
    assertEquals(groups, keys.stream().map(KeySetsTest::group).distinct().count(), name);
  }

  @Test
  void geonames_first_isWhole() {
    assertEquals("AD|02|03039154", new String(KeySets.geonames().get(0), UTF_8));
  }

  static Stream<Arguments> weights() {
    return Stream.of(
        Arguments.of(
            "geonames", KeySets.geonames(), KeySets.geonamesWeights(), 1_052, 3_133_032_118L),
        Arguments.of(
            "jvmclasses", KeySets.jvmclasses(), KeySets.jvmclassesWeights(), 1_461, 301_586_697L),
        Arguments.of("ipasn", KeySets.ipasn(), KeySets.ipasnWeights(), 8, 643_334_273L));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("weights")
  void weights_asDocumented_areOnePerKey(
      String name, List<byte[]> keys, long[] weights, long first, long sum) {
    assertEquals(keys.size(), weights.length, name);
    assertEquals(first, weights[0]);
    assertEquals(sum, Arrays.stream(weights).sum());
  }

  private static String group(byte[] key) {
    String text = new String(key, UTF_8);
    return text.substring(0, text.indexOf('|'));
  }
}
