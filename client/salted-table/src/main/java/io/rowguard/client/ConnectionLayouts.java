package io.rowguard.client;

import io.rowguard.config.TableConfig;
import java.io.IOException;
import java.util.Collections;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;

/**
 * The layouts of the tables that one connection has opened: each is read once, and kept up to date
 * by its {@link LayoutCache}. Thread-safe.
 *
 * <p>A table without a layout is read again, in the background, when it is opened more than {@link
 * LayoutCache#NANOS_OF_BELIEF} later: it may have been made anew with one.
 */
final class ConnectionLayouts {
  /** Reads what a table declares. */
  interface Configs {
    TableConfig read(TableName table) throws IOException;
  }

  private final Configs configs;
  private final Executor background;
  private final LongSupplier nanos;
  private final ConcurrentMap<TableName, Known> tables = new ConcurrentHashMap<>();

  /**
   * @param background reads again, or drops that where it has no thread free
   */
  ConnectionLayouts(Configs configs, Executor background, LongSupplier nanos) {
    this.configs = configs;
    this.background = background;
    this.nanos = nanos;
  }

  /**
   * The layouts of a table that declares any; null for any other table, and without asking for
   * HBase's own. Asks for the table's descriptor the first time.
   *
   * @throws IOException when that cannot be read, as there is no such table, or declares something
   *     wrong
   */
  LayoutCache of(TableName table) throws IOException {
    if (table.isSystemTable()) {
      return null;
    }
    Known known = tables.get(table);
    if (known == null) {
      Known read = read(table);
      Known other = tables.putIfAbsent(table, read);
      known = other == null ? read : other;
    } else if (known.cache == null
        && nanos.getAsLong() - known.readAt > LayoutCache.NANOS_OF_BELIEF) {
      known.readAt = nanos.getAsLong();
      Known before = known;
      background.execute(() -> readAgain(table, before));
    }
    return known.cache;
  }

  /** Forgets all tables, so that each is read again when it is opened next. */
  void clear() {
    tables.clear();
  }

  private Known read(TableName table) throws IOException {
    TableConfig config = configs.read(table);
    FilterRules filters = new FilterRules(table, Collections.emptySet());
    if (!config.isWrong() && !config.hasLayout()) {
      return new Known(null, nanos.getAsLong());
    }
    LayoutCache.Declaration declaration = () -> declared(table, configs.read(table), filters);
    return new Known(
        new LayoutCache(
            declared(table, config, filters), () -> orForget(table, declaration), background),
        nanos.getAsLong());
  }

  private static TableLayouts declared(TableName table, TableConfig config, FilterRules filters)
      throws DoNotRetryIOException {
    return TableLayouts.declared(
        SaltedTableBuilder.requireLayout(config, table), config.scanMaxBuckets(), filters);
  }

  /** Tables that are open stay what they are, when the layout has gone; who opens one next asks. */
  private TableLayouts orForget(TableName table, LayoutCache.Declaration declaration)
      throws IOException {
    try {
      return declaration.read();
    } catch (DoNotRetryIOException e) {
      tables.remove(table);
      throw e;
    }
  }

  private void readAgain(TableName table, Known before) {
    try {
      tables.replace(table, before, read(table));
    } catch (DoNotRetryIOException e) {
      // There is no such table any more, or it declares something wrong: who opens it is told.
      tables.remove(table, before);
    } catch (IOException e) {
      // The master may be away. A minute later it is asked again.
    }
  }

  /** The layouts of one table, and when they were read. */
  private static final class Known {
    /** Null where the table declares no layout. */
    final LayoutCache cache;

    volatile long readAt;

    Known(LayoutCache cache, long readAt) {
      this.cache = cache;
      this.readAt = readAt;
    }
  }
}
