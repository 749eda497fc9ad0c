package io.rowguard.client;

import static io.rowguard.client.Tables.F;
import static io.rowguard.client.Tables.Q;
import static io.rowguard.client.Tables.bytes;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowkeyLayout;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which action on a salted row becomes of one on a bare key; no cluster. */
class SaltedActionsTest {
  private static final byte[] KEY = bytes("alice|0001");
  private static final byte[] ROW = Tables.complete("alice|0001");
  private static final TableName NAME = TableName.valueOf("t");
  private static final TableLayouts LAYOUTS =
      TableLayouts.byHand(RowkeyLayout.parse(Tables.LAYOUT), 256, new FilterRules(NAME, Set.of()));

  static Stream<Row> actions() throws IOException {
    Put put = new Put(KEY, 77).addColumn(F, Q, bytes("v")).setPriority(7);
    Delete delete = new Delete(KEY).addColumns(F, Q, 4);
    return Stream.of(
        new Get(KEY).addColumn(F, Q).setReplicaId(1).setFilter(new FirstKeyOnlyFilter()),
        put,
        delete,
        new Append(KEY).addColumn(F, Q, bytes("v")),
        new Increment(KEY).addColumn(F, Q, 7),
        RowMutations.of(List.of(put, delete)),
        CheckAndMutate.newBuilder(KEY).ifNotExists(F, Q).build(put),
        CheckAndMutate.newBuilder(KEY).ifMatches(new PrefixFilter(KEY)).build(delete));
  }

  /** ReaddressedActionTest covers the rest of an action, beside its row. */
  @ParameterizedTest
  @MethodSource("actions")
  void on_anyKindOfAction_isOneOnTheSaltedRow(Row given) throws IOException {
    Row salted = LAYOUTS.onPrimary(given);
    assertEquals(given.getClass(), salted.getClass());
    assertArrayEquals(ROW, salted.getRow());
    assertArrayEquals(KEY, given.getRow());
    if (salted instanceof CheckAndMutate check) {
      assertArrayEquals(ROW, check.getAction().getRow());
    }
  }

  @Test
  void filter_ofRows_isTranslated() throws IOException {
    Filter ofKey = new PrefixFilter(KEY);
    Filter translated = LAYOUTS.onPrimary(new Get(KEY).setFilter(ofKey)).getFilter();
    assertArrayEquals(ROW, ((PrefixFilter) translated).getPrefix());
    CheckAndMutate check = CheckAndMutate.newBuilder(KEY).ifMatches(ofKey).build(new Delete(KEY));
    translated = LAYOUTS.onPrimary(check).getFilter();
    assertArrayEquals(ROW, ((PrefixFilter) translated).getPrefix());
  }

  @Test
  void primaryRow_saltedRow_isRefusedWithItsBareKey() {
    DoNotRetryIOException e =
        assertThrows(DoNotRetryIOException.class, () -> LAYOUTS.onPrimary(new Delete(ROW)));
    assertTrue(
        e.getMessage()
            .startsWith(
                "A SaltedTable takes bare keys. table=t. It is a salted row, whose bare key is"
                    + " \"alice|0001\". "),
        e.getMessage());
  }

  @Test
  void on_unknownKind_isRefused() {
    Row unknown =
        (Row)
            Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Row.class}, (row, m, args) -> KEY);
    DoNotRetryIOException e =
        assertThrows(DoNotRetryIOException.class, () -> LAYOUTS.onPrimary(unknown));
    assertTrue(e.getMessage().contains("does not know this kind of action"), e.getMessage());
  }
}
