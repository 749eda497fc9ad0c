package io.rowguard.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A class path without Rowguard. */
class JarFaultsTest {
  @Test
  void withoutJar_leavesTheOthersInTheirOrder() throws IOException {
    assertEquals(
        "/m2/a.jar:/m2/rowguardian.jar\n",
        JarFaults.withoutJar("/d/lib/rowguard-server-0.1.0.jar:/m2/a.jar:/m2/rowguardian.jar\n"));
  }

  /** Else the server would have the jar, and its fault would be none. */
  @Test
  void withoutJar_whereThereIsNone_fails() {
    assertThrows(IOException.class, () -> JarFaults.withoutJar("/m2/a.jar:/m2/b.jar\n"));
  }
}
