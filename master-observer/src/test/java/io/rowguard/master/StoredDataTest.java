package io.rowguard.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The files of a table's directory that are data. */
class StoredDataTest {
  private static final TableName ORDERS = TableName.valueOf("orders");

  @TempDir private Path root;

  @ParameterizedTest
  @CsvSource({
    "5f3a/f/8c0d1e, true",
    "5f3a/f/8c0d1e_SeqId_4_, true",
    "5f3a/f/8c0d1e.9a7b, true", // a reference, after a split
    "5f3a/f/orders=5f3a-8c0d1e, true", // a link, in a clone
    "5f3a/f/recovered.hfiles/0001, true",
    "5f3a/recovered.edits/0000000000000000004, true",
    "5f3a/recovered.edits/4.seqid, false",
    "5f3a/.regioninfo, false",
    "5f3a/.tmp/f/8c0d1e, false",
    "5f3a/.splits/9b/f/8c0d1e, false",
    "5f3a/f/.filelist/f1.1700000000000, false",
    "5f3a/f/_part, false",
    ".tabledesc/.tableinfo.0000000001.500, false",
    ".tmp/x/y, false",
    "5f3a/stray, false"
  })
  void isData_byPath_isAsHBaseLaysItOut(String path, boolean data) {
    assertEquals(data, StoredData.isData(path));
  }

  @Test
  void find_disabledTable_goesByItsFiles() throws IOException {
    StoredData data = data();
    Path table = root.resolve("data/default/orders");
    Path family = Files.createDirectories(table.resolve("5f3a/f"));
    Files.writeString(table.resolve("5f3a/.regioninfo"), "x");
    assertNull(data.find(ORDERS, true, false));

    Files.createFile(family.resolve("8c0d1e")); // empty, as a link is
    assertEquals("file 5f3a/f/8c0d1e", data.find(ORDERS, true, false));
  }

  @Test
  void find_noDirectory_isNone() {
    assertNull(data().find(ORDERS, true, false));
  }

  @Test
  void find_regionsNotOpen_isUnknown() {
    String found = data().find(ORDERS, false, false);

    assertTrue(found.startsWith("unknown, since not all regions are open"), found);
  }

  /** The connection is not asked in any of these. */
  private StoredData data() {
    Configuration conf = new Configuration(false);
    conf.set(HConstants.HBASE_DIR, root.toUri().toString());
    return new StoredData(conf, null);
  }
}
