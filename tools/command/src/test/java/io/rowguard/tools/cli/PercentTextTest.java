package io.rowguard.tools.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class PercentTextTest {
  @ParameterizedTest
  @CsvSource({"20%, 0.2", "20, 0.2", "20 %, 0.2", "0.5%, 0.005", "250%, 2.5", "none, 0"})
  void convert_whatPeopleWrite_isTheShare(String text, double share) {
    assertEquals(share, new PercentText().convert(text), 1e-12);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0%", "-5%", "a fifth", "%", "", "1e2", "20%%"})
  void convert_anythingElse_isRefused(String text) {
    TypeConversionException refusal =
        assertThrows(TypeConversionException.class, () -> new PercentText().convert(text));
    assertTrue(refusal.getMessage().contains("such as 20%, nor none"), refusal.getMessage());
  }
}
