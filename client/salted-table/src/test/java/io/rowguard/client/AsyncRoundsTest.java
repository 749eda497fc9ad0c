package io.rowguard.client;

import static io.rowguard.client.Tables.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.config.StaleLayoutException;
import io.rowguard.config.TableConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

/** Rounds in which something breaks: each future comes to an end all the same. No cluster. */
class AsyncRoundsTest {
  private static final List<Get> GETS = List.of(get("a|0001"), get("b|0001"));

  private final RuntimeException broken = new IllegalStateException("for a test");

  /** Keys and values beside the layout, of a change. */
  private Map<String, String> changing = Map.of();

  private LayoutCache.Declaration declaration = this::layouts;

  private TableLayouts layouts() {
    TableName name = TableName.valueOf("t");
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(Tables.F))
            .setValue("rowguard.layout", Tables.LAYOUT);
    changing.forEach(table::setValue);
    TableConfig config = TableConfig.of(table.build(), new Configuration(false));
    return TableLayouts.declared(config, 256, new FilterRules(name, Set.of()));
  }

  /** Answers the first action, and refuses the second one. */
  private static List<CompletableFuture<Result>> refusing(Result first) {
    return List.of(
        CompletableFuture.completedFuture(first),
        Futures.failed(new StaleLayoutException("stale")));
  }

  private BatchRounds<Get> rounds() {
    return new BatchRounds<>(
        new LayoutCache(layouts(), () -> declaration.read(), Runnable::run), 60_000, GETS);
  }

  /** The failures of the futures, null for none; one future of all fails as the last one does. */
  private List<Throwable> failures(FetchThreads threads, AsyncRounds.Sender<Get> sender)
      throws IOException {
    List<Throwable> failures = new ArrayList<>();
    for (CompletableFuture<Object> future : AsyncRounds.send(rounds(), threads, sender)) {
      failures.add(failure(future));
    }
    Throwable ofAll = failure(AsyncRounds.sendAll(rounds(), threads, sender));
    Throwable last = failures.get(failures.size() - 1);
    assertEquals(last == null ? null : last.getClass(), ofAll == null ? null : ofAll.getClass());
    return failures;
  }

  private static Throwable failure(CompletableFuture<?> future) throws IOException {
    return AsyncView.get(future.handle((answer, failure) -> failure));
  }

  @Test
  void send_theDescriptorCannotBeRead_failsWhatIsRefused() throws IOException {
    declaration =
        () -> {
          throw broken;
        };
    List<Throwable> failures =
        failures(FetchThreads.shared(), salted -> refusing(Result.EMPTY_RESULT));
    assertEquals(null, failures.get(0));
    assertSame(broken, failures.get(1));
  }

  @Test
  void send_noThreadIsFree_failsWhatIsRefused() throws IOException {
    FetchThreads threads = FetchThreads.of(SaltedScannerTest.refusing());
    List<Throwable> failures = failures(threads, salted -> refusing(Result.EMPTY_RESULT));
    assertEquals(null, failures.get(0));
    assertEquals(RejectedExecutionException.class, failures.get(1).getClass());
  }

  /** Scans may have all of the threads, for as long as they like. */
  @Test
  void send_gotNothingWhileTheLayoutChanges_asksElsewhereWithoutAThread() throws IOException {
    String from = "{user:word}|{item:digits(4)}";
    changing =
        Map.of(
            "rowguard.layout.previous", from,
            "rowguard.layout.phase", "moving",
            "rowguard.layout.generation", "1",
            "rowguard.layout.version", "2");
    FetchThreads threads = FetchThreads.of(SaltedScannerTest.refusing());
    List<Integer> sizes = new ArrayList<>();
    List<Throwable> failures =
        failures(
            threads,
            salted -> {
              sizes.add(salted.size());
              return Collections.nCopies(
                  salted.size(), CompletableFuture.completedFuture(Result.EMPTY_RESULT));
            });
    assertEquals(Collections.nCopies(failures.size(), null), failures);
    assertTrue(sizes.size() > 2, sizes::toString);
  }

  @Test
  void send_theTimerFails_failsWhatIsRefused() throws IOException {
    FetchThreads threads =
        FetchThreads.withTimer(
            (task, millis) -> {
              throw broken;
            });
    List<Throwable> failures = failures(threads, salted -> refusing(Result.EMPTY_RESULT));
    assertEquals(null, failures.get(0));
    assertSame(broken, failures.get(1));
  }

  @Test
  void send_theSecondRoundCannotBeSent_failsWhatIsRefused() throws IOException {
    declaration =
        () -> {
          // Other layouts than before, so that there is no pause.
          return TableLayouts.byHand(
              layouts().primary(), 256, new FilterRules(TableName.valueOf("t"), Set.of()));
        };
    List<Throwable> failures =
        failures(
            FetchThreads.shared(),
            salted -> {
              if (salted.size() == 1) {
                throw broken;
              }
              return refusing(Result.EMPTY_RESULT);
            });
    assertEquals(null, failures.get(0));
    assertSame(broken, failures.get(1));
  }

  @Test
  void send_anAnswerCannotBeShown_failsItsFuture() throws IOException {
    Result odd =
        new Result() {
          @Override
          public boolean isEmpty() {
            throw broken;
          }
        };
    List<CompletableFuture<Result>> answers =
        List.of(
            CompletableFuture.completedFuture(Result.EMPTY_RESULT),
            CompletableFuture.completedFuture(odd));
    List<Throwable> failures = failures(FetchThreads.shared(), salted -> answers);
    assertSame(broken, failures.get(1));
  }

  @Test
  void send_theFirstRoundCannotBeSent_throwsAtOnce() {
    AsyncRounds.Sender<Get> sender =
        salted -> {
          throw broken;
        };
    assertSame(
        broken,
        assertThrows(IllegalStateException.class, () -> failures(FetchThreads.shared(), sender)));
  }

  @Test
  void sendAll_refusedOnes_haveTheirAnswersInTheirPlaces() throws IOException {
    declaration =
        () ->
            TableLayouts.byHand(
                layouts().primary(), 256, new FilterRules(TableName.valueOf("t"), Set.of()));
    Result first =
        Result.create(List.of(new KeyValue(GETS.get(0).getRow(), Tables.F, Tables.F, Tables.F)));
    Result second =
        Result.create(List.of(new KeyValue(GETS.get(1).getRow(), Tables.F, Tables.F, Tables.F)));
    List<Integer> sizes = new ArrayList<>();
    CompletableFuture<List<Object>> all =
        AsyncRounds.sendAll(
            rounds(),
            FetchThreads.shared(),
            salted -> {
              sizes.add(salted.size());
              return salted.size() == 1
                  ? List.of(CompletableFuture.completedFuture(second))
                  : refusing(first);
            });
    List<Object> answers = AsyncView.get(all);
    assertEquals(List.of(first, second), answers);
    answers.remove(0); // the list is its user's, as HBase's is
    assertEquals(List.of(2, 1), sizes);
  }
}
