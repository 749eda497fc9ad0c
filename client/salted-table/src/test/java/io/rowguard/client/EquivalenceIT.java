package io.rowguard.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Segment;
import io.rowguard.layout.SegmentType.Kind;
import io.rowguard.testing.MiniCluster;
import io.rowguard.testing.WholeOnly;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The same actions on an unsalted table of one region, and through a SaltedTable on a salted one of
 * several: every answer must be the same, down to the cell. Where writers choose the bucket,
 * actions that need the whole row are refused, and so carried out on neither.
 */
@ExtendWith(MiniCluster.class)
@Tag("long")
class EquivalenceIT {
  private static final String[] WORDS = {"a", "ab", "a0", "b", "ba", "z_", "Z9", "0", "99"};
  private static final String[] TEXTS = {"a", "0a", "f", "é", "日本", " ", "}", "a-b", "7f"};

  private Random random;
  private RowkeyLayout layout;

  /** The first six have reject, salt and no mode, and sums, steps and chosen buckets. */
  @WholeOnly(after = 6)
  @ParameterizedTest(name = "seed {0} {3}")
  @CsvSource(
      delimiter = ';',
      value = {
        "3;200;salt;{salt:digits(2)=murmur3(user)%16}-{user:word}|{item:digits(4)}",
        "7;300;;{a:digits(1)=crc32(user)%3}{user:word}|{b:uint8=java31(item)%4}-{item:digits(2)}",
        "16;300;;{s:digits(2)=md5(user)%4+n%2,20 from n=30,30 from n=256}|{user:word}/{n:int64"
            + " descending}",
        "19;400;reject;{salt:digits(2)=murmur3(user)%16+any of 4}-{user:word}|{item:digits(2)}",
        "21;300;reject;{user:word}|{item:digits(4)}",
        "13;300;salt;{salt:digits(2)=murmur3(user)%16+murmur3(*)%3}-{user:word}/{item:digits(3)}",
        "5;300;;{tenant:word}/{salt:hex(1)=murmur3(item)%5}.{item:digits(3)}",
        "8;300;;{hash:hex(1)=md5(*)}{id:text}",
        "11;200;;{k:digits(2) reversed}{salt:uint8=crc32(*)%7}{t:uint64 descending}",
        "17;300;;{salt:digits(2)=murmur3(user)%5+crc32(*)%2}-{user:word}/{note:text optional}",
        "1;300;;{salt:digits(2)=murmur3(user)%16}-{user:word}|{item:digits(4)}",
        "2;200;reject;{salt:digits(2)=murmur3(user)%16}-{user:word}|{item:digits(4)}",
        "4;300;;{part:uint8=id%20}{id:uint32}",
        "6;300;salt;{tenant:word}/{salt:hex(1)=murmur3(item)%5}.{item:digits(3)}",
        "9;300;reject;{id:word}|{check:hex(4)=md5(id)}-{n:digits(2)}",
        "10;60;;v1/{salt:bytes(1)=md5(id)}{id:digits(3)}",
        "12;300;;{salt:digits(2)=murmur3(user)%16+murmur3(item)%3}-{user:word}/{item:digits(3)}",
        "14;300;;{salt:hex(1)=crc32(*)%3,11 from day=40}-{day:digits(2)}/{id:word}",
        "15;300;salt;{salt:hex(1)=crc32(id)%3,5 from day=9,11 from"
            + " day=40}-{day:digits(2)}/{id:word}",
        "18;400;;{salt:digits(2)=any of 20}-{user:word}|{item:digits(2)}",
        "20;400;;{day:digits(2)}{salt:hex(1)=any of 3,9 from day=40}{b:uint8=any of 2}{id:text}"
      })
  void sameActions_onBothTables_giveTheSameAnswers(
      long seed, int rounds, String mode, String text, HBaseTestingUtility hbase) throws Exception {
    random = new Random(seed);
    layout = RowkeyLayout.parse(text);
    List<byte[]> pool = pool();
    byte[][] splits = splits(pool);
    TableName name = Tables.create(hbase, text, mode, splits);
    // A page filter counts in each region, which is to be seen where nothing is derived.
    boolean sameRegions = !layout.hasDerivedSegments();
    TableName plainName = Tables.create(hbase, null, null, sameRegions ? splits : new byte[0][]);
    Table plain = hbase.getConnection().getTable(plainName);
    SaltedTable salted = SaltedTable.open(hbase.getConnection(), name);
    TwinTables twins = new TwinTables(plain, salted, random, pool);
    for (int round = 0; round < rounds; round++) {
      // A flush drops versions above the most, and of a row in several buckets fewer than of one.
      if (round % 100 == 99 && !layout.hasChoice()) {
        hbase.flush(name);
        hbase.flush(plainName);
      }
      twins.act("seed=" + seed + " round=" + round + " ");
    }
    twins.requireAllTheSame("seed=" + seed, rounds);
    assertEquals(0, salted.notConforming());
    assertEquals(layout.hasChoice(), twins.refused() > 0, "refused=" + twins.refused());
    assertTrue(twins.refused() < rounds * 2 / 3, "refused=" + twins.refused());
    plain.close();
    salted.close();
    Tables.drop(hbase, name, plainName);
  }

  private List<byte[]> pool() {
    Set<byte[]> pool = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (int i = 0; i < 60; i++) {
      Map<String, Object> values = new LinkedHashMap<>();
      for (Segment segment : layout.segments()) {
        boolean isMissing = segment.isOptional() && random.nextInt(4) == 0;
        if (!segment.isDerived() && !isMissing) {
          values.put(segment.name(), value(segment));
        }
      }
      pool.add(layout.bare().encode(values));
    }
    assertTrue(pool.size() > 20, "" + pool.size());
    return new ArrayList<>(pool);
  }

  private Object value(Segment segment) {
    Kind kind = segment.type().kind();
    int length = segment.minLength();
    if (kind == Kind.WORD) {
      return WORDS[random.nextInt(WORDS.length)];
    }
    if (kind == Kind.TEXT) {
      return TEXTS[random.nextInt(TEXTS.length)] + TEXTS[random.nextInt(TEXTS.length)];
    }
    if (kind == Kind.DIGITS) {
      return (long) random.nextInt(Math.min(100, (int) Math.pow(10, length)));
    }
    long[] edges = {0, 1, 0xff, 0x100, 0xffff, 0x10000, 0xfffffffeL, 0xffffffffL, 0x7f000000L};
    return random.nextBoolean() ? random.nextInt(60) : edges[random.nextInt(edges.length)];
  }

  /** Regions that begin at rows, within rows, and at the borders of buckets. */
  private byte[][] splits(List<byte[]> pool) {
    Set<byte[]> splits = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (int i = 0; i < 5; i++) {
      byte[] row = layout.complete(pool.get(random.nextInt(pool.size())));
      splits.add(Bytes.head(row, 1 + random.nextInt(row.length)));
    }
    Set<byte[]> ordered = new LinkedHashSet<>(splits);
    return ordered.toArray(new byte[0][]);
  }
}
