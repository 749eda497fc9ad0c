package io.rowguard.mapreduce.audit;

import io.rowguard.layout.Explanation;
import io.rowguard.layout.RowText;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Verdict;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.Writable;

/**
 * The findings of an audit in one region. Its size depends on the number of examples, not on that
 * of rows. Not thread-safe.
 */
public final class RegionTally implements Writable {
  private String region = "";
  private byte[] start = {};
  private byte[] end = {};
  private long rows;
  private long bare;
  private long old;
  private final Map<Verdict, Long> counts = new EnumMap<>(Verdict.class);
  private final Map<Verdict, List<AuditExample>> examples = new EnumMap<>(Verdict.class);

  /** For Hadoop, which fills it by {@link #readFields}. */
  public RegionTally() {}

  RegionTally(String region, byte[] start, byte[] end) {
    this.region = region;
    this.start = start;
    this.end = end;
  }

  /** Judges a row and counts it. Allocates nothing for a row that conforms. */
  void add(AuditScope scope, byte[] row, int offset, int length) {
    rows++;
    RowkeyLayout layout = scope.layout();
    Verdict verdict = layout.check(row, offset, length);
    if (verdict.conforms()) {
      return;
    }
    RowkeyLayout previous = scope.previous();
    if (previous != null && previous.check(row, offset, length).conforms()) {
      old++;
    } else {
      addRefused(scope, verdict, Arrays.copyOfRange(row, offset, offset + length));
    }
  }

  private void addRefused(AuditScope scope, Verdict verdict, byte[] row) {
    RowkeyLayout layout = scope.layout();
    boolean isBare = layout.hasDerivedSegments() && layout.completeIfBare(row) != null;
    bare += isBare ? 1 : 0;
    counts.merge(verdict, 1L, Long::sum);
    List<AuditExample> kept = examples.computeIfAbsent(verdict, code -> new ArrayList<>());
    if (kept.size() < scope.examples()) {
      Explanation explanation = layout.explain(row);
      kept.add(new AuditExample(RowText.abbreviated(row), explanation.problem(), isBare));
    }
  }

  /** Drops examples: at most so many stay of each mistake. */
  void limitExamples(Map<Verdict, Integer> left) {
    examples.forEach(
        (verdict, kept) -> {
          int more = left.getOrDefault(verdict, 0);
          if (kept.size() > more) {
            kept.subList(more, kept.size()).clear();
          }
        });
  }

  /** The region's encoded name. */
  public String region() {
    return region;
  }

  /**
   * The start of reading: the region's start key, or the range's where that is later; inclusive.
   */
  public byte[] start() {
    return start.clone();
  }

  /** The end of reading: the region's end key, or the range's where that is earlier; exclusive. */
  public byte[] end() {
    return end.clone();
  }

  /** How many rows were read. */
  public long rows() {
    return rows;
  }

  /** How many of them do not fit. */
  public long refused() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** How many of those lack only what the layout derives. */
  public long bare() {
    return bare;
  }

  /** How many rows do not fit, but fit the layout that rows leave; not among the refused ones. */
  public long old() {
    return old;
  }

  /** How many rows have each mistake; mistakes that no row has are not among them. */
  public Map<Verdict, Long> counts() {
    return Collections.unmodifiableMap(counts);
  }

  /** The first rows with a mistake, in the order of rows. */
  public List<AuditExample> examples(Verdict verdict) {
    return Collections.unmodifiableList(
        examples.getOrDefault(verdict, Collections.<AuditExample>emptyList()));
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeUTF(region);
    Bytes.writeByteArray(out, start);
    Bytes.writeByteArray(out, end);
    out.writeLong(rows);
    out.writeLong(bare);
    out.writeLong(old);
    out.writeInt(counts.size());
    for (Map.Entry<Verdict, Long> count : counts.entrySet()) {
      // By name: names are stable.
      out.writeUTF(count.getKey().name());
      out.writeLong(count.getValue());
      List<AuditExample> kept = examples(count.getKey());
      out.writeInt(kept.size());
      for (AuditExample example : kept) {
        example.write(out);
      }
    }
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    region = in.readUTF();
    start = Bytes.readByteArray(in);
    end = Bytes.readByteArray(in);
    rows = in.readLong();
    bare = in.readLong();
    old = in.readLong();
    counts.clear();
    examples.clear();
    for (int i = in.readInt(); i > 0; i--) {
      Verdict verdict = Verdict.valueOf(in.readUTF());
      counts.put(verdict, in.readLong());
      List<AuditExample> kept = new ArrayList<>();
      for (int j = in.readInt(); j > 0; j--) {
        kept.add(AuditExample.read(in));
      }
      examples.put(verdict, kept);
    }
  }
}
