package io.rowguard.observer.salt;

import static io.rowguard.observer.fixture.SaltedGuard.salted;
import static io.rowguard.observer.fixture.Writes.delete;
import static io.rowguard.observer.fixture.Writes.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.SaltedGuard;
import io.rowguard.observer.fixture.Servers;
import io.rowguard.testing.Eventually;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A region moves forth and back and is split then. For two minutes each of two servers says that it
 * is with the other, and HBase's client believes them: the forwarder must not.
 */
@ExtendWith(MiniCluster.class)
class SaltMovedRegionIT {
  private static final String START = "04-";

  /** Some of the rows that belong there, before the split and behind it. */
  private static final List<String> KEYS =
      IntStream.range(0, 200)
          .mapToObj(i -> "user" + i + "|0001")
          .filter(key -> salted(key).startsWith("04-") || salted(key).startsWith("06-"))
          .toList();

  /** How often a client asks before it gives up; all of it takes much less than two minutes. */
  private static final int TRIES = 4;

  private final HBaseTestingUtility hbase;
  private final Servers servers;

  SaltMovedRegionIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
    this.servers = new Servers(hbase);
  }

  @Test
  void puts_ofARegionThatIsGone_findTheNewOnes() throws Exception {
    assertEquals(rowsOf(KEYS), rowsAfter((table, key) -> table.put(put(key))));
  }

  /** Each goes by itself; the ones before by a batch. */
  @Test
  void deletes_ofARegionThatIsGone_findTheNewOnes() throws Exception {
    assertEquals(List.of(), rowsAfter((table, key) -> table.delete(delete(key))));
  }

  @Test
  void gets_ofARegionThatIsGone_findTheNewOnes() throws Exception {
    Call get = (table, key) -> assertTrue(table.exists(new Get(Bytes.toBytes(key))));
    assertEquals(rowsOf(KEYS), rowsAfter(get));
  }

  private static List<String> rowsOf(List<String> keys) {
    return keys.stream().map(SaltedGuard::salted).sorted().toList();
  }

  /** The rows stored after a call for each key, to a server that knows where the regions were. */
  private List<String> rowsAfter(Call call) throws Exception {
    Configuration conf = new Configuration(hbase.getConfiguration());
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
    try (GuardedTable guarded =
            SaltedGuard.table(hbase).with("rowguard.salt.timeout.ms", "5000").create();
        Connection impatient = ConnectionFactory.createConnection(conf);
        Table table = impatient.getTable(guarded.name())) {
      for (String key : KEYS) {
        guarded.table().put(put(key));
      }
      moveForthAndBackAndSplit(guarded);
      for (String key : KEYS) {
        insist(call, table, key);
      }
      guarded.table().getRegionLocator().clearRegionLocationCache();
      return guarded.rows();
    }
  }

  private void moveForthAndBackAndSplit(GuardedTable guarded) throws Exception {
    RegionInfo region =
        hbase.getAdmin().getRegions(guarded.name()).stream()
            .filter(each -> START.equals(Bytes.toString(each.getStartKey())))
            .findFirst()
            .orElseThrow();
    ServerName first = servers.of(region);
    servers.move(region, servers.otherThan(first));
    servers.move(region, first);
    int before = servers.regionsOf(guarded.name()).size();
    hbase.getAdmin().split(guarded.name(), Bytes.toBytes("06-"));
    Eventually.isTrue("a split", () -> servers.regionsOf(guarded.name()).size() > before);
  }

  /** Something a client does. */
  private interface Call {
    void make(Table table, String key) throws IOException;
  }

  private static void insist(Call call, Table table, String key) throws IOException {
    for (int left = TRIES - 1; left > 0; left--) {
      try {
        call.make(table, key);
        return;
      } catch (IOException e) {
        assertFalse(e instanceof DoNotRetryIOException, String.valueOf(e));
      }
    }
    call.make(table, key);
  }
}
