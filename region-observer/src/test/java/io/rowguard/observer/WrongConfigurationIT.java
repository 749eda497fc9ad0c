package io.rowguard.observer;

import static io.rowguard.observer.fixture.GuardedTable.F;
import static io.rowguard.observer.fixture.GuardedTable.LAYOUT;
import static io.rowguard.observer.fixture.Refusals.messageOf;
import static io.rowguard.observer.fixture.Refusals.placesOf;
import static io.rowguard.observer.fixture.Writes.GOOD;
import static io.rowguard.observer.fixture.Writes.append;
import static io.rowguard.observer.fixture.Writes.bytes;
import static io.rowguard.observer.fixture.Writes.delete;
import static io.rowguard.observer.fixture.Writes.increment;
import static io.rowguard.observer.fixture.Writes.put;
import static io.rowguard.observer.fixture.Writes.replicated;
import static io.rowguard.observer.fixture.Writes.together;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.config.RowguardKey;
import io.rowguard.observer.fixture.Counters;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.Refusals;
import io.rowguard.observer.fixture.SaltedGuard;
import io.rowguard.observer.fixture.Writes;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;

/**
 * Every way to configure a table wrongly: it is created, its region opens and reads, all writes are
 * refused with the reason, the servers live, and an alter mends it.
 */
@ExtendWith(MiniCluster.class)
class WrongConfigurationIT {
  private static final String KEYS =
      Arrays.stream(RowguardKey.values())
          .map(RowguardKey::key)
          .collect(Collectors.joining(", ", "the keys are ", "."));

  private final HBaseTestingUtility hbase;

  WrongConfigurationIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @Test
  void layout_thatDoesNotParse_refusesWritesUntilMended() throws Exception {
    assertRefusesWritesUntilMended(
        "rowguard.layout: The layout does not parse at column 7: found \"wrod\", expected a type:"
            + " hex(n), HEX(n), digits(n), text, word, bytes, uint8, uint16, uint32, uint64, int8,"
            + " int16, int32, int64 or millis. Layout: {user:wrod}.",
        "rowguard.layout",
        "{user:wrod}",
        LAYOUT);
  }

  @Test
  void group_thatIsNoSegment_refusesWritesUntilMended() throws Exception {
    assertRefusesWritesUntilMended(
        "rowguard.group: The layout has no segment \"country\". Its segments are: user, item.",
        "rowguard.group",
        "country",
        "user");
  }

  @Test
  void mode_unknown_refusesWritesUntilMended() throws Exception {
    assertRefusesWritesUntilMended(
        "rowguard.mode is \"rejekt\"; it must be reject or salt or warn or off.",
        "rowguard.mode",
        "rejekt",
        "reject");
  }

  @Test
  void delete_unknown_refusesWritesUntilMended() throws Exception {
    assertRefusesWritesUntilMended(
        "rowguard.delete is \"yes\"; it must be accept or enforce.",
        "rowguard.delete",
        "yes",
        "accept");
  }

  @Test
  void maxLength_noNumber_refusesWritesUntilMended() throws Exception {
    assertRefusesWritesUntilMended(
        "rowguard.row.max.length is \"4k\"; it must be bytes, 1 to 32767.",
        "rowguard.row.max.length",
        "4k",
        "4096");
  }

  @Test
  void key_misspelt_refusesWritesUntilMended() throws Exception {
    assertRefusesWritesUntilMended(
        "There is no key rowguard.layuot; " + KEYS, "rowguard.layuot", LAYOUT, null);
  }

  @Test
  void layout_onlyAMisspeltKey_refusesWritesUntilMended() throws Exception {
    try (GuardedTable guarded = GuardedTable.of(hbase, "rowguard.layuot", LAYOUT).create()) {
      assertRefusesWrites(guarded, "There is no key rowguard.layuot; " + KEYS);

      guarded.alter("rowguard.layuot", null, "rowguard.layout", LAYOUT);

      assertGuards(guarded);
    }
  }

  @Test
  void key_onAColumnFamily_refusesWritesUntilMended() throws Exception {
    try (GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", LAYOUT)
            .withFamilyValue("rowguard.mode", "warn")
            .create()) {
      assertRefusesWrites(
          guarded,
          "rowguard.mode is set on the column family f, where nothing reads it;"
              + " set it on the table.");

      guarded.alterFamily("rowguard.mode", null);

      assertGuards(guarded);
    }
  }

  @Test
  void layout_onlyOnAColumnFamily_refusesWritesUntilMended() throws Exception {
    try (GuardedTable guarded =
        GuardedTable.of(hbase).withFamilyValue("rowguard.layout", LAYOUT).create()) {
      assertRefusesWrites(
          guarded,
          "rowguard.layout is set on the column family f, where nothing reads it;"
              + " set it on the table.");

      guarded.alterFamily("rowguard.layout", null);
      guarded.alter("rowguard.layout", LAYOUT);

      assertGuards(guarded);
    }
  }

  @Test
  void severalMistakes_areInOneMessage() throws Exception {
    try (GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", LAYOUT)
            .with("rowguard.mode", "rejekt", "rowguard.group", "country")
            .create()) {
      assertRefusesWrites(
          guarded,
          "rowguard.mode is \"rejekt\"; it must be reject or salt or warn or off. rowguard.group:"
              + " The layout has no segment \"country\". Its segments are: user, item.");
    }
  }

