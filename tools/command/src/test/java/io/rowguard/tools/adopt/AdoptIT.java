package io.rowguard.tools.adopt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.testing.MiniCluster;
import io.rowguard.tools.ClusterSession;
import io.rowguard.tools.CommandResult;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** {@code rowguard adopt} on live tables. */
@ExtendWith(MiniCluster.class)
class AdoptIT {
  private static final byte[] F = Bytes.toBytes("f");
  private static final int BUCKETS = 12;

  @TempDir private Path directory;

  @Test
  void adopt_tableOfOpenTsdb_findsItsBucketsFromTheRowsOfItsRegions(HBaseTestingUtility hbase)
      throws Exception {
    TableName name = TableName.valueOf("adopted", "tsdb");
    ClusterSession session = new ClusterSession(hbase, directory);
    create(hbase, name);

    CommandResult empty = session.run("adopt", "opentsdb", "adopted:tsdb");
    assertEquals(0, empty.exitCode(), empty.err());
    assertTrue(empty.err().contains("no rows to look at"), empty.err());
    assertTrue(empty.out().contains("java31(metric,tags)%20"), empty.out());

    put(hbase, name, rows());
    CommandResult adopted = session.run("adopt", "opentsdb", "adopted:tsdb");
    assertEquals(0, adopted.exitCode(), adopted.err());
    assertTrue(adopted.out().contains("45 of 45 fit"), adopted.out());
    assertTrue(adopted.out().contains("java31(metric,tags)%" + BUCKETS + "}"), adopted.out());
    assertTrue(adopted.out().contains("alter 'adopted:tsdb'"), adopted.out());

    byte[] wrong = rows().get(0);
    wrong[0] = (byte) ((wrong[0] + 1) % BUCKETS);
    put(hbase, name, List.of(wrong));
    CommandResult spoilt = session.run("adopt", "opentsdb", "adopted:tsdb");
    assertEquals(1, spoilt.exitCode(), spoilt.err());
    assertTrue(spoilt.out().contains("45 of 46 fit"), spoilt.out());
    assertTrue(spoilt.out().contains("segment salt is not what"), spoilt.out());

    CommandResult none = session.run("adopt", "opentsdb", "adopted:nothing");
    assertEquals(2, none.exitCode());
    assertTrue(none.err().contains("There is no such table"), none.err());
    hbase.deleteTable(name);
    hbase.getAdmin().deleteNamespace("adopted");
  }

  /** Fifteen in each of three regions of four buckets. */
  private static List<byte[]> rows() {
    String text = "{salt:uint8=java31(metric,tags)%" + BUCKETS + "}{metric:bytes(3)}{hour:uint32}";
    RowkeyLayout layout = RowkeyLayout.parse(text + "{tags:bytes}");
    int[] perRegion = new int[3];
    List<byte[]> rows = new ArrayList<>();
    for (int n = 0; rows.size() < 45; n++) {
      byte[] bareKey =
          ByteBuffer.allocate(13)
              .put(new byte[] {0, 0, (byte) n})
              .putInt(1763596800 + 3600 * n)
              .put(new byte[] {0, 0, 1, 0, (byte) (n >> 8), (byte) n})
              .array();
      byte[] row = layout.complete(bareKey);
      if (perRegion[row[0] / 4]++ < 15) {
        rows.add(row);
      }
    }
    return rows;
  }

  private static void create(HBaseTestingUtility hbase, TableName name) throws IOException {
    hbase
        .getAdmin()
        .createNamespace(NamespaceDescriptor.create(name.getNamespaceAsString()).build());
    hbase
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .build(),
            new byte[][] {{4}, {8}});
  }

  private static void put(HBaseTestingUtility hbase, TableName name, List<byte[]> rows)
      throws IOException {
    try (Table table = hbase.getConnection().getTable(name)) {
      for (byte[] row : rows) {
        table.put(new Put(row).addColumn(F, F, F));
      }
    }
  }
}
