package io.rowguard.observer.relayout;

import static io.rowguard.observer.fixture.GuardedTable.F;
import static io.rowguard.observer.fixture.GuardedTable.Q;
import static io.rowguard.observer.fixture.RelayoutTables.OTHERWISE_SALTED;
import static io.rowguard.observer.fixture.RelayoutTables.SALTED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.config.LayoutStamp;
import io.rowguard.config.OtherRowException;
import io.rowguard.config.StaleLayoutException;
import io.rowguard.config.TableConfig;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.Refusals;
import io.rowguard.observer.fixture.RelayoutTables;
import io.rowguard.observer.fixture.Servers;
import io.rowguard.observer.fixture.Writes;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A table whose regions reopen one by one with each step of a change of its layout: at any moment
 * one of the two rows of each bare key takes its writes, and nothing that was written is lost.
 *
 * <p>The descriptor is changed where regions read it when they open, past the master, which would
 * reopen all of them at once.
 */
@ExtendWith(MiniCluster.class)
class RelayoutPhasesIT {
  private static final int KEYS = 24;

  private final HBaseTestingUtility hbase;
  private final Servers servers;

  RelayoutPhasesIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
    this.servers = new Servers(hbase);
  }

  @Test
  void reject_everyKey_isTakenAtOneOfItsPlaces() throws Exception {
    run("reject", false, false);
  }

  @Test
  void salt_everyKey_isTakenAtEither() throws Exception {
    run("salt", true, false);
  }

  @Test
  void givenUp_everyKey_isTakenAtOneOfItsPlaces() throws Exception {
    run("salt", false, true);
  }

  /** A client may know of a step before the region has reopened with it. */
  @Test
  void request_aStepAhead_isTakenAsSoonAsTheStepIsStored() throws Exception {
    try (GuardedTable guarded = GuardedTable.of(hbase, "rowguard.layout", SALTED).create()) {
      Map<String, String> prepared = values(OTHERWISE_SALTED, SALTED, "prepared", "1", "1");
      Get ahead = new Get(Writes.bytes("00-user|0001"));
      LayoutStamp.of(TableConfig.of(changed(guarded, prepared), hbase.getConfiguration()))
          .mark(ahead);
      IOException stale = assertThrows(IOException.class, () -> guarded.table().get(ahead));
      assertInstanceOf(StaleLayoutException.class, Refusals.reasonOf(stale));

      set(guarded, prepared);

      assertTrue(guarded.table().get(ahead).isEmpty());
      HRegion region = servers.regionsOf(guarded.name()).get(0);
      assertNull(region.getTableDescriptor().getValue("rowguard.layout.phase"), "not reopened");
    }
  }

  private void run(String mode, boolean fromTheLast, boolean givingUp) throws Exception {
    try (GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", SALTED, "rowguard.mode", mode)
            .with("rowguard.salt.timeout.ms", "20000")
            .withSplits("08-", "24-", "45-")
            .create()) {
      List<RegionInfo> regions = new ArrayList<>(hbase.getAdmin().getRegions(guarded.name()));
      if (fromTheLast) {
        Collections.reverse(regions);
      }
      Map<String, String> expected = new LinkedHashMap<>();
      for (int i = 0; i < KEYS; i++) {
        String key = "user" + i + "|0001";
        guarded.table().put(Writes.put(RelayoutTables.row(SALTED, key), ""));
        expected.put(key, "");
      }
      Map<String, String> prepared = values(OTHERWISE_SALTED, SALTED, "prepared", "1", "1");
      Map<String, String> moving = values(OTHERWISE_SALTED, SALTED, "moving", "1", "2");
      Map<String, String> over =
          givingUp
              ? values(SALTED, null, null, null, "2")
              : values(OTHERWISE_SALTED, null, null, null, "3");
      int step = 0;
      for (Map<String, String> values :
          givingUp ? List.of(prepared, over) : List.of(prepared, moving, over)) {
        if (values == over && !givingUp) {
          pullTheRest(guarded, expected);
        }
        set(guarded, values);
        for (RegionInfo region : regions) {
          reopen(region);
          step++;
          for (String key : List.copyOf(expected.keySet())) {
            append(guarded, mode, key, "" + (char) ('a' + step), places(key, values, over));
            expected.merge(key, "" + (char) ('a' + step), String::concat);
          }
          String message = mode + " step=" + step;
          expected.forEach((key, value) -> assertHeld(guarded, key, value, message));
        }
      }
    }
  }

  private static Map<String, String> values(
      String layout, String previous, String phase, String generation, String version) {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("rowguard.layout", layout);
    values.put("rowguard.layout.previous", previous);
    values.put("rowguard.layout.phase", phase);
    values.put("rowguard.layout.generation", generation);
    values.put("rowguard.layout.version", version);
    return values;
  }

  private void set(GuardedTable guarded, Map<String, String> values) throws IOException {
    hbase.getMiniHBaseCluster().getMaster().getTableDescriptors().update(changed(guarded, values));
  }

  private TableDescriptor changed(GuardedTable guarded, Map<String, String> values)
      throws IOException {
    TableDescriptorBuilder changed =
        TableDescriptorBuilder.newBuilder(hbase.getAdmin().getDescriptor(guarded.name()));
    values.forEach(changed::setValue);
    return changed.build();
  }

  private void reopen(RegionInfo region) throws Exception {
    servers.move(region, servers.otherThan(servers.of(region)));
  }

  /**
   * The places that a client tries which knows both layouts. Regions that have not reopened with
   * the first step, or have with the last one, know one layout only.
   */
  private static List<String> places(
      String key, Map<String, String> values, Map<String, String> over) {
    String old = RelayoutTables.row(SALTED, key);
    String row = RelayoutTables.row(OTHERWISE_SALTED, key);
    if (values == over) {
      return List.of(RelayoutTables.row(over.get("rowguard.layout"), key));
    }
    return "moving".equals(values.get("rowguard.layout.phase")) ? List.of(old, row) : List.of(old);
  }

  /**
   * Appends to a key's value, as a client that knows both layouts: at one place, and where that
   * says so at the other, once. An Append is never applied twice unseen.
   */
  private static void append(
      GuardedTable guarded, String mode, String key, String more, List<String> places)
      throws IOException {
    if (mode.equals("salt")) {
      // Either place takes it; a bare key too. The row is read before, since no other client
      // writes.
      String value = valueOf(guarded, key) + more;
      List<String> rows = new ArrayList<>(places);
      rows.add(key);
      String row = rows.get((key.hashCode() & 0xff) % rows.size());
      guarded.table().put(new Put(Writes.bytes(row)).addColumn(F, Q, Bytes.toBytes(value)));
      return;
    }
    for (String row : places) {
      try {
        guarded.table().append(appendOf(row, more));
        return;
      } catch (IOException e) {
        assertTrue(OtherRowException.isReasonOf(e), () -> String.valueOf(e));
      }
    }
    throw new AssertionError(key + " is taken nowhere of " + places);
  }

  private static Append appendOf(String row, String more) {
    return new Append(Writes.bytes(row)).addColumn(F, Q, Bytes.toBytes(more));
  }

  private static void pullTheRest(GuardedTable guarded, Map<String, String> expected)
      throws IOException {
    for (String key : expected.keySet()) {
      guarded.table().append(appendOf(RelayoutTables.row(OTHERWISE_SALTED, key), ""));
    }
  }

  private static String valueOf(GuardedTable guarded, String key) throws IOException {
    List<String> found = new ArrayList<>();
    for (String row :
        List.of(RelayoutTables.row(OTHERWISE_SALTED, key), RelayoutTables.row(SALTED, key))) {
      Result result = guarded.table().get(new Get(Writes.bytes(row)));
      if (!result.isEmpty() && !found.contains(row)) {
        found.add(row);
        found.add(Bytes.toString(result.getValue(F, Q)));
      }
    }
    assertEquals(2, found.size(), () -> key + " is at " + found);
    return found.get(1);
  }

  private static void assertHeld(GuardedTable guarded, String key, String value, String message) {
    try {
      assertEquals(value, valueOf(guarded, key), message);
    } catch (IOException e) {
      throw new AssertionError(message, e);
    }
  }
}
