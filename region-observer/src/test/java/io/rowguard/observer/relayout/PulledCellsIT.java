package io.rowguard.observer.relayout;

import static io.rowguard.observer.fixture.GuardedTable.F;
import static io.rowguard.observer.fixture.RelayoutTables.OTHERWISE_SALTED;
import static io.rowguard.observer.fixture.RelayoutTables.SALTED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.Asked;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.Refusals;
import io.rowguard.observer.fixture.RelayoutTables;
import io.rowguard.observer.fixture.Servers;
import io.rowguard.observer.fixture.Writes;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.RawCell;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All of a row moves: versions, delete markers of each kind, timestamps of the past and the future,
 * tags. Random histories, the same in a table whose layout changes in the middle and in a plain one
 * with bare keys, leave the same.
 */
@ExtendWith(MiniCluster.class)
class PulledCellsIT {
  private static final int KEYS = 60;
  private static final int FEW = 12;
  private static final long FUTURE = System.currentTimeMillis() + 3_600_000;
  private static final long[] TIMES = {1, 2, 3, 4, 100, 101, FUTURE};

  private final Servers servers;
  private final HBaseTestingUtility hbase;

  PulledCellsIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
    this.servers = new Servers(hbase);
  }

  @ParameterizedTest
  @ValueSource(strings = {"reject", "salt"})
  void row_withARandomHistory_isTheSameAfterwards(String mode) throws Exception {
    try (GuardedTable guarded =
            GuardedTable.of(hbase, "rowguard.layout", SALTED, "rowguard.mode", mode)
                .withSplits("04-", "08-", "12-", "32-")
                .create();
        GuardedTable plain = GuardedTable.of(hbase).withoutObserver().create()) {
      guarded.alterVersions(4);
      plain.alterVersions(4);
      long seed = 20261123;
      write(guarded, plain, new Random(seed), key -> RelayoutTables.row(SALTED, key), 8);
      boolean[] hadCells = new boolean[KEYS];
      for (int i = 0; i < KEYS; i++) {
        hadCells[i] = !visible(plain.table(), key(i)).isEmpty();
      }
      flush(guarded);
      flush(plain);
      write(guarded, plain, new Random(seed + 1), key -> RelayoutTables.row(SALTED, key), 3);
      RelayoutTables.start(guarded, OTHERWISE_SALTED); // which flushes
      flush(plain);

      write(
          guarded,
          plain,
          new Random(seed + 2),
          key -> RelayoutTables.row(OTHERWISE_SALTED, key),
          3);

      int compared = 0;
      for (int i = 0; i < KEYS; i++) {
        String key = key(i);
        String row = RelayoutTables.row(OTHERWISE_SALTED, key);
        String old = RelayoutTables.row(SALTED, key);
        String message = "seed=" + seed + " index=" + i;
        if (!old.equals(row)) {
          assertEquals(List.of(), guarded.latestCellsOf(old), message);
        }
        if (hadCells[i]) {
          assertEquals(visible(plain.table(), key), visible(guarded.table(), row), message);
          assertEquals(stored(plain, key), stored(guarded, row), message);
          compared++;
        }
      }
      assertTrue(compared > KEYS / 3, "compared=" + compared);
    }
  }

  /** A client whose clock counts microseconds: all that it writes and deletes is of the future. */
  @Test
  void rows_ofAClientThatCountsMicroseconds_areTheSameAfterwards() throws Exception {
    try (GuardedTable guarded =
            GuardedTable.of(hbase, "rowguard.layout", SALTED, "rowguard.salt.timeout.ms", "2000")
                .withSplits("08-", "32-")
                .create();
        GuardedTable plain = GuardedTable.of(hbase).withoutObserver().create()) {
      writeMicroseconds(guarded, plain, SALTED, 1);
      long generation = RelayoutTables.start(guarded, OTHERWISE_SALTED); // which flushes
      writeMicroseconds(guarded, plain, OTHERWISE_SALTED, 2);
      flush(guarded);
      guarded.alter("test.reopened", "yes");
      writeMicroseconds(guarded, plain, OTHERWISE_SALTED, 3);

      for (HRegion region : servers.regionsOf(guarded.name())) {
        RelayoutResponse count =
            Asked.pullSourceOf(region).answer(RelayoutRequest.count(generation));
        assertEquals(0, count.misplacedRows());
        assertEquals(List.of(), count.items());
      }
      RelayoutTables.finish(guarded);
      for (int i = 0; i < FEW; i++) {
        String row = RelayoutTables.row(OTHERWISE_SALTED, key(i));
        List<String> visible = visible(plain.table(), key(i));
        assertTrue(visible.toString().contains("v3"), visible.toString());
        assertEquals(visible, visible(guarded.table(), row), key(i));
      }
    }
  }

  /**
   * Puts, deletes what was before, puts again; and puts with the server's clock, which stays
   * hidden.
   */
  private static void writeMicroseconds(
      GuardedTable guarded, GuardedTable plain, String layout, int round) throws Exception {
    long micros = System.currentTimeMillis() * 1_000 + 10L * round;
    for (int i = 0; i < FEW; i++) {
      for (boolean isPlain : new boolean[] {true, false}) {
        byte[] row = Writes.bytes(isPlain ? key(i) : RelayoutTables.row(layout, key(i)));
        Table table = isPlain ? plain.table() : guarded.table();
        byte[] value = Bytes.toBytes("v" + round);
        table.put(new Put(row).addColumn(F, Bytes.toBytes("old"), micros, value));
        table.delete(new Delete(row).addFamily(F, micros + 1));
        table.put(new Put(row).addColumn(F, Bytes.toBytes("q"), micros + 2, value));
        table.put(new Put(row).addColumn(F, Bytes.toBytes("hidden"), value));
        table.delete(new Delete(row).addColumns(F, Bytes.toBytes("r"), micros + 3));
      }
    }
  }

  @Test
  void cells_withATimeToLive_keepIt() throws Exception {
    try (GuardedTable guarded = GuardedTable.of(hbase, "rowguard.layout", SALTED).create()) {
      String key = key(0);
      String old = RelayoutTables.row(SALTED, key);
      guarded.table().put(Writes.put(old).setTTL(3_600_000));
      List<String> before = stored(guarded, old);
      assertTrue(before.get(0).contains("tags=[8"), before.toString()); // TagType.TTL_TAG_TYPE
      RelayoutTables.start(guarded, OTHERWISE_SALTED);

      String row = RelayoutTables.row(OTHERWISE_SALTED, key);
      guarded.table().increment(Writes.increment(row));

      assertTrue(stored(guarded, row).containsAll(before), stored(guarded, row) + " " + before);
    }
  }

  /** Such a table takes no put of the future any more; what it has is of before. */
  @Test
  void cellsOfTheFuture_whereNoneAreTakenByNow_areMoved() throws Exception {
    try (GuardedTable guarded = GuardedTable.of(hbase, "rowguard.layout", SALTED).create()) {
      String old = RelayoutTables.row(SALTED, key(0));
      Put put = new Put(Writes.bytes(old)).addColumn(F, Writes.bytes("q"), FUTURE, F);
      guarded.table().put(put.setTTL(3_600_000));
      guarded.table().put(new Put(Writes.bytes(old)).addColumn(F, Writes.bytes("p"), 5, F));
      guarded.table().delete(new Delete(Writes.bytes(old)).addColumn(F, Writes.bytes("d"), FUTURE));
      List<String> before = stored(guarded, old);
      assertEquals(3, before.size(), before.toString());
      guarded.alter("hbase.hregion.keyvalue.timestamp.slop.millisecs", "60000");
      assertTrue(
          Refusals.messageOf(() -> guarded.table().put(put)).contains("Timestamp for KV out of"));
      RelayoutTables.start(guarded, OTHERWISE_SALTED);

      String row = RelayoutTables.row(OTHERWISE_SALTED, key(0));
      guarded.table().increment(Writes.increment(row));

      assertTrue(stored(guarded, row).containsAll(before), stored(guarded, row) + " " + before);
      assertEquals(List.of(), guarded.latestCellsOf(old));
    }
  }

  private static String key(int i) {
    return "user" + i + "|0001";
  }

  /** Some writes to each key, the same to both tables. */
  private static void write(
      GuardedTable guarded, GuardedTable plain, Random random, UnaryOperator<String> row, int most)
      throws Exception {
    for (int i = 0; i < KEYS; i++) {
      for (int n = 1 + random.nextInt(most); n > 0; n--) {
        long seed = random.nextLong();
        apply(guarded.table(), mutation(new Random(seed), row.apply(key(i))));
        apply(plain.table(), mutation(new Random(seed), key(i)));
        Thread.sleep(2); // so that what gets the servers' time comes in the same order
      }
    }
  }

  private static void apply(Table table, Mutation mutation) throws IOException {
    if (mutation instanceof Put put) {
      table.put(put);
    } else if (mutation instanceof Delete delete) {
      table.delete(delete);
    } else if (mutation instanceof Increment increment) {
      table.increment(increment);
    } else {
      table.append((Append) mutation);
    }
  }

  private static Mutation mutation(Random random, String row) {
    byte[] q = Bytes.toBytes("q" + random.nextInt(2));
    long time = TIMES[random.nextInt(TIMES.length)];
    byte[] value = Bytes.toBytes("v" + random.nextInt(100));
    switch (random.nextInt(12)) {
      case 0:
        return new Delete(Writes.bytes(row)).addColumn(F, q, time);
      case 1:
        return new Delete(Writes.bytes(row)).addColumns(F, q, Math.min(time, 4));
      case 2:
        return new Delete(Writes.bytes(row)).addFamily(F, Math.min(time, 3));
      case 3:
        return new Delete(Writes.bytes(row)).addFamilyVersion(F, time);
      case 4:
        return new Put(Writes.bytes(row)).addColumn(F, q, time, value).setTTL(3_600_000);
      case 5:
        return new Put(Writes.bytes(row)).addColumn(F, q, value);
      case 6:
        return new Append(Writes.bytes(row)).addColumn(F, Bytes.toBytes("a"), value);
      case 7:
        return new Increment(Writes.bytes(row)).addColumn(F, Bytes.toBytes("n"), 3);
      default:
        return new Put(Writes.bytes(row)).addColumn(F, q, time, value);
    }
  }

  private static List<String> visible(Table table, String row) throws IOException {
    List<String> cells = new ArrayList<>();
    var result = table.get(new Get(Writes.bytes(row)).readAllVersions());
    for (Cell cell : result.isEmpty() ? new Cell[0] : result.rawCells()) {
      cells.add(textOf(cell));
    }
    return cells;
  }

  /** Every cell and marker of a row as its region has it. */
  private List<String> stored(GuardedTable guarded, String row) throws IOException {
    byte[] key = Writes.bytes(row);
    List<String> cells = new ArrayList<>();
    for (HRegion region : servers.regionsOf(guarded.name())) {
      if (region.getRegionInfo().containsRow(key)) {
        Scan scan = new Scan().withStartRow(key).withStopRow(key, true).setRaw(true);
        try (RegionScanner scanner = region.getScanner(scan.readAllVersions())) {
          List<Cell> some = new ArrayList<>();
          boolean more = true;
          while (more) {
            more = scanner.next(some);
            some.forEach(cell -> cells.add(textOf(cell) + " tags=" + tagsOf(cell)));
            some.clear();
          }
        }
      }
    }
    return cells;
  }

  private static String textOf(Cell cell) {
    long time = cell.getTimestamp();
    boolean servers = time > 1_000 && time < FUTURE;
    return Bytes.toString(CellUtil.cloneQualifier(cell))
        + " "
        + cell.getType()
        + " "
        + (servers ? "now" : time)
        + " "
        + Bytes.toStringBinary(CellUtil.cloneValue(cell));
  }

  private static List<String> tagsOf(Cell cell) {
    List<String> tags = new ArrayList<>();
    for (Iterator<Tag> all = ((RawCell) cell).getTags(); all.hasNext(); ) {
      Tag tag = all.next();
      tags.add(tag.getType() + ":" + Bytes.toStringBinary(Tag.cloneValue(tag)));
    }
    return tags;
  }

  private void flush(GuardedTable guarded) throws IOException {
    hbase.getAdmin().flush(guarded.name());
  }
}
