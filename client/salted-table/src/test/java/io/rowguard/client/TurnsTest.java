package io.rowguard.client;

import static io.rowguard.client.Tables.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TurnsTest {
  @Test
  void next_eightKeysInTheSameOrder_eachTakesAllEightBuckets() {
    Turns turns = new Turns();
    Map<String, List<Integer>> choices = new HashMap<>();
    for (int round = 0; round < 8; round++) {
      for (int key = 0; key < 8; key++) {
        String name = "match" + key;
        choices.computeIfAbsent(name, none -> new ArrayList<>()).add(turns.next(bytes(name)));
      }
    }
    choices.forEach(
        (name, chosen) ->
            assertEquals(
                8, chosen.stream().map(i -> Math.floorMod(i, 8)).distinct().count(), name));
  }
}
