package io.rowguard.relayout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.relayout.RelayoutResponse.Item;
import io.rowguard.relayout.RelayoutResponse.Outcome;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Polls of all regions of a table, with regions that answer, err and are silent. */
class RegionPollTest {
  private static final TableName ORDERS = TableName.valueOf("orders");
  private static final ServerName SERVER = ServerName.valueOf("server", 16020, 1);
  private static final List<HRegionLocation> REGIONS =
      List.of(region("", "04"), region("04", "08"), region("08", ""));
  private static final List<HRegionLocation> MIDDLE = REGIONS.subList(1, 2);

  private final Queue<Get> asked = new ConcurrentLinkedQueue<>();

  /** A region's way to answer a request. */
  private interface Region {
    RelayoutResponse answer(Get get, RelayoutRequest request) throws IOException;
  }

  @Test
  void once_allRegions_hasTheResponseOfEach() {
    List<PolledRegion> polled =
        poll((get, request) -> RelayoutResponse.of(get.getRow()[0], 3, true, 0, List.of()))
            .once(REGIONS, RelayoutRequest.state());

    assertEquals(
        REGIONS.stream().map(HRegionLocation::getRegion).toList(),
        polled.stream().map(PolledRegion::region).toList());
    assertEquals(List.of(0L, (long) '0', (long) '0'), versions(polled));
    assertEquals(
        List.of(SERVER, SERVER, SERVER), polled.stream().map(PolledRegion::server).toList());
    assertEquals(3, asked.size());
  }

  @Test
  void once_noRegion_hasNoResponse() {
    assertEquals(List.of(), poll((get, request) -> null).once(List.of(), RelayoutRequest.state()));
  }

