package io.rowguard.master;

import static io.rowguard.master.RelayoutDescriptors.ORDERS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.master.RegionQuestions.Said;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse;
import io.rowguard.relayout.RelayoutResponse.Item;
import io.rowguard.relayout.RelayoutResponse.Outcome;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Requests to all regions of a table, with regions that answer, err and are silent. */
class RegionQuestionsTest {
  private static final List<RegionInfo> REGIONS =
      List.of(region("", "04"), region("04", "08"), region("08", ""));

  private final Queue<Get> asked = new ConcurrentLinkedQueue<>();

  /** A region's way to answer a request. */
  private interface Region {
    RelayoutResponse answer(Get get, RelayoutRequest request) throws IOException;
  }

  @Test
  void ask_allRegions_saysWhatEachAnswers() {
    List<Said> said =
        requests((get, request) -> RelayoutResponse.of(get.getRow()[0], 3, true, 0, List.of()))
            .ask(REGIONS, RelayoutRequest.count(3));

    assertEquals(REGIONS, said.stream().map(Said::region).toList());
    assertEquals(List.of(0L, (long) '0', (long) '0'), versions(said));
    assertEquals(3, asked.size());
  }

  @Test
  void ask_regionThatHasNotCountedAll_isAskedToGoOn() {
    List<String> from = List.of("041", "05", "079");
    List<Said> said =
        requests(
                (get, request) -> {
                  int next =
                      request.rows().isEmpty()
                          ? 0
                          : from.indexOf(Bytes.toString(request.rows().get(0))) + 1;
                  return RelayoutResponse.of(
                      7,
                      request.generation(),
                      true,
                      0,
                      next == from.size() ? List.of() : List.of(later(from.get(next))));
                })
            .ask(REGIONS.subList(1, 2), RelayoutRequest.count(5));

    assertEquals(List.of(7L), versions(said));
    assertNull(said.get(0).answer().next());
    assertEquals(5, said.get(0).answer().generation());
    List<String> rows = new ArrayList<>(List.of("04"));
    rows.addAll(from);
    assertEquals(rows, asked.stream().map(get -> Bytes.toString(get.getRow())).toList());
  }

  /** What is in the way is known then. */
  @Test
  void ask_regionThatHasFoundSomething_isNotAskedToGoOn() {
    RelayoutResponse rows = RelayoutResponse.of(7, 5, true, 1, List.of(later("05")));
    RelayoutResponse marker =
        RelayoutResponse.of(
            7, 5, true, 0, List.of(later("05"), Item.of(Outcome.FAILED, "A marker.")));

    for (RelayoutResponse found : List.of(rows, marker)) {
      asked.clear();
      List<Said> said =
          requests((get, request) -> found).ask(REGIONS.subList(1, 2), RelayoutRequest.count(5));

      assertEquals(1, asked.size());
      assertEquals(found.items().size(), said.get(0).answer().items().size());
    }
  }

  @Test
  void ask_regionThatCountsForLonger_isToldFromOneThatHasNone() {
    List<Said> said =
        new RegionQuestions(
                connection(
                    (get, request) -> RelayoutResponse.of(7, 5, true, 0, List.of(later("05")))),
                200)
            .ask(REGIONS.subList(1, 2), RelayoutRequest.count(5));

    assertNull(said.get(0).answer());
    assertEquals("needs longer to count than the master waits", said.get(0).failure());
  }

  @Test
  void ask_regionThatErrs_hasItsWords() {
    List<Said> said =
        requests(
                (get, request) -> {
                  if (Bytes.toString(get.getRow()).equals("04")) {
                    throw new IOException("gone");
                  }
                  return RelayoutResponse.of(1, 0, false, 0, List.of());
                })
            .ask(REGIONS, RelayoutRequest.state());

    assertEquals("java.io.IOException: gone", said.get(1).failure());
    assertNull(said.get(0).failure());
    assertNull(said.get(2).failure());
  }

  @Test
  void ask_serverWithoutRowguard_saysSo() {
    List<Said> said = requests((get, request) -> null).ask(REGIONS, RelayoutRequest.state());

    for (Said each : said) {
      assertTrue(each.failure().contains("does not answer what it is asked"), each.failure());
    }
  }

  /** The others are heard all the same, and nobody waits for longer than the time. */
  @Test
  void ask_regionThatIsSilent_endsInTime() {
    CountDownLatch never = new CountDownLatch(1);
    long began = System.nanoTime();

    List<Said> said =
        new RegionQuestions(
                connection(
                    (get, request) -> {
                      if (Bytes.toString(get.getRow()).equals("08")) {
                        await(never);
                      }
                      return RelayoutResponse.of(1, 0, false, 0, List.of());
                    }),
                1_000)
            .ask(REGIONS, RelayoutRequest.state());

    assertTrue(System.nanoTime() - began < TimeUnit.SECONDS.toNanos(60));
    assertEquals("no answer in 1 s", said.get(2).failure());
    assertNull(said.get(0).failure());
    assertNull(said.get(1).failure());
  }

  @Test
  void ask_manyRegions_asksEach() {
    List<RegionInfo> many = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      many.add(region(String.format("%03d", i), String.format("%03d", i + 1)));
    }

    List<Said> said =
        requests((get, request) -> RelayoutResponse.of(1, 0, false, 0, List.of()))
            .ask(many, RelayoutRequest.state());

    assertEquals(500, said.stream().filter(each -> each.answer() != null).count());
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException("interrupted", e);
    }
  }

  private static List<Long> versions(List<Said> said) {
    return said.stream().map(each -> each.answer().version()).toList();
  }

  private static Item later(String row) {
    return Item.of(Outcome.LATER, Bytes.toBytes(row));
  }

  private RegionQuestions requests(Region region) {
    return new RegionQuestions(connection(region));
  }

  private Connection connection(Region region) {
    Table table =
        proxy(
            Table.class,
            (self, method, arguments) -> {
              if (!method.getName().equals("get")) {
                return null;
              }
              Get get = (Get) arguments[0];
              asked.add(get);
              RelayoutResponse response = region.answer(get, RelayoutRequest.of(get));
              return response == null
                  ? Result.EMPTY_RESULT
                  : Result.create(new Cell[] {response.toCell(get.getRow())});
            });
    TableBuilder builder =
        proxy(
            TableBuilder.class,
            (self, method, arguments) -> method.getName().equals("build") ? table : self);
    return proxy(
        Connection.class,
        (self, method, arguments) -> {
          assertEquals("getTableBuilder", method.getName());
          assertEquals(ORDERS, arguments[0]);
          return builder;
        });
  }

  private static RegionInfo region(String start, String end) {
    return RegionInfoBuilder.newBuilder(ORDERS)
        .setStartKey(Bytes.toBytes(start))
        .setEndKey(Bytes.toBytes(end))
        .build();
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
