package io.rowguard.tools.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

/** Times as people write them. */
class DurationTextTest {
  @ParameterizedTest
  @CsvSource({"500ms, PT0.5S", "10s, PT10S", "5m, PT5M", "2h, PT2H"})
  void convert_time_isRead(String text, Duration expected) {
    assertEquals(expected, new DurationText().convert(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "-5s", "1.5s", "5 s", "PT5S", "99999999s"})
  void convert_anythingElse_isRefused(String text) {
    assertThrows(TypeConversionException.class, () -> new DurationText().convert(text));
  }
}
