package io.rowguard.client;

import static io.rowguard.client.Tables.F;

import io.rowguard.config.LayoutStamp;
import io.rowguard.config.OtherRowException;
import io.rowguard.config.Relayout;
import io.rowguard.config.StaleLayoutException;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.KeyRange;
import io.rowguard.layout.LayoutChange;
import io.rowguard.layout.RowkeyLayout;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Attributes;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table in memory whose layout changes all the time: at each call that a client makes it may be
 * altered, a region may reopen, rows may move. Its regions do what those of a server with Rowguard
 * do: they refuse other versions, refuse old places while rows move, and pull before they write.
 * Everything happens in the caller's thread, and in the same way for the same seed.
 */
final class ChangingWorld {
  private static final TableName NAME = TableName.valueOf("world");
  private static final byte[][] STARTS =
      Tables.bytes("", "04-", "10-u02", "3", "45-", "u01|", "u02|0002");

  /** Declarations of the table, one after the other; each has its index as its version. */
  private final List<TableConfig> script = new ArrayList<>();

  private final Random random;
  private final List<Region> regions = new ArrayList<>();
  private final NavigableMap<byte[], NavigableMap<byte[], byte[]>> rows =
      new TreeMap<>(Bytes.BYTES_COMPARATOR);
  private int current;
  private static final int REST = 10;
  int refusals;
  int pulls;
  int alters;

  private static final class Region {
    private final byte[] start;
    private int step;
    private int epoch;

    Region(byte[] start) {
      this.start = start;
    }
  }

  /**
   * @param layouts which the table has, one after the other
   * @param backs whether each second change is taken back once, and then carried out
   */
  ChangingWorld(long seed, List<String> layouts, boolean backs) {
    random = new Random(seed);
    for (byte[] start : STARTS) {
      regions.add(new Region(start));
    }
    long version = 0;
    script.add(config(layouts.get(0), null, null, 0, version));
    for (int i = 1; i < layouts.size(); i++) {
      String from = layouts.get(i - 1);
      String to = layouts.get(i);
      version++;
      long generation = version;
      script.add(config(to, from, "prepared", generation, version));
      script.add(config(to, from, "moving", generation, ++version));
      if (backs && i % 2 == 0) {
        // By two: a region that has not reopened must refuse who knows of it already.
        version += 2;
        script.add(config(from, to, "moving", version, version));
        version += 2;
        script.add(config(to, from, "moving", version, version));
      }
      script.add(config(to, null, null, 0, ++version));
    }
  }

