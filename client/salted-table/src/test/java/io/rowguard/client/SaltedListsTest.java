package io.rowguard.client;

import static io.rowguard.client.Tables.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.rowguard.config.StaleLayoutException;
import io.rowguard.config.TableConfig;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.client.coprocessor.Batch;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Batches over a table of salted rows that answers as it is told. */
class SaltedListsTest {
  private static final TableName NAME = TableName.valueOf("t");
  private static final List<Increment> ACTIONS =
      List.of(new Increment(bytes("a|0001")), new Increment(bytes("b|0001")));

  private final Object[] results = new Object[ACTIONS.size()];

  private static TableLayouts layouts(TableDescriptorBuilder table) {
    TableConfig config = TableConfig.ofClient(table.build(), new Configuration(false));
    return TableLayouts.declared(config, 256, new FilterRules(NAME, Set.of()));
  }

  /** What HBase's table does with a batch. */
  private interface Answering {
    void answer(List<Row> salted, Object[] answers, Batch.Callback<Object> callback)
        throws IOException;
  }

  @SuppressWarnings("unchecked")
  private static SaltedLists lists(
      TableLayouts first, LayoutCache.Declaration declared, Answering answering) {
    Table below =
        (Table)
            Proxy.newProxyInstance(
                SaltedListsTest.class.getClassLoader(),
                new Class<?>[] {Table.class},
                (proxy, method, args) -> {
                  if (method.getName().equals("getName")) {
                    return NAME;
                  }
                  assertEquals("batch", method.getName().substring(0, 5));
                  answering.answer(
                      (List<Row>) args[0],
                      (Object[]) args[1],
                      args.length < 3 ? null : (Batch.Callback<Object>) args[2]);
                  return null;
                });
    return new SaltedLists(below, new LayoutCache(first, declared, Runnable::run), () -> 60_000);
  }

  /** Else the caller would take the first for not done, and do it again. */
  @Test
  void batch_staleWhileTheMasterIsAway_answersWhatIsDone() {
    TableLayouts first =
        layouts(TableDescriptorBuilder.newBuilder(NAME).setValue("rowguard.layout", Tables.LAYOUT));
    IOException away = new IOException("no master");
    SaltedLists lists =
        lists(
            first,
            () -> {
              throw away;
            },
            (salted, answers, callback) -> {
              answers[0] = Result.EMPTY_RESULT;
              answers[1] = new StaleLayoutException("stale");
              throw new RetriesExhaustedWithDetailsException(
                  List.of((Throwable) answers[1]), List.of(salted.get(1)), List.of("somewhere"));
            });

    assertThrows(IOException.class, () -> lists.batch(ACTIONS, results));

    assertInstanceOf(Result.class, results[0]);
    assertInstanceOf(StaleLayoutException.class, results[1]);
  }

  @Test
  void batchCallback_callbackFailsInARelayout_allAreTold() throws Exception {
    TableDescriptorBuilder moving = TableDescriptorBuilder.newBuilder(NAME);
    TwoPlaces.declare(moving, Tables.LAYOUT, Tables.LAYOUT.replace("%16", "%64"), "moving", 2);
    TableLayouts layouts = layouts(moving);
    SaltedLists lists =
        lists(
            layouts,
            () -> layouts,
            (salted, answers, callback) -> {
              for (int i = 0; i < answers.length; i++) {
                answers[i] = Result.EMPTY_RESULT;
                callback.update(bytes("region"), salted.get(i).getRow(), answers[i]);
              }
            });
    List<String> told = new ArrayList<>();

    lists.batchCallback(
        ACTIONS,
        results,
        (region, row, result) -> {
          told.add(Bytes.toString(row));
          throw new IllegalStateException("as a test");
        });

    assertEquals(List.of("a|0001", "b|0001"), told);
    for (Object result : results) {
      assertInstanceOf(Result.class, result);
    }
  }
}
