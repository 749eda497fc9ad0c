package io.rowguard.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines of HBase's logs, as 2.6.1 and 3.0.0 write them. */
class SplitsTest {
  private static final String BY_SIZE = "000005a2d53d4783a4efdd6f7bf6e7f0";
  private static final String BY_LOAD = "2fadcacb4957b8070043a2a2b301a3a9";
  private static final String BY_HAND = "11542d5a0cd1807fb16c0ff1e37ea843";

  @TempDir private Path logs;

  private void log(String server, String... lines) throws IOException {
    Path file = logs.resolve(server);
    Files.createDirectories(file.getParent());
    Files.writeString(file, String.join("\n", lines) + "\n", StandardCharsets.ISO_8859_1);
  }

  private static String done(String table, String parent) {
    return "2026-11-28 13:22:51,412 INFO  [PEWorker-15] procedure2.ProcedureExecutor: Finished"
        + " pid=212, state=SUCCESS; SplitTableRegionProcedure table="
        + table
        + ", parent="
        + parent
        + ", daughterA=55a5cd8d69286e9d1f3a11b32d83e57f,"
        + " daughterB=b5d7d88873378f606311e7e40728c00d in 870 msec";
  }

  private static String byLoad(String parent) {
    return "2026-11-28 13:21:13,153 INFO  [rowguard-load-198.19.57.31,22640,1795871953147]"
        + " load.LoadSplitter: A region is split by its load. table=t region="
        + parent
        + " perSecond=613 verdict=\"even\" key=\"w0063\" smallerSide=0.50";
  }

  private Splits splits() throws IOException {
    return Splits.of(logs, TableName.valueOf("t"), Set.of(BY_HAND));
  }

  @Test
  void of_logsOfAllServers_tellsReasonsApart() throws IOException {
    log("master-1/hbase.log.1", done("t", BY_LOAD));
    log("master-1/hbase.log", "\u00fc" + done("t", BY_SIZE));
    log("master-2/hbase.log", done("t", BY_HAND), done("t", BY_HAND));
    log("region-server-1/hbase.log", byLoad(BY_LOAD), byLoad(BY_HAND));

    assertEquals("by size=1 by load=1 by hand=1", splits().toString());
  }

  @Test
  void of_whatWasAskedForOnly_isNone() throws IOException {
    log("region-server-1/hbase.log", byLoad(BY_LOAD));

    assertEquals(new Splits(0, 0, 0), splits());
  }

  @Test
  void of_anotherTable_isNone() throws IOException {
    log("master-1/hbase.log", done("t2", BY_SIZE), done("a:t", BY_SIZE));
    log("master-1/audit.log", done("t", BY_SIZE));

    assertEquals(new Splits(0, 0, 0), splits());
  }
}
