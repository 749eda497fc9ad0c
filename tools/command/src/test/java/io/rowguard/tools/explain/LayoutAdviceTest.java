package io.rowguard.tools.explain;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rowguard.config.RowguardKey;
import org.junit.jupiter.api.Test;

/** The advice's knowledge of modules that it does not depend on; its words are in transcripts. */
class LayoutAdviceTest {
  @Test
  void mostScans_always_isTheDefaultOfItsKey() {
    assertEquals(
        RowguardKey.SCAN_MAX_BUCKETS.defaultValue(), Long.toString(LayoutAdvice.MOST_SCANS));
  }
}