  private static TableConfig config(
      String layout, String previous, String phase, long generation, long version) {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(NAME)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .setValue("rowguard.mode", "reject")
            .setValue("rowguard.layout", layout);
    if (version > 0) {
      table.setValue("rowguard.layout.version", Long.toString(version));
    }
    try {
      table.setCoprocessor(
          CoprocessorDescriptorBuilder.newBuilder("io.rowguard.observer.LayoutRegionObserver")
              .setPriority(1001)
              .build());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    if (previous != null) {
      table
          .setValue("rowguard.layout.previous", previous)
          .setValue("rowguard.layout.phase", phase)
          .setValue("rowguard.layout.generation", Long.toString(generation));
    }
    TableConfig config = TableConfig.of(table.build(), new Configuration(false));
    if (config.isWrong()) {
      throw new IllegalArgumentException(config.problems().toString());
    }
    return config;
  }

  private LayoutCache cache() {
    FilterRules filters = new FilterRules(NAME, java.util.Set.of());
    LayoutCache.Declaration declaration =
        () -> {
          synchronized (this) {
            tick();
            return TableLayouts.declared(script.get(current), 256, filters);
          }
        };
    TableLayouts first = TableLayouts.declared(script.get(current), 256, filters);
    return new LayoutCache(first, declaration, Runnable::run, millis -> pass(), System::nanoTime);
  }

  /** Opens a buffer of mutations as a client that comes now. */
  SaltedBufferedMutator mutator(BufferedMutator.ExceptionListener listener) throws IOException {
    BufferedMutatorParams params = new BufferedMutatorParams(NAME).listener(listener);
    return new SaltedBufferedMutator(Buffer::new, params, cache(), 60_000);
  }

  /** HBase's own buffer, of few mutations. */
  private final class Buffer implements BufferedMutator {
    private final ExceptionListener listener;
    private List<Mutation> buffered = new ArrayList<>();

    Buffer(BufferedMutatorParams params) {
      this.listener = params.getListener();
    }

    @Override
    public void mutate(Mutation mutation) throws IOException {
      mutate(List.of(mutation));
    }

    @Override
    public void mutate(List<? extends Mutation> mutations) throws IOException {
      buffered.addAll(mutations);
      if (buffered.size() > 20) {
        flush();
      }
    }

    @Override
    public void flush() throws IOException {
      List<Mutation> sent = buffered;
      buffered = new ArrayList<>();
      List<Throwable> causes = new ArrayList<>();
      List<Row> failed = new ArrayList<>();
      for (Mutation mutation : sent) {
        try {
          one(mutation);
        } catch (IOException e) {
          causes.add(e);
          failed.add(mutation);
        }
      }
      if (!causes.isEmpty()) {
        List<String> hosts = Collections.nCopies(causes.size(), "somewhere");
        listener.onException(new RetriesExhaustedWithDetailsException(causes, failed, hosts), this);
      }
    }

    @Override
    public void close() throws IOException {
      flush();
    }

    @Override
    public TableName getName() {
      return NAME;
    }

    @Override
    public Configuration getConfiguration() {
      return new Configuration(false);
    }

    @Override
    public long getWriteBufferSize() {
      return 1;
    }

    @Override
    @Deprecated
    public void setRpcTimeout(int timeout) {
      throw new UnsupportedOperationException();
    }

    @Override
    @Deprecated
    public void setOperationTimeout(int timeout) {
      throw new UnsupportedOperationException();
    }
  }

  /** Opens the table as a client that comes now. */
  SaltedTable open() {
    Table table =
        (Table)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Table.class},
                (proxy, method, args) -> call(method.getName(), args));
    FetchThreads threads = FetchThreads.of(SaltedScannerTest.refusing());
    return SaltedTable.of(table, cache(), threads);
  }

  /** Opens the table as an asynchronous client that comes now. One thread at a time is inside. */
  SaltedAsyncTable<AdvancedScanResultConsumer> openAsync() {
    @SuppressWarnings("unchecked") // a proxy knows no parameters
    AsyncTable<AdvancedScanResultConsumer> table =
        (AsyncTable<AdvancedScanResultConsumer>)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {AsyncTable.class},
                (proxy, method, args) -> callAsync(method.getName(), args));
    // Time passes only as somebody does something.
    FetchThreads threads =
        FetchThreads.withTimer(
            (task, millis) -> {
              pass();
              task.run();
            });
    return new RawSaltedAsyncTable(table, cache(), threads, null);
  }

  @SuppressWarnings("unchecked") // by the names of the methods
  private synchronized Object callAsync(String method, Object[] args) throws IOException {
    if (args == null) {
      return call(method, null);
    }
    if (args[0] instanceof List) {
      List<CompletableFuture<Object>> answers = new ArrayList<>();
      for (Row action : (List<? extends Row>) args[0]) {
        answers.add(answer(action));
      }
      return answers;
    }
    if (method.equals("getScanner")) {
      return ((Scanner) call(method, args)).locked();
    }
    if (method.equals("scan")) {
      ResultScanner scanner = new Scanner((Scan) args[0]).locked();
      CompletableFuture<Void> unused =
          CompletableFuture.runAsync(() -> tell(scanner, (AdvancedScanResultConsumer) args[1]));
      return null;
    }
    return args[0] instanceof Row action ? answer(action) : call(method, args);
  }

  /** HBase's own scan: tells of one result after the other, until it is suspended. */
  private static void tell(ResultScanner scanner, AdvancedScanResultConsumer consumer) {
    while (true) {
      Result result;
      try {
        result = scanner.next();
      } catch (IOException e) {
        consumer.onError(e);
        return;
      }
      if (result == null) {
        consumer.onComplete();
        return;
      }
      AsyncScanController controller = new AsyncScanController(() -> tell(scanner, consumer));
      consumer.onNext(new Result[] {result}, controller);
      switch (controller.leave()) {
        case WAIT:
          return;
        case END:
          consumer.onComplete();
          return;
        default:
          break;
      }
    }
  }

  private CompletableFuture<Object> answer(Row action) {
    CompletableFuture<Object> answer = new CompletableFuture<>();
    try {
      answer.complete(one(action));
    } catch (IOException e) {
      answer.completeExceptionally(e);
    }
    return answer;
  }

  /** Opens a buffer of mutations as an asynchronous client that comes now. */
  SaltedAsyncBufferedMutator asyncMutator() {
    AsyncBuffer buffer = new AsyncBuffer();
    AsyncBufferedMutator own =
        (AsyncBufferedMutator)
            Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {AsyncBufferedMutator.class}, buffer);
    return new SaltedAsyncBufferedMutator(own, cache(), openAsync());
  }

  /** HBase's own, of few mutations. */
  private final class AsyncBuffer implements InvocationHandler {
    private List<Mutation> buffered = new ArrayList<>();
    private List<CompletableFuture<Object>> futures = new ArrayList<>();

    @Override
    @SuppressWarnings("unchecked") // mutations only
    public Object invoke(Object proxy, Method method, Object[] args) {
      List<CompletableFuture<Object>> added = new ArrayList<>();
      if (method.getName().equals("mutate")) {
        for (Mutation mutation : (List<? extends Mutation>) args[0]) {
          buffered.add(mutation);
          added.add(new CompletableFuture<>());
        }
        futures.addAll(added);
      }
      if (args == null || buffered.size() > 20) {
        flush();
      }
      return args == null ? null : added;
    }

    private void flush() {
      List<Mutation> sent = buffered;
      List<CompletableFuture<Object>> toComplete = futures;
      buffered = new ArrayList<>();
      futures = new ArrayList<>();
      for (int i = 0; i < sent.size(); i++) {
        CompletableFuture<Object> future = toComplete.get(i);
        CompletableFuture<Object> answer;
        synchronized (ChangingWorld.this) {
          answer = answer(sent.get(i));
        }
        Futures.pass(answer.thenApply(result -> null), future);
      }
    }
  }

  synchronized boolean isOver() {
    return current == script.size() - 1 && regions.stream().allMatch(r -> r.step == current);
  }

  @SuppressWarnings("unchecked")
  private Object call(String method, Object[] args) throws IOException {
    switch (method) {
      case "getName":
        return NAME;
      case "getConfiguration":
        return new Configuration(false);
      case "getOperationTimeout":
        return 60_000L;
      case "getScanner":
        return new Scanner((Scan) args[0]);
      case "batch":
        batch((List<? extends Row>) args[0], (Object[]) args[1]);
        return null;
      case "put":
      case "delete":
      case "get":
        if (args[0] instanceof List) {
          Object[] results = new Object[((List<?>) args[0]).size()];
          try {
            batch((List<? extends Row>) args[0], results);
          } catch (RetriesExhaustedException e) {
            throw SaltedTableOfHBase3.isThere() ? firstOf(results) : e;
          }
          return method.equals("get")
              ? java.util.Arrays.copyOf(results, results.length, Result[].class)
              : null;
        }
        return one((Row) args[0]);
      case "increment":
        return one((Row) args[0]);
      default:
        throw new UnsupportedOperationException(method);
    }
  }

  private static IOException firstOf(Object[] results) {
    for (Object result : results) {
      if (result instanceof IOException e) {
        return e;
      }
    }
    throw new AssertionError("None of them has failed");
  }

  private void batch(List<? extends Row> actions, Object[] results) throws IOException {
    List<Throwable> causes = new ArrayList<>();
    List<Row> failed = new ArrayList<>();
    List<String> hosts = new ArrayList<>();
    for (int i = 0; i < results.length; i++) {
      try {
        results[i] = one(actions.get(i));
      } catch (IOException e) {
        results[i] = e;
        causes.add(new IOException("Not itself, but as a cause", e));
        failed.add(actions.get(i));
        hosts.add("somewhere");
      }
    }
    if (!causes.isEmpty()) {
      throw SaltedTableOfHBase3.isThere()
          ? new RetriesExhaustedException("Some failed")
          : new RetriesExhaustedWithDetailsException(causes, failed, hosts);
    }
  }

  private Object one(Row action) throws IOException {
    tick();
    Region region = regionOf(action.getRow());
    if (action instanceof Get get) {
      requireTaken(region, get);
      NavigableMap<byte[], byte[]> row = rows.get(action.getRow());
      return row == null ? Result.EMPTY_RESULT : result(action.getRow(), row, false);
    }
    return write(region, (Mutation) action);
  }

  private static Result result(byte[] row, Map<byte[], byte[]> cells, boolean more) {
    List<Cell> list = new ArrayList<>();
    cells.forEach((qualifier, value) -> list.add(new KeyValue(row, F, qualifier, 1, value)));
    return Result.create(list.toArray(new Cell[0]), null, false, more);
  }

  private TableConfig config(Region region) {
    return script.get(region.step);
  }

  private void requireTaken(Region region, Attributes request) throws IOException {
    LayoutStamp.Stored stored = () -> LayoutStamp.of(script.get(current));
    if (!LayoutStamp.isTaken(request, LayoutStamp.of(config(region)), stored)) {
      refusals++;
      throw new StaleLayoutException("stale");
    }
  }

  private Result write(Region region, Mutation mutation) throws IOException {
    requireTaken(region, mutation);
    byte[] row = mutation.getRow();
    TableConfig config = config(region);
    while (config.relayout() == null && !config.layout().check(row).conforms()) {
      if (LayoutStamp.ahead(mutation, config.layoutVersion()) == -1) {
        refusals++;
        throw new OtherRowException("ended");
      }
      if (LayoutStamp.ahead(mutation, config.layoutVersion()) <= 0) {
        throw new AssertionError("A row that does not conform: " + Bytes.toStringBinary(row));
      }
      // The client comes again until the region has reopened.
      tick();
      requireTaken(region, mutation);
      config = config(region);
    }
    while (config.relayout() != null && !isPulled(region, row)) {
      tick();
      requireTaken(region, mutation);
      config = config(region);
    }
    return applied(mutation);
  }

  /**
   * Whether the region may write a row, which it has pulled where there is something to pull; false
   * when it cannot know now.
   */
  private boolean isPulled(Region region, byte[] row) throws IOException {
    Relayout own = config(region).relayout();
    LayoutChange change = own.change();
    boolean prepared = own.phase() == Relayout.Phase.PREPARED;
    switch (change.place(row)) {
      case SAME:
        return true;
      case OLD:
        if (!prepared) {
          refusals++;
          throw new OtherRowException("old");
        }
        return true;
      default:
        byte[] old = change.toOld(row);
        Relayout there = config(regionOf(old)).relayout();
        if (there == null || there.generation() != own.generation()) {
          return false;
        }
        if (there.phase() == Relayout.Phase.PREPARED) {
          refusals++;
          throw new OtherRowException("not yet");
        }
        NavigableMap<byte[], byte[]> cells = rows.remove(old);
        if (cells != null) {
          rows.put(row, cells);
          pulls++;
        }
        return true;
    }
  }

  private Result applied(Mutation mutation) {
    byte[] row = mutation.getRow();
    if (mutation instanceof Delete) {
      rows.remove(row);
      return Result.EMPTY_RESULT;
    }
    NavigableMap<byte[], byte[]> cells =
        rows.computeIfAbsent(row, key -> new TreeMap<>(Bytes.BYTES_COMPARATOR));
    for (Cell cell : mutation.getFamilyCellMap().get(F)) {
      byte[] qualifier = CellUtil.cloneQualifier(cell);
      byte[] value = CellUtil.cloneValue(cell);
      byte[] before = cells.getOrDefault(qualifier, Bytes.toBytes(0L));
      cells.put(
          qualifier,
          mutation instanceof Increment
              ? Bytes.toBytes(Bytes.toLong(before) + Bytes.toLong(value))
              : value);
    }
    return mutation instanceof Put ? Result.EMPTY_RESULT : result(row, cells, false);
  }

  private Region regionOf(byte[] row) {
    Region found = regions.get(0);
    for (Region region : regions) {
      if (Bytes.compareTo(region.start, row) <= 0) {
        found = region;
      }
    }
    return found;
  }

  /** A while passes. */
  private synchronized void pass() {
    tick();
  }

  /** Something may happen. */
  void tick() {
    int what = random.nextInt(10 * REST);
    if (what == 0) {
      alter();
    } else if (what < 4) {
      Region region = regions.get(random.nextInt(regions.size()));
      // Also for a move.
      region.step = current;
      region.epoch++;
    } else if (what < 8) {
      move();
    }
  }

  /**
   * The next alter, when all regions have reopened since the last one, and nothing is in its way.
   */
  private void alter() {
    boolean agreed = regions.stream().allMatch(region -> region.step == current);
    if (!agreed || current == script.size() - 1) {
      return;
    }
    Relayout now = script.get(current).relayout();
    boolean finish = now != null && script.get(current + 1).relayout() == null;
    if (finish && rows.keySet().stream().anyMatch(row -> isOld(now, row))) {
      return;
    }
    current++;
    alters++;
  }

  private static boolean isOld(Relayout relayout, byte[] row) {
    return relayout.change().place(row) == LayoutChange.Place.OLD;
  }

  /** The mover, which touches some of the old rows. */
  private void move() {
    Relayout now = script.get(current).relayout();
    if (now == null || now.phase() == Relayout.Phase.PREPARED || rows.isEmpty()) {
      return;
    }
    List<byte[]> old = new ArrayList<>();
    for (byte[] row : rows.keySet()) {
      if (isOld(now, row)) {
        old.add(row);
      }
    }
    for (int i = 0; i < 4 && !old.isEmpty(); i++) {
      byte[] row = now.change().toNew(old.get(random.nextInt(old.size())));
      Region region = regionOf(row);
      try {
        if (config(region).relayout() == null
            || config(region).relayout().generation() != now.generation()) {
          return;
        }
        isPulled(region, row);
      } catch (IOException e) {
        // Not yet; it comes again.
        refusals--;
      }
    }
  }

  /**
   * As HBase's own: it sees each region as of its opening, or its rows one by one; goes on in the
   * next region, and opens a region again that has reopened.
   */
  private final class Scanner implements ResultScanner {
    private final Scan scan;
    private final KeyRange range;
    private final ArrayDeque<Result> results = new ArrayDeque<>();
    private int region;
    private int epoch = -1;
    private Result last;
    private int given;
    private boolean closed;

    Scanner(Scan scan) {
      this.scan = scan;
      this.range = ScanPlan.rangeOf(scan);
      this.region = scan.isReversed() ? regions.size() - 1 : 0;
      if (scan.getStartRow().length > 0) {
        this.region = regions.indexOf(regionOf(scan.getStartRow()));
      }
    }

    @Override
    public Result next() throws IOException {
      tick();
      boolean limited = scan.getLimit() > 0 && given == scan.getLimit();
      while (!closed && !limited && region >= 0 && region < regions.size()) {
        Region here = regions.get(region);
        if (here.epoch != epoch || random.nextInt(20) == 0) {
          requireTaken(here, scan);
          open(here);
        }
        Result next = results.poll();
        if (next != null) {
          last = next;
          given += next.mayHaveMoreCellsInRow() ? 0 : 1;
          return next;
        }
        region += scan.isReversed() ? -1 : 1;
        epoch = -1;
      }
      return null;
    }

    /** The same for several threads. */
    ResultScanner locked() {
      return (ResultScanner)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {ResultScanner.class},
              (proxy, method, args) -> {
                synchronized (ChangingWorld.this) {
                  return method.getName().equals("next")
                      ? next()
                      : method.invoke(Scanner.this, args);
                }
              });
    }

    private void open(Region here) {
      epoch = here.epoch;
      results.clear();
      byte[] end =
          region + 1 < regions.size() ? regions.get(region + 1).start : new byte[] {(byte) 255};
      NavigableMap<byte[], NavigableMap<byte[], byte[]>> own =
          rows.subMap(here.start, true, end, false);
      (scan.isReversed() ? own.descendingMap() : own)
          .forEach(
              (row, cells) -> {
                if (range.contains(row)) {
                  add(row, cells);
                }
              });
    }

    private void add(byte[] row, NavigableMap<byte[], byte[]> all) {
      NavigableMap<byte[], byte[]> cells = all;
      if (last != null) {
        int order = Bytes.compareTo(row, last.getRow()) * (scan.isReversed() ? -1 : 1);
        if (order < 0 || (order == 0 && !last.mayHaveMoreCellsInRow())) {
          return;
        }
        if (order == 0) {
          Cell[] seen = last.rawCells();
          cells = all.tailMap(CellUtil.cloneQualifier(seen[seen.length - 1]), false);
        }
      }
      if (scan.getBatch() <= 0) {
        results.add(result(row, cells, false));
        return;
      }
      while (!cells.isEmpty()) {
        byte[] first = cells.firstKey();
        NavigableMap<byte[], byte[]> left = cells.tailMap(first, false);
        results.add(result(row, cells.headMap(first, true), !left.isEmpty()));
        cells = left;
      }
    }

    @Override
    public void close() {
      closed = true;
    }

    @Override
    public boolean renewLease() {
      return !closed;
    }

    @Override
    public ScanMetrics getScanMetrics() {
      return null;
    }
  }

  /** The layouts of the tests, of the same bare keys. */
  static List<String> layouts() {
    return List.of(
        "{user:word}|{item:digits(4)}",
        "{salt:digits(2)=murmur3(user)%16}-{user:word}|{item:digits(4)}",
        "{salt:digits(2)=murmur3(user)%64}-{user:word}|{item:digits(4)}",
        "{user:word}|{salt:hex(1)=murmur3(item)%4}.{item:digits(4)}",
        "{user:word}|{item:digits(4)}");
  }

  /** Where a bare key is stored just now, under any layout. */
  boolean has(String bareKey) {
    for (String layout : layouts()) {
      if (rows.containsKey(RowkeyLayout.parse(layout).complete(Tables.bytes(bareKey)))) {
        return true;
      }
    }
    return false;
  }
}
