package io.rowguard.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.config.TableConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

/** How often a connection asks for the layouts of its tables, and what it makes of them. */
class ConnectionLayoutsTest {
  private static final TableName NAME = TableName.valueOf("t");

  /** Null where the table declares no layout. */
  private final Map<TableName, String> declared = new HashMap<>();

  private final List<Runnable> background = new ArrayList<>();
  private int reads;
  private boolean masterAway;
  private long nanos;

  private final ConnectionLayouts layouts =
      new ConnectionLayouts(this::read, background::add, () -> nanos);

  private TableConfig read(TableName table) throws IOException {
    reads++;
    if (masterAway) {
      throw new IOException("The master is away.");
    }
    if (!declared.containsKey(table)) {
      throw new TableNotFoundException(table);
    }
    TableDescriptorBuilder descriptor = TableDescriptorBuilder.newBuilder(table);
    if (declared.get(table) != null) {
      descriptor.setValue("rowguard.layout", declared.get(table));
    }
    return TableConfig.ofClient(descriptor.build(), new Configuration(false));
  }

  private void later() {
    nanos += LayoutCache.NANOS_OF_BELIEF + 1;
  }

  private void runBackground() {
    List<Runnable> due = new ArrayList<>(background);
    background.clear();
    due.forEach(Runnable::run);
  }

  @Test
  void of_saltedTable_isReadOnceAndShared() throws IOException {
    declared.put(NAME, Tables.LAYOUT);
    LayoutCache cache = layouts.of(NAME);
    assertNotNull(cache);
    assertSame(cache, layouts.of(NAME));
    later();
    assertSame(cache, layouts.of(NAME));
    assertEquals(1, reads);
  }

  @Test
  void of_systemTable_isNotRead() throws IOException {
    assertNull(layouts.of(TableName.META_TABLE_NAME));
    assertEquals(0, reads);
  }

  @Test
  void of_tableWithoutLayout_isNoneAndReadAgainAMinuteLaterInTheBackground() throws IOException {
    declared.put(NAME, null);
    assertNull(layouts.of(NAME));
    nanos += LayoutCache.NANOS_OF_BELIEF;
    assertNull(layouts.of(NAME));
    assertEquals(List.of(), background);

    declared.put(NAME, Tables.LAYOUT);
    nanos++;
    assertNull(layouts.of(NAME));
    assertNull(layouts.of(NAME));
    assertEquals(1, background.size());
    runBackground();
    assertNotNull(layouts.of(NAME));
    assertEquals(2, reads);
  }

  @Test
  void of_tableWithoutLayoutAndMasterAway_staysWhatItWas() throws IOException {
    declared.put(NAME, null);
    layouts.of(NAME);
    masterAway = true;
    later();
    layouts.of(NAME);
    runBackground();
    assertNull(layouts.of(NAME));
    assertEquals(2, reads);
  }

  @Test
  void of_tableThatHasGone_isAskedForAgain() throws IOException {
    declared.put(NAME, null);
    layouts.of(NAME);
    declared.clear();
    later();
    layouts.of(NAME);
    runBackground();
    assertThrows(TableNotFoundException.class, () -> layouts.of(NAME));
  }

  @Test
  void of_layoutWithNothingDerived_isReadAgainWhenItIsRefused() throws IOException {
    declared.put(NAME, "{user:word}|{item:digits(4)}");
    LayoutCache cache = layouts.of(NAME);
    assertFalse(cache.now().isDeriving());
    declared.put(NAME, Tables.LAYOUT);
    assertFalse(layouts.of(NAME).now().isDeriving());
    assertTrue(cache.after(cache.now()).isDeriving());
    assertSame(cache, layouts.of(NAME));
  }

  @Test
  void of_saltedTableMadeAnewWithoutLayout_opensHBasesOwnNext() throws IOException {
    declared.put(NAME, Tables.LAYOUT);
    LayoutCache cache = layouts.of(NAME);
    declared.put(NAME, null);
    assertThrows(DoNotRetryIOException.class, () -> cache.after(cache.now()));
    assertNull(layouts.of(NAME));
    declared.put(NAME, Tables.LAYOUT);
    layouts.clear();
    assertNotSame(cache, layouts.of(NAME));
  }

  @Test
  void of_saltedTableAndMasterAway_keepsWhatItKnows() throws IOException {
    declared.put(NAME, Tables.LAYOUT);
    LayoutCache cache = layouts.of(NAME);
    masterAway = true;
    assertThrows(IOException.class, () -> cache.after(cache.now()));
    assertSame(cache, layouts.of(NAME));
  }

  @Test
  void of_wrongLayout_saysWhy() {
    declared.put(NAME, "{user:wrod}");
    assertThrows(DoNotRetryIOException.class, () -> layouts.of(NAME));
    assertThrows(DoNotRetryIOException.class, () -> layouts.of(NAME));
    assertEquals(2, reads);
  }
}
