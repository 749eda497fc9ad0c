package io.rowguard.tools.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.junit.jupiter.api.Test;

class NamedValuesTest {
  @Test
  void parse_commaInValue_belongsToIt() {
    assertEquals(Map.of("a", "1,2", "b-2", "x"), NamedValues.parse("a=1,2,b-2=x"));
    assertEquals(Map.of("a", "1,", "b", "="), NamedValues.parse("a=1,,b=="));
    assertEquals(Map.of("a", ""), NamedValues.parse("a="));
    assertEquals(Map.of(), NamedValues.parse(""));
  }

  @Test
  void parse_noNameOrTwice_refused() {
    assertThrows(IllegalArgumentException.class, () -> NamedValues.parse("a"));
    assertThrows(IllegalArgumentException.class, () -> NamedValues.parse("=a"));
    assertThrows(IllegalArgumentException.class, () -> NamedValues.parse("a=1,a=2"));
  }
}
