package io.rowguard.client;

import static io.rowguard.client.Tables.F;
import static io.rowguard.client.Tables.G;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Random actions on the rows of a pool. Timestamps of puts and deletes are counted up, so that two
 * tables that get the same hold the same.
 */
final class RandomActions {
  private static final byte[][] QUALIFIERS = {
    Bytes.toBytes("a"), Bytes.toBytes("b"), Bytes.toBytes("ba"), Bytes.toBytes("c")
  };
  private static final byte[] COUNTER = Bytes.toBytes("n");
  private static final byte[] TEXT = Bytes.toBytes("s");

  private final Random random;
  private final List<byte[]> pool;
  private final RandomFilters filters;
  private long time = 1000;

  RandomActions(Random random, List<byte[]> pool) {
    this.random = random;
    this.pool = pool;
    this.filters = new RandomFilters(random, this);
  }

  boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  byte[] row() {
    return pool.get(random.nextInt(pool.size()));
  }

  /** A bare key, the beginning of one, one with a byte changed or added. */
  byte[] bound() {
    byte[] row = row();
    int at = random.nextInt(row.length);
    switch (random.nextInt(5)) {
      case 0:
        return Bytes.head(row, at + 1);
      case 1:
        byte[] changed = row.clone();
        changed[at] += (byte) (random.nextBoolean() ? 1 : -1);
        return changed;
      case 2:
        return Bytes.add(row, new byte[] {(byte) random.nextInt(256)});
      default:
        return row;
    }
  }

  byte[] qualifier() {
    return QUALIFIERS[random.nextInt(QUALIFIERS.length)];
  }

  byte[] family() {
    return oneIn(4) ? G : F;
  }

  byte[] value() {
    return Bytes.toBytes("v" + random.nextInt(5));
  }

  long time() {
    return time - random.nextInt(20);
  }

  long now() {
    return time;
  }

  Put put(byte[] row) {
    time++;
    Put put = new Put(row, time);
    for (int i = 0; i <= random.nextInt(4); i++) {
      put.addColumn(family(), qualifier(), value());
    }
    return put;
  }

  Delete delete(byte[] row) {
    switch (random.nextInt(5)) {
      case 0:
        return new Delete(row, time());
      case 1:
        return new Delete(row).addFamily(family(), time());
      case 2:
        return new Delete(row).addFamilyVersion(family(), time());
      case 3:
        return new Delete(row).addColumns(family(), qualifier(), time());
      default:
        return new Delete(row).addColumn(family(), qualifier(), time());
    }
  }

  Increment increment(byte[] row) {
    return new Increment(row)
        .addColumn(F, COUNTER, random.nextInt(100))
        .setReturnResults(!oneIn(5));
  }

  Append append(byte[] row) {
    return new Append(row).addColumn(G, TEXT, value()).setReturnResults(!oneIn(5));
  }

  RowMutations mutations(byte[] row) throws IOException {
    List<Mutation> mutations = new ArrayList<>();
    mutations.add(put(row));
    mutations.add(oneIn(2) ? increment(row) : append(row));
    if (oneIn(3)) {
      mutations.add(new Delete(row).addColumns(G, qualifier(), time()));
    }
    return RowMutations.of(mutations);
  }

  CheckAndMutate check(byte[] row) throws IOException {
    CheckAndMutate.Builder check = CheckAndMutate.newBuilder(row);
    if (oneIn(3)) {
      check.ifMatches(filters.ofRows(2));
    } else if (oneIn(3)) {
      check.ifNotExists(family(), qualifier());
    } else {
      check.ifMatches(family(), qualifier(), oneOf(CompareOperator.LESS), value());
    }
    switch (random.nextInt(5)) {
      case 0:
        return check.build(delete(row));
      case 1:
        return check.build(increment(row));
      case 2:
        return check.build(append(row));
      case 3:
        return check.build(mutations(row));
      default:
        return check.build(put(row));
    }
  }

