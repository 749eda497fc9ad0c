package io.rowguard.tools.presplit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.testing.MiniCluster;
import io.rowguard.tools.Rowguard;
import io.rowguard.tools.cli.Terminal;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tables that presplit makes on a cluster, and files that HBase reads. */
@ExtendWith(MiniCluster.class)
class PresplitCreateIT {
  private static final String LAYOUT =
      "{salt:digits(2)=murmur3(user)%16}-{user:word}|{time:millis}";

  @TempDir private Path directory;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int rowguard(String... args) {
    Terminal terminal =
        new Terminal(
            InputStream.nullInputStream(), new PrintWriter(out), new PrintWriter(err), "plain");
    return Rowguard.run(terminal, args);
  }

  private String site(HBaseTestingUtility hbase) throws Exception {
    Path site = directory.resolve("hbase-site.xml");
    try (OutputStream stream = Files.newOutputStream(site)) {
      hbase.getConfiguration().writeXml(stream);
    }
    return site.toString();
  }

  @Test
  void create_guardedTable_opensWithItsRegionsAndItsGuard(HBaseTestingUtility hbase)
      throws Exception {
    int exitCode =
        rowguard(
            "presplit",
            LAYOUT,
            "-g",
            "user",
            "-n",
            "4",
            "--create",
            "guarded",
            "--families",
            "f,g",
            "--site",
            site(hbase));
    assertEquals(0, exitCode, err::toString);
    assertEquals("Created guarded with 4 regions.", out.toString().strip());
    TableName name = TableName.valueOf("guarded");
    try (Table table = hbase.getConnection().getTable(name)) {
      TableDescriptor descriptor = table.getDescriptor();
      assertEquals(LAYOUT, descriptor.getValue("rowguard.layout"));
      assertEquals("user", descriptor.getValue("rowguard.group"));
      assertEquals("reject", descriptor.getValue("rowguard.mode"));
      assertEquals(TablePlan.SPLIT_POLICY, descriptor.getRegionSplitPolicyClassName());
      assertTrue(descriptor.hasCoprocessor(TablePlan.OBSERVER));
      assertEquals(2, descriptor.getColumnFamilyCount());
      byte[][] starts = hbase.getConnection().getRegionLocator(name).getStartKeys();
      assertEquals(
          List.of("", "04", "08", "12"), Arrays.stream(starts).map(Bytes::toString).toList());
      byte[] good = Bytes.toBytesBinary("13-alice|\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x01");
      table.put(put(good));
      byte[] bad = Bytes.toBytesBinary("07-alice|\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x01");
      assertThrows(DoNotRetryIOException.class, () -> table.put(put(bad)));
    }
  }

  private static Put put(byte[] row) {
    return new Put(row).addColumn(Bytes.toBytes("f"), Bytes.toBytes("q"), Bytes.toBytes("v"));
  }

  @Test
  void create_withoutPlugins_isAPlainTable(HBaseTestingUtility hbase) throws Exception {
    int exitCode =
        rowguard(
            "presplit",
            "{part:uint64=id%20}{id:uint64}",
            "-n",
            "20",
            "--create",
            "plain",
            "--families",
            "f",
            "--no-plugins",
            "--site",
            site(hbase));
    assertEquals(0, exitCode, err::toString);
    TableName name = TableName.valueOf("plain");
    TableDescriptor descriptor = hbase.getAdmin().getDescriptor(name);
    assertNull(descriptor.getValue("rowguard.layout"));
    assertTrue(descriptor.getCoprocessorDescriptors().isEmpty());
    byte[][] starts = hbase.getConnection().getRegionLocator(name).getStartKeys();
    assertEquals(20, starts.length);
    assertArrayEquals(Bytes.toBytes(7L), starts[7]);
  }

  @Test
  void create_tableThatExists_isOneLineAndExitCode2(HBaseTestingUtility hbase) throws Exception {
    String site = site(hbase);
    String[] command = {
      "presplit", "{id:hex(16)}", "-n", "2", "--create", "twice", "--families", "f", "--site", site
    };
    assertEquals(0, rowguard(command), err::toString);
    assertEquals(2, rowguard(command));
    assertEquals("rowguard: The table exists already. table=twice", err.toString().strip());
  }

  @Test
  void create_impossibleName_saysWhatHBaseSays(HBaseTestingUtility hbase) throws Exception {
    int exitCode =
        rowguard(
            "presplit",
            "{id:hex(16)}",
            "-n",
            "2",
            "--create",
            "no/name",
            "--families",
            "f",
            "--site",
            site(hbase));
    assertEquals(2, exitCode);
    assertEquals(1, err.toString().lines().count(), err::toString);
    assertTrue(err.toString().contains("no/name"), err::toString);
  }

  @Test
  void splitsFile_binaryKeys_isReadByHBaseAsItWasMeant(HBaseTestingUtility hbase) throws Exception {
    // The shell's reading of a SPLITS_FILE: each line, without its end, through toBytesBinary.
    assertEquals(0, rowguard("presplit", "{id:bytes(3)}", "-n", "256"));
    List<byte[]> keys = out.toString().lines().map(Bytes::toBytesBinary).toList();
    assertEquals(255, keys.size());
    for (int i = 0; i < keys.size(); i++) {
      assertArrayEquals(new byte[] {(byte) (i + 1)}, keys.get(i));
      assertFalse(out.toString().lines().toList().get(i).contains(" "));
    }
    TableName name = TableName.valueOf("binary");
    hbase.createTable(name, new byte[][] {Bytes.toBytes("f")}, keys.toArray(new byte[0][]));
    assertEquals(256, hbase.getAdmin().getRegions(name).size());
  }

  @Test
  void cookbook_hexPresplitDoneWrong_isWhatBytesSplitMakes() throws Exception {
    String page = Files.readString(Path.of("../../docs/cookbook.md"));
    String begin = "$ cat > bytes.splits <<END\n";
    int from = page.indexOf(begin) + begin.length();
    List<String> shown = page.substring(from, page.indexOf("END\n", from)).lines().toList();
    byte[][] keys = Bytes.split(Bytes.toBytes("0"), Bytes.toBytes("g"), 7);
    assertEquals(shown, Arrays.stream(keys).skip(1).limit(7).map(Bytes::toStringBinary).toList());
  }
}
