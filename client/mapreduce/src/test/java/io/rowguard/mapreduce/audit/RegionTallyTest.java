package io.rowguard.mapreduce.audit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Verdict;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class RegionTallyTest {
  private static final RowkeyLayout LAYOUT =
      RowkeyLayout.parse("{salt:digits(2)=murmur3(user)%16}-{user:word}").withMaxRowLength(12);

  private static RegionTally tally(int examples, String... rows) {
    RegionTally tally = new RegionTally("abc", Bytes.toBytes("0"), Bytes.toBytes("1"));
    for (String row : rows) {
      byte[] padded = Bytes.toBytes("<" + row + ">");
      tally.add(AuditScope.of(LAYOUT).withExamples(examples), padded, 1, padded.length - 2);
    }
    return tally;
  }

  private static String salted(String user) {
    return Bytes.toString(LAYOUT.complete(Bytes.toBytes(user)));
  }

  @Test
  void add_rowsOfAllKinds_countsThemByMistake() {
    RegionTally tally =
        tally(2, salted("a"), "a", "user", "b", "xx-user", "01-" + "u".repeat(20), salted("b"));
    assertEquals(7, tally.rows());
    assertEquals(5, tally.refused());
    assertEquals(3, tally.bare());
    assertEquals(
        Map.of(Verdict.TOO_SHORT, 2L, Verdict.NOT_DIGITS, 2L, Verdict.TOO_LONG, 1L),
        tally.counts());
    List<AuditExample> examples = tally.examples(Verdict.TOO_SHORT);
    assertEquals(List.of("a", "b"), examples.stream().map(AuditExample::row).toList());
    assertTrue(examples.get(0).isBare());
    assertEquals(List.of(), tally.examples(Verdict.WRONG_SALT));
  }

  @Test
  void add_bareKeyWhoseRowWouldBeTooLong_isNoBareKey() {
    RegionTally tally = tally(1, "u".repeat(10));
    assertEquals(1, tally.refused());
    assertEquals(0, tally.bare());
    assertFalse(tally.examples(tally.counts().keySet().iterator().next()).get(0).isBare());
  }

  @Test
  void add_rowsOfTheLayoutThatRowsLeave_areOldAndNotRefused() throws IOException {
    RowkeyLayout previous = RowkeyLayout.parse("{hash:hex(2)=md5(*)}/{user:word}");
    AuditScope scope = AuditScope.of(LAYOUT).withPrevious(previous.withMaxRowLength(10));
    RegionTally tally = new RegionTally("abc", new byte[0], new byte[0]);
    for (String user : List.of("alice", "bob", "abcdefgh")) {
      byte[] row = previous.complete(Bytes.toBytes(user));
      tally.add(scope, row, 0, row.length);
    }
    byte[] row = Bytes.toBytes(salted("alice"));
    tally.add(scope, row, 0, row.length);
    assertEquals(4, tally.rows());
    assertEquals(2, tally.old());
    assertEquals(1, tally.refused());
    RegionTally copy = tally(1, "something");
    copy.readFields(new DataInputStream(new ByteArrayInputStream(bytes(tally))));
    assertEquals(2, copy.old());
  }

  @Test
  void limitExamples_fewerLeft_keepsTheFirst() {
    RegionTally tally = tally(5, "xx-a", "xx-b", "xx-c", "d");
    tally.limitExamples(Map.of(Verdict.NOT_DIGITS, 2));
    assertEquals(
        List.of("xx-a", "xx-b"),
        tally.examples(Verdict.NOT_DIGITS).stream().map(AuditExample::row).toList());
    assertEquals(4, tally.refused());
    tally.limitExamples(Map.of());
    assertEquals(List.of(), tally.examples(Verdict.NOT_DIGITS));
  }

  @Test
  void write_andRead_isTheSame() throws IOException {
    RegionTally tally = tally(2, "a", "xx-d", "01-" + "u".repeat(20), salted("b"));
    RegionTally copy = tally(1, "something", "of before");
    copy.readFields(new DataInputStream(new ByteArrayInputStream(bytes(tally))));
    assertEquals("abc", copy.region());
    assertArrayEquals(tally.start(), copy.start());
    assertArrayEquals(tally.end(), copy.end());
    assertEquals(4, copy.rows());
    assertEquals(tally.counts(), copy.counts());
    assertEquals(1, copy.bare());
    assertArrayEquals(bytes(tally), bytes(copy));
  }

  private static byte[] bytes(RegionTally tally) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    tally.write(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  @Test
  void scope_writtenAndRead_judgesTheSame() {
    Configuration conf = new Configuration(false);
    AuditScope.of(LAYOUT).withExamples(7).writeTo(conf);
    AuditScope copy = AuditScope.readFrom(conf);
    assertEquals(LAYOUT, copy.layout());
    assertEquals(12, copy.layout().maxRowLength());
    assertEquals(7, copy.examples());
    assertNull(copy.previous());
    assertThrows(IllegalArgumentException.class, () -> copy.withExamples(-1));
  }

  @Test
  void scope_withTheLayoutThatRowsLeave_keepsIt() {
    RowkeyLayout previous = RowkeyLayout.parse("{user:word}").withMaxRowLength(9);
    Configuration conf = new Configuration(false);
    AuditScope.of(LAYOUT).withPrevious(previous).within(new byte[0], new byte[1]).writeTo(conf);
    AuditScope copy = AuditScope.readFrom(conf);
    assertEquals(previous, copy.previous());
    assertEquals(LAYOUT, copy.layout());
  }

  /** All its rows are shorter than the limit, and a longer one has bytes left over. */
  @Test
  void scope_layoutOfFixedLength_keepsTheLimitOfRows() {
    Configuration conf = new Configuration(false);
    AuditScope.of(RowkeyLayout.parse("{id:hex(4)}")).writeTo(conf);
    RowkeyLayout copy = AuditScope.readFrom(conf).layout();
    assertEquals(Verdict.TRAILING_BYTES, copy.check(Bytes.toBytes("00ff0")));
  }

  /** A layout may hold what Hadoop would take for a variable. */
  @Test
  void scope_layoutThatLooksLikeAVariable_isTakenAsItIs() {
    RowkeyLayout layout = RowkeyLayout.parse("$\\{user.name\\}{id:hex(4)}");
    Configuration conf = new Configuration(false);
    AuditScope.of(layout).writeTo(conf);
    assertEquals(layout, AuditScope.readFrom(conf).layout());
  }

  @Test
  void scope_scan_sparesTheServers() throws IOException {
    AuditScope scope = AuditScope.of(LAYOUT).within(Bytes.toBytes("0"), Bytes.toBytes("1"));
    assertFalse(scope.scan().getCacheBlocks());
    assertTrue(scope.scan().getCaching() > 1);
    assertArrayEquals(Bytes.toBytes("0"), scope.scan().getStartRow());
    assertArrayEquals(Bytes.toBytes("1"), scope.scan().getStopRow());
  }
}