  @Test
  void alter_fromRightToWrong_keepsTheRowsReadable() throws Exception {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      guarded.table().put(put(GOOD));

      guarded.alter("rowguard.mode", "rejekt");

      messageOf(() -> guarded.table().put(put("bob|0002")));
      assertEquals(List.of(GOOD), guarded.rows());
      assertEquals(List.of(GOOD + "/q=v"), guarded.latest(GOOD));
    }
  }

  /** An empty answer would say that there is no such row. */
  @Test
  void get_thatFindsNothingInSaltMode_isRefusedUntilMended() throws Exception {
    Get bare = new Get(bytes(GOOD));
    Get row = new Get(bytes(SaltedGuard.salted(GOOD)));
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      guarded.table().put(put(GOOD));

      guarded.alter("rowguard.delete", "yes");

      for (Executable read :
          List.<Executable>of(
              () -> guarded.table().get(bare),
              () -> guarded.table().exists(bare),
              () -> guarded.table().get(List.of(row, bare)))) {
        String message = messageOf(read);
        assertTrue(message.startsWith("A Get that finds nothing here may ask for"), message);
        assertTrue(message.contains("rowguard.delete is \"yes\""), message);
      }
      assertTrue(guarded.table().exists(row));
      guarded.alter("rowguard.delete", null);
      assertArrayEquals(bytes("v"), guarded.table().get(bare).value());
    }
  }

  /** The way out that needs no understanding of what is wrong. */
  @Test
  void mode_off_takesWritesWhateverElseIsWrong() throws Exception {
    try (GuardedTable guarded = GuardedTable.of(hbase, "rowguard.layout", "{").create()) {
      messageOf(() -> guarded.table().put(put("x")));

      guarded.alter("rowguard.mode", "off");
      guarded.table().put(put("x"));
      guarded.batch(List.of(put("y"), together(put("z"), increment("z"))));

      assertEquals(List.of("x", "y", "z"), guarded.rows());
    }
  }

  /** Refusing them would stall the peer until the table is mended. */
  @Test
  void replication_onAWronglyConfiguredTable_goesOn() throws Exception {
    try (GuardedTable guarded = GuardedTable.of(hbase, "rowguard.layout", "{").create()) {
      guarded.table().put(replicated(put(GOOD)));
      assertEquals(Set.of(1), placesOf(guarded.batch(List.of(replicated(put("x")), put("y")))));

      assertEquals(List.of(GOOD, "x"), guarded.rows());
    }
  }

  @Test
  void replication_onAWronglyConfiguredTableWhereEnforced_isRefused() throws Exception {
    try (GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", "{", "rowguard.replication", "enforce")
            .create()) {
      messageOf(() -> guarded.table().put(replicated(put(GOOD))));

      assertEquals(List.of(), guarded.cells());
    }
  }

  /** Creates a table that is right but for one key, and mends that with an alter. */
  private void assertRefusesWritesUntilMended(
      String problem, String key, String wrong, String right) throws Exception {
    try (GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", LAYOUT).with(key, wrong).create()) {
      assertRefusesWrites(guarded, problem);

      guarded.alter(key, right);

      assertGuards(guarded);
    }
  }

  private void assertRefusesWrites(GuardedTable guarded, String problem) throws Exception {
    String expected =
        "The rowguard configuration of this table is wrong, so all its writes are refused. table="
            + guarded.name()
            + ". "
            + problem
            + " Mend the table's descriptor (alter) or hbase-site.xml.";
    List<Executable> writes =
        List.of(
            () -> guarded.table().put(put(GOOD)),
            () -> guarded.table().put(List.of(put(GOOD), put("x"))),
            () -> guarded.table().delete(delete(GOOD)),
            () -> guarded.table().append(append(GOOD)),
            () -> guarded.table().increment(increment(GOOD)),
            () -> guarded.table().mutateRow(together(put(GOOD), increment(GOOD))),
            () -> guarded.table().checkAndMutate(ifAbsent().build(put(GOOD))),
            () -> guarded.table().checkAndMutate(ifAbsent().build(delete(GOOD))),
            () -> guarded.table().checkAndMutate(ifPresent().build(put(GOOD))),
            () -> guarded.table().checkAndMutate(ifPresent().build(together(put(GOOD)))));
    for (Executable write : writes) {
      assertEquals(expected, messageOf(write));
    }
    assertEquals(
        Set.of(0, 1, 2),
        placesOf(guarded.batch(List.of(put(GOOD), delete("x"), together(put(GOOD))))));
    assertEquals(List.of(), guarded.cells());
    assertEquals(List.of(), guarded.latest(GOOD));
    assertEquals(
        Map.of("rejected_wrong_configuration", writes.size() + 4L), Counters.of(guarded.name()));
    assertEquals(2, hbase.getMiniHBaseCluster().getLiveRegionServerThreads().size());
  }

  /** The table is as it should have been: it takes what conforms and refuses what does not. */
  private static void assertGuards(GuardedTable guarded) throws IOException {
    guarded.table().put(put(GOOD));
    Refusals.assertRefused(guarded, () -> guarded.table().put(put(Writes.BAD)));

    assertEquals(List.of(GOOD), guarded.rows());
  }

  private static CheckAndMutate.Builder ifAbsent() {
    return CheckAndMutate.newBuilder(bytes(GOOD)).ifNotExists(F, bytes("absent"));
  }

  private static CheckAndMutate.Builder ifPresent() {
    return CheckAndMutate.newBuilder(bytes(GOOD)).ifEquals(F, bytes("absent"), bytes("v"));
  }
}
