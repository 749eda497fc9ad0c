package io.rowguard.mapreduce.audit;

import io.rowguard.layout.Verdict;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Reducer;

/**
 * Writes the tallies in the order of rows, and of each mistake only the first examples. There is
 * one of it; it holds one tally at a time.
 */
final class AuditReducer
    extends Reducer<ImmutableBytesWritable, RegionTally, NullWritable, RegionTally> {
  private final Map<Verdict, Integer> left = new EnumMap<>(Verdict.class);

  /** For Hadoop. */
  AuditReducer() {}

  @Override
  protected void setup(Context context) {
    int examples = AuditScope.readFrom(context.getConfiguration()).examples();
    for (Verdict verdict : Verdict.values()) {
      left.put(verdict, examples);
    }
  }

  @Override
  protected void reduce(
      ImmutableBytesWritable start, Iterable<RegionTally> tallies, Context context)
      throws IOException, InterruptedException {
    for (RegionTally tally : tallies) {
      tally.limitExamples(left);
      for (Verdict verdict : tally.counts().keySet()) {
        left.merge(verdict, -tally.examples(verdict).size(), Integer::sum);
      }
      context.write(NullWritable.get(), tally);
    }
  }
}
