package io.rowguard.tools.doctor;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Codes are what programs go by, so each stands in the manual. */
class FindingTest {
  @Test
  void codes_all_areExplainedOnThePage() throws IOException {
    String page = Files.readString(Path.of("../../docs/internals/doctor.md"));
    for (String code : Finding.CODES) {
      assertTrue(page.contains("`" + code + "`"), code);
    }
  }

  @Test
  void finding_unknownCode_isRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> Finding.note("no_such", null, null, "x", null));
  }
}
