package org.apache.hadoop.hbase.io.hfile;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.invoke.MethodHandle;
import org.apache.hadoop.hbase.Cell;
import org.junit.jupiter.api.Test;

class HFileCellsTest {
  /** Not when the class is initialized: what needs other methods of it goes on. */
  @Test
  void method_inNoRelease_isNamedWhenCalled() {
    MethodHandle none = HFileCells.method(Cell.class, HFileScanner.class, "getCells", int.class);

    NoSuchMethodError missing =
        assertThrows(NoSuchMethodError.class, () -> none.invoke((HFileScanner) null, 1));

    String name = HFileScanner.class.getName() + ".getCells(";
    assertTrue(missing.getMessage().contains(name), missing::getMessage);
  }
}
