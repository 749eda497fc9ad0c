package io.rowguard.soak;

import io.rowguard.checker.NaiveLayout;
import io.rowguard.checker.RowState.Column;
import io.rowguard.soak.SoakTable.Kind;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;

/**
 * A client that loads rows in bulk, an HFile at a time, as they are stored by the layout that the
 * table has; now and then one with a row that does not fit. For one thread.
 *
 * <p>A load that was taken is there whole. Of one that has failed some regions may have their part,
 * since HBase loads them side by side (hbase-facts.md); it is not tried again.
 */
final class BulkLoadClient {
  private static final AtomicInteger LOADS = new AtomicInteger();
  private static final String DOES_NOT_FIT = "Rowkey does not fit";
  private static final String IS_CHANGING = "layout is being changed";
  private static final int MOST_USERS = 10;
  private static final int MOST_ROWS_OF_USER = 20;

  private final SoakTable table;
  private final Admin admin;
  private final Configuration conf;
  private final Retries retries;
  private final Events events;
  private final Random random;

  /**
   * A client.
   *
   * @param conf of a connection that tries again
   */
  BulkLoadClient(
      SoakTable table, Admin admin, Configuration conf, Retries retries, Events events, long seed) {
    this.table = table;
    this.admin = admin;
    this.retries = retries;
    this.conf = new Configuration(conf);
    // Each region is asked once. HBase's tool goes on asking for a file that a request has moved of
    // which the answer was lost, and may take a load for done that was asked for twice
    // (hbase-facts.md).
    this.conf.setInt("hbase.client.retries.number", 0);
    this.events = events;
    this.random = new Random(seed);
  }

  /** One load. */
  void next() throws IOException, InterruptedException {
    NaiveLayout layout = layout();
    if (layout == null) {
      return;
    }
    if (random.nextInt(4) == 0) {
      loadBadRow(layout);
    } else {
      load(layout);
    }
    TimeUnit.MILLISECONDS.sleep(1000 + random.nextInt(4000));
  }

  /** The layout of the table, also while masters come and go; null when the soak is over. */
  private NaiveLayout layout() throws IOException, InterruptedException {
    AtomicReference<NaiveLayout> layout = new AtomicReference<>();
    retries.send("layout of " + table.name(), () -> layout.set(table.layout(admin)));
    return layout.get();
  }

  private void load(NaiveLayout layout) throws IOException, InterruptedException {
    String load = nextName();
    Map<String, List<String>> keys = new TreeMap<>();
    int users = 1 + random.nextInt(MOST_USERS);
    for (int i = 0; i < users; i++) {
      String user = LedgerClient.user(random.nextInt(SoakTable.USERS));
      keys.computeIfAbsent(user, this::newKeys);
    }
    List<String> all = keys.values().stream().flatMap(List::stream).toList();
    long begun = System.nanoTime();
    all.forEach(key -> table.ledger().begin(key, LedgerClient.value(key), begun));
    TreeMap<String, String> rows = new TreeMap<>();
    all.forEach(key -> rows.put(layout.row(key), LedgerClient.value(key)));
    try {
      send(load, rows);
    } catch (IOException e) {
      table.bulkLoads().failed(load, keys);
      events.say(load + " failed: " + Events.firstLine(root(e)));
      removeStaged();
      requireReason(load, layout, e);
      return;
    }
    long now = System.nanoTime();
    all.forEach(key -> table.ledger().acknowledge(key, now));
    table.bulkLoads().taken();
  }

  /** Keys of a user that have never been written, at least one, in their order. */
  private List<String> newKeys(String user) {
    int count = 1 + random.nextInt(MOST_ROWS_OF_USER);
    return Stream.generate(() -> LedgerClient.newKey(user)).limit(count).toList();
  }