  @Test
  void toTheEnd_regionThatHasNotCountedAll_isAskedToGoOn() {
    List<String> from = List.of("041", "05", "079");
    List<PolledRegion> polled =
        poll((get, request) -> {
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
            .toTheEnd(() -> MIDDLE, RelayoutRequest.count(5));

    assertEquals(List.of(7L), versions(polled));
    assertNull(polled.get(0).response().next());
    assertEquals(5, polled.get(0).response().generation());
    List<String> rows = new ArrayList<>(List.of("04"));
    rows.addAll(from);
    assertEquals(rows, asked.stream().map(get -> Bytes.toString(get.getRow())).toList());
  }

  @Test
  void once_regionThatHasNotCountedAll_isNotAskedToGoOn() {
    List<PolledRegion> polled =
        poll((get, request) -> RelayoutResponse.of(7, 5, true, 0, List.of(later("05"))))
            .once(MIDDLE, RelayoutRequest.count(5));

    assertEquals(1, asked.size());
    assertEquals("05", Bytes.toString(polled.get(0).response().next()));
  }

  /** One thing in the way is enough to know that the step cannot be taken. */
  @Test
  void toTheEnd_regionThatHasFoundSomething_isNotAskedToGoOn() {
    RelayoutResponse rows = RelayoutResponse.of(7, 5, true, 1, List.of(later("05")));
    RelayoutResponse marker =
        RelayoutResponse.of(
            7, 5, true, 0, List.of(later("05"), Item.of(Outcome.FAILED, "A marker.")));

    for (RelayoutResponse found : List.of(rows, marker)) {
      asked.clear();
      List<PolledRegion> polled =
          poll((get, request) -> found).toTheEnd(() -> MIDDLE, RelayoutRequest.count(5));

      assertEquals(1, asked.size());
      assertEquals(found.items().size(), polled.get(0).response().items().size());
    }
    assertNull(rows.inTheWay());
    assertEquals("A marker.", marker.inTheWay());
  }

  @Test
  void toTheEnd_regionThatCountsForLonger_isToldFromOneThatHasNone() {
    Region counts = (get, request) -> RelayoutResponse.of(7, 5, true, 0, List.of(later("05")));
    // Each look at the clock is ten seconds after the one before.
    AtomicLong clock = new AtomicLong();
    List<PolledRegion> polled =
        new RegionPoll(
                connection(counts),
                60_000,
                60_000,
                () -> clock.addAndGet(TimeUnit.SECONDS.toNanos(10)))
            .toTheEnd(() -> MIDDLE, RelayoutRequest.count(5));

    assertNull(polled.get(0).response());
    assertEquals("needs longer to count than it is waited for", polled.get(0).failure());
    assertEquals(4, asked.size());
  }

  /** One daughter has the first row of the region that was, so the other one may have old rows. */
  @Test
  void toTheEnd_regionSplitMeanwhile_fails() {
    Iterator<List<HRegionLocation>> lists =
        List.of(
                REGIONS,
                List.of(REGIONS.get(0), region("04", "06"), region("06", "08"), REGIONS.get(2)))
            .iterator();

    List<PolledRegion> polled =
        poll((get, request) -> RelayoutResponse.of(7, 5, true, 0, List.of()))
            .toTheEnd(lists::next, RelayoutRequest.count(5));

    assertEquals("was split or merged meanwhile", polled.get(1).failure());
    assertNull(polled.get(1).response());
    assertNull(polled.get(0).failure());
    assertNull(polled.get(2).failure());
  }

  @Test
  void once_regionThatErrs_hasItsWords() {
    List<PolledRegion> polled =
        poll((get, request) -> {
              if (Bytes.toString(get.getRow()).equals("04")) {
                throw new IOException("gone");
              }
              return RelayoutResponse.of(1, 0, false, 0, List.of());
            })
            .once(REGIONS, RelayoutRequest.state());

    assertEquals("IOException: gone", polled.get(1).failure());
    assertFalse(polled.get(1).lacksRelayout());
    assertNull(polled.get(0).failure());
    assertNull(polled.get(2).failure());
  }

  @Test
  void once_serverWithoutRowguard_lacksRelayout() {
    List<PolledRegion> polled = poll((get, request) -> null).once(REGIONS, RelayoutRequest.state());

    for (PolledRegion each : polled) {
      assertTrue(each.lacksRelayout());
      assertTrue(each.failure().contains("does not answer what it is asked"), each.failure());
    }
  }

  /** The others are heard all the same, and the wait ends with the time. */
  @Test
  void once_regionThatIsSilent_endsInTime() {
    CountDownLatch never = new CountDownLatch(1);
    long began = System.nanoTime();

    Region silent =
        (get, request) -> {
          if (Bytes.toString(get.getRow()).equals("08")) {
            await(never);
          }
          return RelayoutResponse.of(1, 0, false, 0, List.of());
        };
    List<PolledRegion> polled =
        new RegionPoll(connection(silent), 5_000, 5_000).once(REGIONS, RelayoutRequest.state());

    assertTrue(System.nanoTime() - began < TimeUnit.SECONDS.toNanos(60));
    assertEquals("no answer in 5 s", polled.get(2).failure());
    assertNull(polled.get(0).failure());
    assertNull(polled.get(1).failure());
  }

  @Test
  void once_threadThatIsInterrupted_hasFailuresAndStaysInterrupted() {
    CountDownLatch never = new CountDownLatch(1);
    Region silent =
        (get, request) -> {
          await(never);
          return null;
        };

    Thread.currentThread().interrupt();
    List<PolledRegion> polled = poll(silent).once(REGIONS, RelayoutRequest.state());

    assertTrue(Thread.interrupted());
    assertEquals(3, polled.size());
    assertEquals("the wait for it was interrupted", polled.get(0).failure());
  }

  @Test
  void once_manyRegions_asksEach() {
    List<HRegionLocation> many = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      many.add(region(String.format("%03d", i), String.format("%03d", i + 1)));
    }

    List<PolledRegion> polled =
        poll((get, request) -> RelayoutResponse.of(1, 0, false, 0, List.of()))
            .once(many, RelayoutRequest.state());

    assertEquals(500, polled.stream().filter(each -> each.response() != null).count());
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException("interrupted", e);
    }
  }

  private static List<Long> versions(List<PolledRegion> polled) {
    return polled.stream().map(each -> each.response().version()).toList();
  }

  private static Item later(String row) {
    return Item.of(Outcome.LATER, Bytes.toBytes(row));
  }

  private RegionPoll poll(Region region) {
    return new RegionPoll(connection(region), 20_000, RegionPoll.UNLIMITED);
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

  private static HRegionLocation region(String start, String end) {
    return new HRegionLocation(
        RegionInfoBuilder.newBuilder(ORDERS)
            .setStartKey(Bytes.toBytes(start))
            .setEndKey(Bytes.toBytes(end))
            .build(),
        SERVER);
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
