package io.rowguard.client;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;

/**
 * A table whose calls go to an asynchronous one and are waited for, so that the tests of tables are
 * tests of that. A scan goes one of the three ways that there are, whichever the random numbers
 * say.
 */
final class AsyncView implements InvocationHandler {
  private final AsyncTable<?> table;

  /** The same, or null. */
  private final AsyncTable<AdvancedScanResultConsumer> raw;

  private final Random random;

  private AsyncView(
      AsyncTable<?> table, AsyncTable<AdvancedScanResultConsumer> raw, Random random) {
    this.table = table;
    this.raw = raw;
    this.random = random;
  }

  static Table of(AsyncTable<AdvancedScanResultConsumer> table, long seed) {
    return proxy(new AsyncView(table, table, new Random(seed)));
  }

  /** Of a table with a pool; its scans go two ways only. */
  static Table ofPooled(AsyncTable<ScanResultConsumer> table, long seed) {
    return proxy(new AsyncView(table, null, new Random(seed)));
  }

  private static Table proxy(AsyncView view) {
    return (Table)
        Proxy.newProxyInstance(
            AsyncView.class.getClassLoader(), new Class<?>[] {Table.class}, view);
  }

  /** The answer; throws as the call has failed. Without one, says what all threads are at. */
  static <T> T get(CompletableFuture<T> future) throws IOException {
    try {
      return future.get(3, TimeUnit.MINUTES);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("There is no answer. Threads:" + stacks(), e);
    } catch (InterruptedException e) {
      throw new AssertionError("Interrupted while waiting for an answer", e);
    }
  }

  private static String stacks() {
    StringBuilder stacks = new StringBuilder();
    Thread.getAllStackTraces()
        .forEach(
            (thread, stack) -> {
              stacks.append("\n").append(thread);
              for (StackTraceElement element : stack) {
                stacks.append("\n    ").append(element);
              }
            });
    return stacks.toString();
  }

  private static <T> List<T> get(List<CompletableFuture<T>> futures) throws IOException {
    List<T> answers = new ArrayList<>();
    for (CompletableFuture<T> future : futures) {
      answers.add(get(future));
    }
    return answers;
  }

  @Override
  @SuppressWarnings("unchecked") // by the names of the methods
  public Object invoke(Object proxy, Method method, Object[] args) throws IOException {
    boolean isList = args != null && args[0] instanceof List;
    switch (method.getName()) {
      case "get":
        return isList
            ? get(table.get((List<Get>) args[0])).toArray(new Result[0])
            : get(table.get((Get) args[0]));
      case "exists":
        return isList ? exist((List<Get>) args[0]) : get(table.exists((Get) args[0]));
      case "put":
        return isList ? last(table.put((List<Put>) args[0])) : get(table.put((Put) args[0]));
      case "delete":
        return isList ? delete((List<Delete>) args[0]) : get(table.delete((Delete) args[0]));
      case "increment":
        return get(table.increment((Increment) args[0]));
      case "append":
        return get(table.append((Append) args[0]));
      case "mutateRow":
        return get(table.mutateRow((RowMutations) args[0]));
      case "checkAndMutate":
        return get(table.checkAndMutate((CheckAndMutate) args[0]));
      case "batch":
        return batch((List<? extends Row>) args[0], (Object[]) args[1]);
      case "getScanner":
        return scanner((Scan) args[0]);
      case "close":
        return null;
      default:
        throw new UnsupportedOperationException(method.getName());
    }
  }

  private boolean[] exist(List<Get> gets) throws IOException {
    List<Boolean> answers =
        random.nextBoolean() ? get(table.existsAll(gets)) : get(table.exists(gets));
    boolean[] exist = new boolean[answers.size()];
    for (int i = 0; i < exist.length; i++) {
      exist[i] = answers.get(i);
    }
    return exist;
  }

  private static Object last(List<CompletableFuture<Void>> futures) throws IOException {
    get(futures);
    return null;
  }

  /** As the table of HBase 2: those that succeed are taken out of the list. */
  private Object delete(List<Delete> deletes) throws IOException {
    List<CompletableFuture<Void>> futures = table.delete(deletes);
    IOException failure = null;
    for (int i = futures.size() - 1; i >= 0; i--) {
      try {
        get(futures.get(i));
        deletes.remove(i);
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
    return null;
  }

  private Object batch(List<? extends Row> actions, Object[] results) throws IOException {
    List<CompletableFuture<Object>> futures = table.batch(actions);
    IOException failure = null;
    for (int i = 0; i < results.length; i++) {
      try {
        results[i] = get(futures.get(i));
      } catch (IOException e) {
        results[i] = e;
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
    return null;
  }

  private ResultScanner scanner(Scan scan) throws IOException {
    switch (random.nextInt(raw == null ? 2 : 3)) {
      case 0:
        return table.getScanner(scan);
      case 1:
        return new ListScanner(get(table.scanAll(scan)));
      default:
        CollectingConsumer consumer = new CollectingConsumer(random, Integer.MAX_VALUE);
        raw.scan(scan, consumer);
        return new ListScanner(consumer.await());
    }
  }

  /** Gives the results of a list. */
  private static final class ListScanner implements ResultScanner {
    private final Iterator<Result> results;

    ListScanner(List<Result> results) {
      this.results = results.iterator();
    }

    @Override
    public Result next() {
      return results.hasNext() ? results.next() : null;
    }

    @Override
    public void close() {
      // Nothing is open.
    }

    @Override
    public boolean renewLease() {
      return false;
    }

    @Override
    public ScanMetrics getScanMetrics() {
      return null;
    }
  }
}
