package io.rowguard.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.testing.MiniCluster;
import io.rowguard.testing.WholeOnly;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The same as {@link EquivalenceIT} while the layout changes: some rows are at their old place,
 * some at the new one, some at both, and more and more of them move.
 */
@ExtendWith(MiniCluster.class)
@Tag("long")
class ChangingEquivalenceIT {
  private static final String UNSALTED = "{user:word}|{item:digits(4)}";
  private static final String SALTED =
      "{salt:digits(2)=murmur3(user)%16}-{user:word}|{item:digits(4)}";
  private static final String MORE =
      "{salt:digits(2)=murmur3(user)%64}-{user:word}|{item:digits(4)}";
  private static final String MIDDLE = "{user:word}|{salt:hex(1)=murmur3(item)%4}.{item:digits(4)}";
  private static final String[] WORDS = {"a", "ab", "a0", "b", "ba", "z_", "Z9", "0", "99"};

  private Random random;
  private RandomActions actions;
  private Table plain;
  private TwoPlaces places;
  private SaltedTable salted;
  private int scans;
  private final AnswerText texts = new AnswerText();

  @WholeOnly(after = 3)
  @ParameterizedTest(name = "seed {0} {3} -> {4}")
  @CsvSource(
      delimiter = ';',
      value = {
        "1;300;moving;" + SALTED + ";" + MORE,
        "2;300;moving;" + UNSALTED + ";" + SALTED,
        "3;300;moving;" + SALTED + ";" + UNSALTED,
        "4;300;moving;" + SALTED + ";" + MIDDLE,
        "5;300;moving;" + MIDDLE + ";" + MORE,
        "6;100;prepared;" + UNSALTED + ";" + SALTED,
        "7;300;moving;{part:uint8=id%20}{id:uint32};{part:uint8=id%7}{id:uint32}"
      })
  void sameActions_onBothTables_giveTheSameAnswers(
      long seed, int rounds, String phase, String from, String to, HBaseTestingUtility hbase)
      throws Exception {
    random = new Random(seed);
    boolean moving = phase.equals("moving");
    List<byte[]> pool = pool(RowkeyLayout.parse(from));
    actions = new RandomActions(random, pool);
    TableName plainName = Tables.create(hbase, null, null);
    plain = hbase.getConnection().getTable(plainName);
    places = new TwoPlaces(hbase, from, to, moving, splits(pool, from, to));
    salted = SaltedTable.open(hbase.getConnection(), places.name());
    assertTrue(salted.isLayoutChanging());
    for (int round = 0; round < rounds; round++) {
      if (round % 100 == 99) {
        hbase.flush(places.name());
        hbase.flush(plainName);
      }
      if (moving && random.nextInt(4) == 0) {
        places.copy(actions.row());
      }
      if (random.nextInt(4) == 0) {
        places.drop(actions.row());
      }
      act("seed=" + seed + " round=" + round + " ", moving);
    }
    assertTrue(
        scans > rounds / 5 && texts.rowsScanned() > rounds, scans + " " + texts.rowsScanned());
    Scan all = new Scan().readAllVersions();
    assertEquals(texts.scan(plain, all), texts.scan(salted, all), "seed=" + seed);
    assertEquals(0, salted.notConforming());
    long old = pool.stream().filter(places::isAtOld).count();
    long both = pool.stream().filter(places::isAtBoth).count();
    assertEquals(moving, old < pool.size(), "old=" + old + " both=" + both);
    plain.close();
    places.close();
    salted.close();
    Tables.drop(hbase, places.name(), plainName);
  }

  private void act(String where, boolean moving) throws IOException, InterruptedException {
    int kind = random.nextInt(20);
    byte[] row = actions.row();
    if (kind < 8) {
      Scan scan = actions.scan();
      String what = where + Bytes.toStringBinary(scan.getStartRow()) + " " + scan;
      assertEquals(texts.scan(plain, new Scan(scan)), texts.scan(salted, new Scan(scan)), what);
      scans++;
    } else if (kind < 10) {
      Get get = actions.get(row);
      assertEquals(AnswerText.of(plain.get(get)), AnswerText.of(salted.get(get)), where + get);
      assertEquals(plain.exists(get), salted.exists(get), where + get);
    } else if (kind == 10) {
      List<Get> gets = new ArrayList<>();
      for (byte[] one : rows(12)) {
        gets.add(actions.get(one));
      }
      assertEquals(
          AnswerText.of((Object[]) plain.get(gets)),
          AnswerText.of((Object[]) salted.get(gets)),
          where + gets);
      assertEquals(
          Arrays.toString(plain.exists(gets)), Arrays.toString(salted.exists(gets)), where + gets);
    } else if (kind == 11) {
      batch(where, moving);
    } else {
      Row action = kind < 16 ? actions.put(row) : actions.action(row);
      Object[] answers = new Object[1];
      plain.batch(List.of(action), answers);
      boolean throughTable = places.isAtOld(row) != moving && !places.isAtBoth(row);
      Object answer = throughTable ? throughTable(action) : places.act(action);
      assertEquals(
          AnswerText.of(answers),
          AnswerText.of(answer),
          where + Bytes.toStringBinary(row) + " " + action);
    }
  }

  private Object throughTable(Row action) throws IOException, InterruptedException {
    Object[] answers = new Object[1];
    salted.batch(List.of(action), answers);
    return answers[0];
  }

  /** Actions on keys at home, and Gets of any. */
  private void batch(String where, boolean moving) throws IOException, InterruptedException {
    List<Row> batch = new ArrayList<>();
    for (byte[] one : rows(10)) {
      boolean atHome = places.isAtOld(one) != moving && !places.isAtBoth(one);
      batch.add(atHome ? actions.action(one) : actions.get(one));
    }
    Object[] expected = new Object[batch.size()];
    plain.batch(batch, expected);
    Object[] answers = new Object[batch.size()];
    Set<String> told = new TreeSet<>();
    if (random.nextBoolean()) {
      salted.batch(batch, answers);
    } else {
      salted.batchCallback(
          batch, answers, (region, row, answer) -> told.add(Bytes.toStringBinary(row)));
      assertEquals(batch.size(), told.size(), where + batch);
    }
    assertEquals(AnswerText.of(expected), AnswerText.of(answers), where + batch);
  }

  private Set<byte[]> rows(int most) {
    Set<byte[]> rows = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (int i = 0; i < 1 + random.nextInt(most); i++) {
      rows.add(actions.row());
    }
    return rows;
  }

  private List<byte[]> pool(RowkeyLayout layout) {
    boolean words = layout.toString().contains("user");
    Set<byte[]> pool = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (int i = 0; i < 80; i++) {
      String user = WORDS[random.nextInt(WORDS.length)];
      pool.add(
          words
              ? Bytes.toBytes(String.format("%s|%04d", user, random.nextInt(100)))
              : Bytes.toBytes(random.nextInt(120) * (i % 5 == 0 ? 0x1000001 : 1)));
    }
    return new ArrayList<>(pool);
  }

  /** Regions that begin at old and new rows, and within them. */
  private byte[][] splits(List<byte[]> pool, String from, String to) {
    Set<byte[]> splits = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (int i = 0; i < 6; i++) {
      RowkeyLayout layout = RowkeyLayout.parse(i % 2 == 0 ? from : to);
      byte[] row = layout.complete(pool.get(random.nextInt(pool.size())));
      splits.add(Bytes.head(row, 1 + random.nextInt(row.length)));
    }
    return splits.toArray(new byte[0][]);
  }
}
