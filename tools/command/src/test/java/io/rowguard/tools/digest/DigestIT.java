package io.rowguard.tools.digest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.testing.MiniCluster;
import io.rowguard.tools.ClusterSession;
import io.rowguard.tools.CommandResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A salted table and a plain copy of it on a cluster. */
@ExtendWith(MiniCluster.class)
class DigestIT {
  private static final RowkeyLayout LAYOUT =
      RowkeyLayout.parse("{salt:digits(2)=murmur3(user)%4}-{user:word}|{n:digits(2)}");
  private static final byte[] F = Bytes.toBytes("f");
  private static final int USERS = 300;

  @TempDir private Path directory;

  private final HBaseTestingUtility hbase;

  DigestIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  private Table create(String name, RowkeyLayout layout, String... splits) throws IOException {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(2).build());
    if (layout != null) {
      table.setValue("rowguard.layout", layout.toString());
    }
    byte[][] keys = new byte[splits.length][];
    for (int i = 0; i < splits.length; i++) {
      keys[i] = Bytes.toBytes(splits[i]);
    }
    hbase.getAdmin().createTable(table.build(), keys);
    return hbase.getConnection().getTable(TableName.valueOf(name));
  }

  private static void fill(Table table, UnaryOperator<byte[]> row) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < USERS; i++) {
      byte[] key = row.apply(("u" + i + "|01").getBytes(StandardCharsets.UTF_8));
      for (long version = 1; version <= 2; version++) {
        puts.add(new Put(key, version).addColumn(F, F, Bytes.toBytes(i * version)));
      }
    }
    table.put(puts);
  }

  @Test
  void digest_ofASaltedTableAndItsCopy_isTheSameAndNamesWhatDiffers() throws Exception {
    try (Table salted = create("digest_salted", LAYOUT, "01", "02-u2", "03");
        Table copy = create("digest_copy", null, "u15", "u200|01")) {
      fill(salted, LAYOUT::complete);
      fill(copy, row -> row);
      ClusterSession session = new ClusterSession(hbase, directory);
      String newest = directory.resolve("newest.digest").toString();
      String versions = directory.resolve("versions.digest").toString();

      CommandResult first = session.run("digest", "digest_salted", "-o", newest);
      assertEquals(0, first.exitCode(), first.err());
      assertTrue(first.out().contains("rows    300\ncells   300\n"), first.out());
      assertTrue(first.out().contains("ranges  300, in "), first.out());
      CommandResult all =
          session.run("digest", "digest_salted", "--versions", "--ranges", "16", "-o", versions);
      assertTrue(all.out().contains("of      --versions\nrows    300\ncells   600\n"), all.out());

      for (String file : List.of(newest, versions)) {
        CommandResult same = session.run("digest", "digest_copy", "--against", file);
        assertEquals(0, same.exitCode(), same.out() + same.err());
        assertTrue(same.out().contains("Both have the same cells."), same.out());
      }

      // One version less, which readers of the newest do not see.
      copy.delete(new Delete(Bytes.toBytes("u77|01")).addColumn(F, F, 1));
      assertEquals(0, session.run("digest", "digest_copy", "--against", newest).exitCode());
      CommandResult coarse = session.run("digest", "digest_copy", "--against", versions);
      assertEquals(1, coarse.exitCode(), coarse.err());
      assertTrue(coarse.out().contains("They differ in 1 range."), coarse.out());

      // The command that it says next, until there is a row.
      String narrower = directory.resolve("narrower.digest").toString();
      String next =
          coarse.out().lines().filter(line -> line.startsWith("Next: ")).findFirst().orElseThrow();
      assertTrue(next.startsWith("Next: rowguard digest digest_salted --start "), next);
      String against = "\n      rowguard digest digest_copy --against FILE --site " + directory;
      assertTrue(coarse.out().contains(against), coarse.out());
      List<String> words =
          List.of(next.replace("'", "").substring("Next: rowguard digest ".length()).split(" "));
      List<String> arguments = new ArrayList<>(words.subList(0, words.indexOf("-o")));
      arguments.addAll(List.of("-o", narrower));
      CommandResult part = session.run("digest", arguments.toArray(new String[0]));
      assertEquals(0, part.exitCode(), part.out() + part.err());
      CommandResult fine = session.run("digest", "digest_copy", "--against", narrower);
      assertEquals(1, fine.exitCode(), fine.err());
      assertTrue(
          fine.out().lines().anyMatch(line -> line.matches("  u77\\|01 +\\S+ +1 +1 +1 +2")),
          fine.out());
      assertFalse(fine.out().contains("Next: "), fine.out());

      // Written anew, as by a copy through a client.
      copy.put(new Put(Bytes.toBytes("u5|01"), 9).addColumn(F, F, Bytes.toBytes(10L)));
      copy.put(new Put(Bytes.toBytes("u6|01"), 9).addColumn(F, F, Bytes.toBytes(12L)));
      assertEquals(1, session.run("digest", "digest_copy", "--against", newest).exitCode());
      String values = directory.resolve("values.digest").toString();
      session.run("digest", "digest_salted", "--no-timestamps", "-o", values);
      CommandResult timeless = session.run("digest", "digest_copy", "--against", values);
      assertEquals(0, timeless.exitCode(), timeless.out());

      CommandResult wrong = session.run("digest", "digest_copy", "--against", values, "--versions");
      assertEquals(2, wrong.exitCode());
      assertTrue(wrong.err().contains("--against FILE says which cells"), wrong.err());
      CommandResult missing = session.run("digest", "digest_missing");
      assertEquals(2, missing.exitCode());
      assertTrue(missing.err().contains("There is no such table."), missing.err());
    } finally {
      hbase.deleteTable(TableName.valueOf("digest_salted"));
      hbase.deleteTable(TableName.valueOf("digest_copy"));
    }
  }
}
