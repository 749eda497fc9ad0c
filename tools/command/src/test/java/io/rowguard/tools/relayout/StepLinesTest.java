package io.rowguard.tools.relayout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StepLinesTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0 s",
    "119, 119 s",
    "120, 2 min",
    "3600, 60 min",
    "7199, 2 h 00 min",
    "9000, 2 h 30 min",
    "100000, 27 h 47 min"
  })
  void time_isAsPeopleSayIt(long seconds, String text) {
    assertEquals(text, StepLines.time(seconds));
  }
}