  /** A row that fits may be refused only since the layout is another one by now. */
  private void requireReason(String load, NaiveLayout layout, IOException e)
      throws IOException, InterruptedException {
    if (says(e, DOES_NOT_FIT)) {
      NaiveLayout now = layout();
      if (now != null && layout.declaration().equals(now.declaration())) {
        throw new IOException("Refused: " + load + ", though it fits " + layout.declaration(), e);
      }
    }
    if (says(e, IS_CHANGING) && table.kind() != Kind.SALTED) {
      throw new IOException("Refused: " + load + ", though no layout changes", e);
    }
  }

  /** Loads rows of one user, and so into one region, of which one or all do not fit. */
  private void loadBadRow(NaiveLayout layout) throws IOException, InterruptedException {
    String load = nextName();
    List<String> keys = newKeys(LedgerClient.user(random.nextInt(SoakTable.USERS)));
    String first = layout.row(keys.get(0));
    TreeMap<String, String> rows = new TreeMap<>();
    boolean isBare = table.kind() != Kind.GROUPED && random.nextInt(3) == 0;
    keys.forEach(key -> rows.put(isBare ? key : layout.row(key), "of a load that does not fit"));
    if (!isBare) {
      // Behind all of them, or before: without its item.
      rows.put(
          random.nextBoolean() ? rows.lastKey() + "x" : first.substring(0, first.length() - 6), "");
    }
    try {
      send(load, rows);
    } catch (IOException e) {
      table.bulkLoads().badLoad(says(e, DOES_NOT_FIT));
      removeStaged();
      return;
    }
    throw new IOException(load + " was taken, though not all of it fits: " + rows.keySet());
  }

  /**
   * Removes what a load that has failed leaves on HBase 3.0 (hbase-facts.md), as an operator does:
   * a relayout does not start while it may be of a load that goes on. No other client loads.
   */
  private void removeStaged() throws IOException, InterruptedException {
    Path staging = new Path(CommonFSUtils.getRootDir(conf), HConstants.BULKLOAD_STAGING_DIR_NAME);
    retries.send(
        "removal of what was staged for " + table.name(),
        () -> {
          FileSystem files = staging.getFileSystem(conf);
          for (FileStatus load : files.listStatus(staging)) {
            if (load.getPath().getName().contains("__" + table.name() + "__")) {
              files.delete(load.getPath(), true);
            }
          }
        });
  }

  private String nextName() {
    return "bulk load " + LOADS.incrementAndGet() + " of " + table.name();
  }

  /** Writes the HFile of a load, and loads it. The rows are ASCII, and so in the order of bytes. */
  private void send(String load, SortedMap<String, String> rows) throws IOException {
    Path directory = new Path("/soak/" + load.replace(' ', '-'));
    Path family = new Path(directory, Bytes.toString(Column.C1.family()));
    FileSystem files = directory.getFileSystem(conf);
    long now = System.currentTimeMillis();
    try (HFile.Writer writer =
        HFile.getWriterFactory(conf, CacheConfig.DISABLED)
            .withPath(files, new Path(family, "rows"))
            .withFileContext(new HFileContextBuilder().build())
            .create()) {
      // Not append, whose type of cells is another in HBase 3.0.
      for (Map.Entry<String, String> row : rows.entrySet()) {
        writer.appendAll(
            List.of(
                new KeyValue(
                    Bytes.toBytes(row.getKey()),
                    Column.C1.family(),
                    Column.C1.qualifier(),
                    now,
                    Bytes.toBytes(row.getValue()))));
      }
      writer.appendFileInfo(HStoreFile.BULKLOAD_TIME_KEY, Bytes.toBytes(now));
    }
    BulkLoadHFiles.create(conf).bulkLoad(table.name(), directory);
  }

  private static boolean says(Throwable error, String text) {
    for (Throwable e = error; e != null; e = e.getCause()) {
      if (String.valueOf(e.getMessage()).contains(text)) {
        return true;
      }
    }
    return false;
  }

  private static Throwable root(Throwable error) {
    Throwable e = error;
    while (e.getCause() != null) {
      e = e.getCause();
    }
    return e;
  }
}
