package io.rowguard.config;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.junit.jupiter.api.Test;

class OtherRowExceptionTest {
  private static final String MESSAGE = OtherRowException.message("table=orders row=\"x\"");

  @Test
  void isReasonOf_messageOfASingleRow_asItTravels_isKnown() {
    IOException unwrapped =
        new DoNotRetryIOException(
            "org.apache.hadoop.hbase.exceptions.FailedSanityCheckException: "
                + MESSAGE
                + "\n\tat x");

    assertTrue(OtherRowException.isReasonOf(new IOException("wrapped", unwrapped)));
    assertTrue(OtherRowException.isReasonOf(new OtherRowException("of another release")));
  }

  /** A row key is no answer, whatever its bytes are. */
  @Test
  void isReasonOf_tokenInARowOfAnotherRefusal_isNotTakenForIt() {
    String row = "Rowkey does not fit the layout: segment user is empty. row=\"" + MESSAGE + "\"";

    assertFalse(OtherRowException.isReasonOf(new DoNotRetryIOException(row)));
    assertFalse(OtherRowException.isReasonOf(new DoNotRetryIOException("a.B: " + row)));
    assertFalse(OtherRowException.isReasonOf(new IOException()));
  }
}