  private CompareOperator oneOf(CompareOperator usual) {
    CompareOperator[] all = CompareOperator.values();
    CompareOperator one = all[random.nextInt(all.length)];
    return one == CompareOperator.NO_OP ? usual : one;
  }

  Get get(byte[] row) throws IOException {
    Get get = new Get(row);
    if (oneIn(3)) {
      get.readAllVersions();
    }
    if (oneIn(3)) {
      long min = time();
      get.setTimeRange(min, min + random.nextInt(30) + 1);
    }
    if (oneIn(4)) {
      get.addColumn(F, qualifier());
    } else if (oneIn(4)) {
      get.addFamily(family());
    }
    if (oneIn(4)) {
      get.setFilter(oneIn(2) ? filters.ofCells() : filters.ofRows(2));
    }
    if (oneIn(6)) {
      get.setMaxResultsPerColumnFamily(1).setRowOffsetPerColumnFamily(random.nextInt(2));
    }
    return get.setCheckExistenceOnly(oneIn(10));
  }

  /** Any action of a batch. */
  Row action(byte[] row) throws IOException {
    switch (random.nextInt(7)) {
      case 0:
        return get(row);
      case 1:
        return delete(row);
      case 2:
        return increment(row);
      case 3:
        return append(row);
      case 4:
        return mutations(row);
      case 5:
        return check(row);
      default:
        return put(row);
    }
  }

  Scan scan() throws IOException {
    Scan scan = new Scan().setReversed(oneIn(3)).setRaw(oneIn(12));
    if (!oneIn(4)) {
      byte[] a = bound();
      byte[] b = bound();
      boolean swap = Bytes.compareTo(a, b) > 0 != scan.isReversed() && !oneIn(15);
      if (!oneIn(4)) {
        scan.withStartRow(swap ? b : a, !oneIn(3));
      }
      if (!oneIn(4)) {
        scan.withStopRow(swap ? a : b, oneIn(3));
      }
    } else if (oneIn(3)) {
      scan.setReversed(false)
          .setStartStopRowForPrefixScan(Bytes.head(row(), 1 + random.nextInt(3)));
    }
    if (oneIn(3)) {
      scan.setLimit(1 + random.nextInt(12));
    } else if (oneIn(6)) {
      scan.setOneRowLimit();
    } else if (oneIn(3)) {
      // Never with a limit: HBase itself miscounts then, so there is nothing to compare with.
      scan.setBatch(1 + random.nextInt(3));
    }
    scan.setCaching(oneIn(3) ? -1 : 1 + random.nextInt(7));
    if (oneIn(3)) {
      scan.readAllVersions();
    }
    if (oneIn(5)) {
      long min = time();
      scan.setTimeRange(min, min + random.nextInt(200) + 1);
    }
    if (oneIn(4) && !scan.isRaw()) {
      scan.addFamily(family());
    } else if (oneIn(5) && !scan.isRaw()) {
      scan.addColumn(F, qualifier());
    }
    if (scan.getBatch() < 0 && oneIn(2) && !scan.isRaw()) {
      Filter filter = filters.ofScans();
      while (scan.isReversed() && RandomFilters.seeksColumns(filter)) {
        // HBase 3.0.0 may read one cell of it for ever; hbase-facts.md.
        filter = filters.ofScans();
      }
      // HBase loads families on demand in ascending scans only.
      scan.setFilter(filter).setLoadColumnFamiliesOnDemand(!scan.isReversed());
      if (RandomFilters.looksForPrefix(scan.getFilter())) {
        // HBase 2.5.13's own PrefixFilter fails where columns are named; hbase-facts.md.
        scan.setFamilyMap(new TreeMap<>(Bytes.BYTES_COMPARATOR));
      }
    }
    if (oneIn(6)) {
      scan.setMaxResultSize(1 + random.nextInt(2000));
    }
    return scan.setCacheBlocks(oneIn(2))
        .setReadType(oneIn(3) ? Scan.ReadType.PREAD : Scan.ReadType.DEFAULT);
  }
}
