package io.rowguard.benchmarks.quality;

import io.rowguard.benchmarks.Benchmark;
import io.rowguard.benchmarks.BenchmarkCluster;
import java.io.IOException;
import java.io.PrintStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** Splits each data set under HBase's policy, under Rowguard's, and at best, and compares. */
public final class SplitQuality implements Benchmark {
  /** A table is split into about so many regions. */
  private static final int PARTS = 32;

  @Override
  public void run(PrintStream out) throws Exception {
    try (BenchmarkCluster cluster =
        BenchmarkCluster.withIndexBlocksOf(QualityTables.INDEX_BLOCK_BYTES)) {
      for (DataSet data : DataSets.all()) {
        TableRows rows = data.rows();
        long limit = rows.bytes(rows.all()) / PARTS;
        TableName hbases = TableName.valueOf(data.name() + "-hbase");
        TableName ours = TableName.valueOf(data.name() + "-rowguard");
        SplitResult byHBase = split(cluster, QualityTables.ofHBase(hbases, data), rows, limit);
        SplitResult byRowguard = split(cluster, QualityTables.guarded(ours, data), rows, limit);
        new QualityReport(data, byHBase, byRowguard, BestSplits.of(rows, limit)).print(out);
      }
    }
  }

  private static SplitResult split(
      BenchmarkCluster cluster, TableDescriptor table, TableRows rows, long limit)
      throws IOException, InterruptedException {
    long began = System.nanoTime();
    TableName name = table.getTableName();
    QualityTables.create(cluster.connection(), table, rows);
    SplitResult result = NotedSplits.of(cluster, name, rows, limit);
    cluster.drop(name);
    System.err.printf("%s: %d s%n", name, (System.nanoTime() - began) / 1_000_000_000);
    return result;
  }
}
