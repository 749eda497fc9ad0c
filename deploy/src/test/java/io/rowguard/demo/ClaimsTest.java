package io.rowguard.demo;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ClaimsTest {
  private final Claims claims = new Claims();

  @Test
  void allHeld_noClaims_isFalse() {
    assertFalse(claims.allHeld());
  }

  @Test
  void allHeld_onlyHeldOnes_isTrue() {
    claims.add("a", true, "");
    assertTrue(claims.allHeld());
  }

  @Test
  void allHeld_oneThatDidNot_isFalse() {
    claims.add("a", false, "b");
    claims.add("c", true, "");
    assertFalse(claims.allHeld());
  }
}
