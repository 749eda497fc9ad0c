package io.rowguard.client;

import static io.rowguard.client.Tables.F;
import static io.rowguard.client.Tables.Q;
import static io.rowguard.client.Tables.bytes;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowkeyLayout;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet;
import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet.Field;
import org.junit.jupiter.api.Test;

/** Requests of several rows, whose bare keys become the rows that are stored for them. */
class MultiRowRequestTest {
  private static final int MUTATIONS = 1;
  private static final int NONCE = 3;
  private static final int CONDITIONS = 5;

  private static final TableLayouts LAYOUTS =
      TableLayouts.byHand(
          RowkeyLayout.parse(Tables.LAYOUT),
          256,
          new FilterRules(TableName.valueOf("orders"), Set.of()));

  @Test
  void abandon_beforeItIsSent_isForGood() throws Exception {
    MultiRowRequest given = new MultiRowRequest();
    given.add(Tables.put("alice|0001", "v"));
    assertTrue(given.abandon());
    assertThrows(IllegalStateException.class, given::send);

    MultiRowRequest sent = new MultiRowRequest();
    sent.add(Tables.put("alice|0001", "v"));
    sent.send();
    assertFalse(sent.abandon());
    assertEquals(1, sent.sends());
  }

  @Test
  void completed_eachKindOfMutation_isTheSameOnItsSaltedRow() throws Exception {
    MultiRowRequest bare = new MultiRowRequest();
    bare.add(Tables.put("alice|0001", "v"));
    bare.add(new Delete(bytes("alice|0002")));
    bare.add(new Increment(bytes("alice|0003")).addColumn(F, Q, 1));
    bare.add(new Append(bytes("alice|0004")).addColumn(F, Q, bytes("x")));

    UnknownFieldSet completed = completed(bare.bytes());

    List<ByteString> mutations = completed.getField(MUTATIONS).getLengthDelimitedList();
    List<MutationType> types =
        List.of(MutationType.PUT, MutationType.DELETE, MutationType.INCREMENT, MutationType.APPEND);
    assertEquals(types.size(), mutations.size());
    for (int i = 0; i < types.size(); i++) {
      MutationProto mutation = MutationProto.parseFrom(mutations.get(i));
      assertEquals(types.get(i), mutation.getMutateType());
      assertArrayEquals(Tables.complete("alice|000" + (i + 1)), mutation.getRow().toByteArray());
    }
  }

  @Test
  void completed_conditionWithAFilterOfRows_hasTheSaltedRowInBoth() throws Exception {
    MultiRowRequest bare = new MultiRowRequest();
    bare.add(Tables.put("alice|0001", "v"));
    byte[] row = bytes("alice|0002");
    bare.add(
        row, ProtobufUtil.toCondition(row, new PrefixFilter(bytes("alice|")), TimeRange.allTime()));

    List<ByteString> conditions =
        completed(bare.bytes()).getField(CONDITIONS).getLengthDelimitedList();

    assertEquals(1, conditions.size());
    Condition condition = Condition.parseFrom(conditions.get(0));
    byte[] salted = Tables.complete("alice|0002");
    assertArrayEquals(salted, condition.getRow().toByteArray());
    byte[] prefix = ((PrefixFilter) ProtobufUtil.toFilter(condition.getFilter())).getPrefix();
    assertTrue(prefix.length > 6 && Bytes.startsWith(salted, prefix), Bytes.toString(prefix));
  }

  @Test
  void completed_otherFields_stay() throws Exception {
    MultiRowRequest bare = new MultiRowRequest();
    bare.add(Tables.put("alice|0001", "v"));
    byte[] withNonce =
        UnknownFieldSet.newBuilder(UnknownFieldSet.parseFrom(bare.bytes()))
            .addField(NONCE, Field.newBuilder().addVarint(7).build())
            .build()
            .toByteArray();

    assertEquals(List.of(7L), completed(withNonce).getField(NONCE).getVarintList());
  }

  @Test
  void completed_saltedRow_isRefusedWithItsBareKey() throws Exception {
    MultiRowRequest salted = new MultiRowRequest();
    salted.add(Tables.put(Bytes.toString(Tables.complete("alice|0001")), "v"));

    String message =
        assertThrows(DoNotRetryIOException.class, () -> completed(salted.bytes())).getMessage();

    assertTrue(message.contains("bare key is \"alice|0001\""), message);
  }

  @Test
  void send_eachTime_isCounted() throws Exception {
    MultiRowRequest request = new MultiRowRequest();
    request.add(Tables.put("alice|0001", "v"));
    assertArrayEquals(request.bytes(), request.send());
    assertArrayEquals(request.bytes(), request.send());
    assertEquals(2, request.sends());
  }

  private static UnknownFieldSet completed(byte[] bare) throws IOException {
    return UnknownFieldSet.parseFrom(MultiRowRequest.completed(bare, LAYOUTS).bytes());
  }
}
