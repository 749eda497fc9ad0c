package io.rowguard.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConsentTest {
  private final StringWriter err = new StringWriter();

  private Terminal terminal(String input) {
    return new Terminal(
        new ByteArrayInputStream(input.getBytes(UTF_8)),
        new PrintWriter(new StringWriter()),
        new PrintWriter(err),
        "plain");
  }

  @ParameterizedTest
  @ValueSource(strings = {"y\n", "Y\r\n", "yes\n", " yes", "y"})
  void require_yes_goesOn(String answer) {
    Consent.require(terminal(answer), "All will change.", false);
    assertEquals("rowguard: All will change. Go on? [y/N] ", err.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"n\n", "\n", "yeah\n", "no, y\n"})
  void require_anythingElse_doesNot(String answer) {
    CommandFailure failure =
        assertThrows(
            CommandFailure.class,
            () -> Consent.require(terminal(answer), "All will change.", false));
    assertEquals("Nothing was done.", failure.getMessage());
  }

  @Test
  void require_nobodyThere_saysWhatGoesOnUnasked() {
    CommandFailure failure =
        assertThrows(
            CommandFailure.class, () -> Consent.require(terminal(""), "All will change.", false));
    assertEquals(
        "There was no answer, so nothing was done. --yes goes on unasked.", failure.getMessage());
  }

  @Test
  void require_given_doesNotAsk() {
    Consent.require(terminal(""), "All will change.", true);
    assertEquals("", err.toString());
  }
}
