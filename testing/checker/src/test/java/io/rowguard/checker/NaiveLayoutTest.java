package io.rowguard.checker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Vectors of murmur3 are HBase's own, as Rowguard's golden ones. */
class NaiveLayoutTest {
  @ParameterizedTest
  @CsvSource({"7a, c1f69a17", "b9c5, 4f5f4eec", "fba7bc, 485b2211", "d30643fe, a2c16ec8"})
  void murmur3_ofKnownInput_isTheKnownHash(String input, String hash) {
    byte[] bytes = HexFormat.of().parseHex(input);

    assertEquals(hash, String.format("%08x", NaiveLayout.murmur3(bytes)));
  }

  @Test
  void row_ofAKey_isReadBack() {
    NaiveLayout salted = NaiveLayout.salted(16);

    assertEquals("07-u0001|000123", salted.row("u0001|000123"));
    assertEquals("u0001|000123", salted.key("07-u0001|000123"));
    assertNull(salted.complaint("07-u0001|000123"));
    assertEquals("u0001|000123", NaiveLayout.unsalted().row("u0001|000123"));
    assertNull(NaiveLayout.unsalted().complaint("u0001|000123"));
    assertEquals("u0001", NaiveLayout.group("u0001|000123"));
  }

  @ParameterizedTest
  @CsvSource({
    "u0001|000123, it is bare",
    "08-u0001|000123, 'its salt is wrong, it should be 07-u0001|000123'",
    "7-u0001|000123, 'it is no salt, user and item'",
    "07-u0001|00012, 'it is no salt, user and item'",
    "07-|000123, 'it is no salt, user and item'"
  })
  void complaint_ofARowThatIsNone_saysWhy(String row, String why) {
    assertEquals(why, NaiveLayout.salted(16).complaint(row));
  }

  @Test
  void complaint_withoutASalt_ofASaltedRow() {
    assertEquals("it is no user and item", NaiveLayout.unsalted().complaint("07-u0001|000123"));
  }

  @Test
  void badInput_always_throws() {
    assertThrows(IllegalArgumentException.class, () -> NaiveLayout.salted(101));
    assertThrows(IllegalArgumentException.class, () -> NaiveLayout.group("u0001"));
    assertTrue(NaiveLayout.salted(64).declaration().contains("%64"));
  }
}
