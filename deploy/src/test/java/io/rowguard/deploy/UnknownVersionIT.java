package io.rowguard.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.testing.Eventually;
import io.rowguard.testing.WholeOnly;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/**
 * An HBase that lacks methods which the server jar calls, as a later version may: seen from the
 * jar, a method is gone when the jar calls it by a name that HBase does not have.
 */
@WholeOnly
class UnknownVersionIT {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final String OBSERVER = "io.rowguard.observer.LayoutRegionObserver";
  private static final String GONE = "GoneInThisVersion";

  /** The check of a write calls the first, the search for a split point the second. */
  private static final Map<String, String> METHODS =
      Map.of(
          "org/apache/hadoop/hbase/regionserver/MiniBatchOperationInProgress", "getOperation",
          "org/apache/hadoop/hbase/regionserver/HStore", "getStorefiles");

  @TempDir static Path temporary;

  private final Standalone standalone = Standalone.in(temporary);

  @AfterEach
  void discard() throws Exception {
    standalone.discard();
  }

  @Test
  void methodsGone_writesAreRefusedReadsGoOnRegionsDoNotSplitAndServersLive() throws Exception {
    standalone.setJar(jarWithoutMethods());
    standalone.start();
    try (Connection connection = ConnectionFactory.createConnection(standalone.client());
        Admin admin = connection.getAdmin()) {
      TableName plain = TableName.valueOf("plain");
      admin.createTable(table(plain).build());
      TableName strict = TableName.valueOf("strict");
      TableDescriptorBuilder layout =
          table(strict)
              .setValue("rowguard.layout", "{tenant:word}/{item:digits(4)}")
              .setValue("rowguard.group", "tenant")
              .setRegionSplitPolicyClassName("io.rowguard.split.LayoutRegionSplitPolicy")
              .setCoprocessor(OBSERVER);
      admin.createTable(layout.setValue("rowguard.mode", "off").build());
      TableName salted = TableName.valueOf("salted");
      admin.createTable(
          table(salted)
              .setValue("rowguard.layout", "{salt:digits(2)=murmur3(user)%4}-{user:word}|")
              .setValue("rowguard.mode", "salt")
              .setCoprocessor(OBSERVER)
              .build());

      // Rows of before, by the mode that is the way out.
      put(connection, strict, "alice/0001");
      put(connection, strict, "bob/0001");
      admin.modifyTable(layout.setValue("rowguard.mode", "reject").build());

      for (String row : List.of("alice/0002", "x")) {
        assertRefused(connection, strict, row);
      }
      for (String row : List.of("alice|", "01-alice|")) {
        assertRefused(connection, salted, row);
      }
      assertEquals(2, count(connection, strict));
      assertEquals(0, count(connection, salted));
      try (Table table = connection.getTable(strict)) {
        assertTrue(table.exists(new Get(Bytes.toBytes("bob/0001"))));
      }

      admin.flush(strict);
      assertThrows(IOException.class, () -> admin.split(strict));
      Pattern error =
          Pattern.compile("ERROR .*does not split.*NoSuchMethodError.*getStorefiles" + GONE);
      Eventually.isTrue("it says why", () -> error.matcher(standalone.log()).find());
      assertEquals(1, error.matcher(standalone.log()).results().count());
      assertEquals(1, admin.getRegions(strict).size());

      put(connection, plain, "x");
      assertEquals(1, count(connection, plain));
    }
    String log = standalone.log();
    for (String table : List.of("strict", "salted")) {
      Pattern error =
          Pattern.compile("ERROR .*table=" + table + " .*NoSuchMethodError.*getOperation" + GONE);
      assertTrue(error.matcher(log).find(), log);
    }
    assertFalse(log.contains("ABORTING"), log);
  }

  private static TableDescriptorBuilder table(TableName name) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F));
  }

  private static void put(Connection connection, TableName name, String row) throws IOException {
    try (Table table = connection.getTable(name)) {
      table.put(new Put(Bytes.toBytes(row)).addColumn(F, Q, Q));
    }
  }

  private static void assertRefused(Connection connection, TableName name, String row) {
    DoNotRetryIOException refusal =
        assertThrows(DoNotRetryIOException.class, () -> put(connection, name, row));
    assertTrue(refusal.getMessage().contains("NoSuchMethodError"), refusal.getMessage());
    assertTrue(refusal.getMessage().contains("getOperation" + GONE), refusal.getMessage());
    assertTrue(refusal.getMessage().contains("table=" + name), refusal.getMessage());
  }

  private static int count(Connection connection, TableName name) throws IOException {
    int rows = 0;
    try (Table table = connection.getTable(name);
        ResultScanner scanner = table.getScanner(new Scan())) {
      while (scanner.next() != null) {
        rows++;
      }
    }
    return rows;
  }

  private static Path jarWithoutMethods() throws IOException {
    Path changed = temporary.resolve("rowguard-server-of-another-version.jar");
    Remapper renaming =
        new Remapper() {
          @Override
          public String mapMethodName(String owner, String name, String descriptor) {
            return name.equals(METHODS.get(owner)) ? name + GONE : name;
          }
        };
    try (JarFile jar = new JarFile(System.getProperty("rowguard.server.jar"));
        JarOutputStream out = new JarOutputStream(Files.newOutputStream(changed))) {
      for (JarEntry entry : Collections.list(jar.entries())) {
        out.putNextEntry(new JarEntry(entry.getName()));
        try (InputStream in = jar.getInputStream(entry)) {
          byte[] content = in.readAllBytes();
          out.write(entry.getName().endsWith(".class") ? renamed(content, renaming) : content);
        }
      }
    }
    return changed;
  }

  private static byte[] renamed(byte[] content, Remapper renaming) {
    ClassWriter writer = new ClassWriter(0);
    new ClassReader(content).accept(new ClassRemapper(writer, renaming), 0);
    return writer.toByteArray();
  }
}
