package io.rowguard.tools.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rowguard.layout.Verdict;
import io.rowguard.mapreduce.audit.RegionTally;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class FindingsCollectorTest {

  /** A tally as a job writes it. */
  private static RegionTally tally(
      String region, String start, String end, long rows, Map<Verdict, Long> counts)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeUTF(region);
    Bytes.writeByteArray(out, Bytes.toBytes(start));
    Bytes.writeByteArray(out, Bytes.toBytes(end));
    out.writeLong(rows);
    out.writeLong(/* bare */ 1);
    out.writeLong(/* old */ 2);
    out.writeInt(counts.size());
    for (Map.Entry<Verdict, Long> count : counts.entrySet()) {
      out.writeUTF(count.getKey().name());
      out.writeLong(count.getValue());
      out.writeInt(1);
      out.writeUTF("row of " + region);
      out.writeUTF("problem");
      out.writeBoolean(false);
    }
    RegionTally tally = new RegionTally();
    tally.readFields(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    return tally;
  }

  @Test
  void add_severalRegions_sumsThemAndNamesThoseWithMistakes() throws IOException {
    FindingsCollector collector = new FindingsCollector();
    collector.add(tally("a", "", "1", 10, Map.of(Verdict.NOT_HEX, 2L)));
    collector.add(tally("b", "1", "2", 20, Map.of()));
    collector.add(tally("c", "2", "", 30, Map.of(Verdict.NOT_HEX, 1L, Verdict.TOO_SHORT, 4L)));
    assertEquals(60, collector.rows());
    assertEquals(7, collector.refused());
    assertEquals(3, collector.bare());
    assertEquals(6, collector.old());
    assertEquals(3, collector.regionsRead());
    List<AuditFindings.Code> codes = collector.codes();
    assertEquals(
        List.of(Verdict.TOO_SHORT, Verdict.NOT_HEX),
        codes.stream().map(AuditFindings.Code::verdict).toList());
    assertEquals(2, codes.get(1).regions());
    assertEquals(
        List.of("a", "c"),
        codes.get(1).examples().stream().map(AuditFindings.Example::region).toList());
    assertEquals(
        List.of("a", "c"), collector.regions().stream().map(AuditFindings.Region::name).toList());
  }

  @Test
  void add_oneRegionInTwoParts_isOneRegion() throws IOException {
    FindingsCollector collector = new FindingsCollector();
    collector.add(tally("a", "", "1", 10, Map.of(Verdict.NOT_HEX, 2L)));
    collector.add(tally("a", "1", "2", 5, Map.of(Verdict.NOT_HEX, 1L, Verdict.NOT_WORD, 1L)));
    assertEquals(1, collector.regionsRead());
    AuditFindings.Region region = collector.regions().get(0);
    assertEquals(15, region.rows());
    assertEquals(4, region.refused());
    assertEquals(Map.of(Verdict.NOT_HEX, 3L, Verdict.NOT_WORD, 1L), region.counts());
    assertEquals("", region.start());
    assertEquals("2", region.end());
    assertEquals("(start) .. 2", region.range());
    assertEquals(1, collector.codes().get(0).regions());
  }
}
