package io.rowguard.soak.torture;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.checker.NaiveLayout;
import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.RowkeyLayout;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys of HBase's tools, their layouts, and how the tools are called. */
class TortureToolTest {
  /** As HBase's LoadTestKVGenerator.md5PrefixedKey makes it. */
  private static final String LOAD_TEST_KEY = "a1d0c6e83f027327d8461063f4ac58a6-42";

  private static final String PERFORMANCE_KEY = "00000000000000000000000042";

  private static byte[] key(TortureTool tool) {
    return switch (tool) {
      case LINKED_LIST -> Bytes.toBytesBinary("\\xFF\\x00-123456789abcd");
      case LOAD_TEST -> LOAD_TEST_KEY.getBytes(US_ASCII);
      case PERFORMANCE -> PERFORMANCE_KEY.getBytes(US_ASCII);
    };
  }

  @Test
  void number_ofKeyOfTheTool_isItsNumber() {
    assertEquals(42, TortureTool.LOAD_TEST.number(key(TortureTool.LOAD_TEST)));
    assertEquals(42, TortureTool.PERFORMANCE.number(key(TortureTool.PERFORMANCE)));
    assertEquals(
        TortureTool.UNNUMBERED, TortureTool.LINKED_LIST.number(key(TortureTool.LINKED_LIST)));
  }

  @Test
  void number_ofOtherKey_isNone() {
    for (String other :
        List.of(
            "",
            "42",
            "a1d0c6e83f027327d8461063f4ac58a6-43",
            "a1d0c6e83f027327d8461063f4ac58a6-042",
            "A1D0C6E83F027327D8461063F4AC58A6-42",
            "a1d0c6e83f027327d8461063f4ac58a6-",
            "0000000000000000000000042",
            "000000000000000000000000-1",
            "0000000000000000000000004x",
            "99999999999999999999999999")) {
      for (TortureTool tool : TortureTool.values()) {
        assertEquals(TortureTool.NONE, tool.number(other.getBytes(US_ASCII)), tool + " " + other);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void layout_ofEachTable_isThatOfTheToolsKeys(TortureTool tool) {
    byte[] key = key(tool);
    RowkeyLayout guarded = RowkeyLayout.parse(tool.layout(TortureGuard.GUARDED));
    assertTrue(guarded.check(key).conforms());

    byte[] salted = new byte[key.length + 1];
    salted[0] = (byte) Integer.remainderUnsigned(NaiveLayout.murmur3(key), TortureTool.BUCKETS);
    System.arraycopy(key, 0, salted, 1, key.length);
    for (TortureGuard guard : List.of(TortureGuard.SALTED, TortureGuard.BARE)) {
      RowkeyLayout layout = RowkeyLayout.parse(tool.layout(guard));
      assertArrayEquals(salted, layout.complete(key));
      assertTrue(layout.check(salted).conforms());
    }
  }

  /** A master refuses a group that its layout would divide. */
  @ParameterizedTest
  @EnumSource
  void group_ofEachTable_isOneOfItsLayout(TortureTool tool) {
    for (TortureGuard guard : List.of(TortureGuard.GUARDED, TortureGuard.SALTED)) {
      String group = tool.group(guard);
      if (group != null) {
        EntityGroup.of(RowkeyLayout.parse(tool.layout(guard)), group);
      }
    }
  }

  @Test
  void commands_ofLinkedList_writeAllRowsInRings() {
    assertEquals(
        List.of(
            List.of(
                "org.apache.hadoop.hbase.test.IntegrationTestBigLinkedList",
                "-DIntegrationTestBigLinkedList.table=t",
                "loop",
                "1",
                "2",
                "500",
                "/torture/t",
                "1",
                "20",
                "25",
                "0")),
        TortureTool.LINKED_LIST.commands(TortureGuard.GUARDED, "t", 1000));
  }

  @Test
  void commands_ofSaltedTable_nameTheConnections() {
    for (TortureTool tool : TortureTool.values()) {
      for (TortureGuard guard : TortureGuard.values()) {
        for (List<String> command : tool.commands(guard, "t", 1000)) {
          boolean isSalting =
              command
                      .get(1)
                      .equals("-Dhbase.client.connection.impl=io.rowguard.client.SaltedConnection")
                  && command
                      .get(2)
                      .equals(
                          "-Dhbase.client.async.connection.impl="
                              + "io.rowguard.client.SaltedAsyncConnection");
          assertEquals(guard == TortureGuard.SALTED, isSalting, guard + " " + command);
        }
      }
    }
  }

  @Test
  void commands_ofLoadTestInSaltMode_updateNothing() {
    assertEquals(3, TortureTool.LOAD_TEST.commands(TortureGuard.GUARDED, "t", 10).size());
    List<List<String>> bare = TortureTool.LOAD_TEST.commands(TortureGuard.BARE, "t", 10);
    assertEquals(2, bare.size());
    assertTrue(bare.stream().noneMatch(command -> command.contains("-update")));
  }

  @Test
  void commands_ofRowsThatCannotBeShared_areRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> TortureTool.LINKED_LIST.commands(TortureGuard.PLAIN, "t", 1001));
    assertThrows(
        IllegalArgumentException.class,
        () -> TortureTool.PERFORMANCE.commands(TortureGuard.PLAIN, "t", 1001));
  }

  @Test
  void of_nameOfEachTool_isTheTool() {
    for (TortureTool tool : TortureTool.values()) {
      assertEquals(tool, TortureTool.of(tool.toString()));
    }
    assertThrows(IllegalArgumentException.class, () -> TortureTool.of("none"));
  }
}
