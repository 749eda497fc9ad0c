package io.rowguard.observer.request;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Column;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Get;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.CompareType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet;
import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet.Field;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RequestRowsTest {
  private static final RegionInfo REGION = region("", "m");
  private static final RegionInfo OTHER = region("m", "");

  @AfterEach
  void noCall() {
    RpcServer.unsetCurrentCall();
  }

  private static RegionInfo region(String from, String to) {
    return RegionInfoBuilder.newBuilder(TableName.valueOf("t"))
        .setStartKey(from.getBytes(UTF_8))
        .setEndKey(to.getBytes(UTF_8))
        .setRegionId(1)
        .build();
  }

  private static RegionSpecifier named(RegionInfo region) {
    return RegionSpecifier.newBuilder()
        .setType(RegionSpecifierType.REGION_NAME)
        .setValue(ByteString.copyFrom(region.getRegionName()))
        .build();
  }

  private static RegionSpecifier encoded(RegionInfo region) {
    return RegionSpecifier.newBuilder()
        .setType(RegionSpecifierType.ENCODED_REGION_NAME)
        .setValue(ByteString.copyFrom(region.getEncodedNameAsBytes()))
        .build();
  }

  private static MutationProto mutation(String row) {
    return MutationProto.newBuilder().setRow(ByteString.copyFromUtf8(row)).build();
  }

  private static RegionAction batch(RegionSpecifier region, String... rows) {
    RegionAction.Builder batch = RegionAction.newBuilder().setRegion(region);
    for (String row : rows) {
      batch.addAction(Action.newBuilder().setMutation(mutation(row)));
    }
    Get get = Get.newBuilder().setRow(ByteString.copyFromUtf8("read")).addColumn(column()).build();
    return batch.addAction(Action.newBuilder().setGet(get)).build();
  }

  private static Column column() {
    return Column.newBuilder().setFamily(ByteString.copyFromUtf8("f")).build();
  }

  private static void isServed(Message request) {
    RpcServer.setCurrentCall(
        (RpcCall)
            Proxy.newProxyInstance(
                RequestRowsTest.class.getClassLoader(),
                new Class<?>[] {RpcCall.class},
                (self, method, arguments) -> {
                  Class<?> type = method.getReturnType();
                  if (method.getName().equals("getParam")) {
                    return request;
                  }
                  if (type == Optional.class) {
                    return Optional.empty();
                  }
                  return type.isPrimitive() && type != void.class
                      ? Array.get(Array.newInstance(type, 1), 0)
                      : null;
                }));
  }

  private static List<String> texts(List<byte[]> rows) {
    List<String> texts = new ArrayList<>();
    rows.forEach(row -> texts.add(new String(row, UTF_8)));
    return texts;
  }

  private static List<String> written() {
    return texts(RequestRows.written(REGION));
  }

  @Test
  void written_withoutARequest_isNothing() {
    assertEquals(List.of(), written());
  }

  @Test
  void written_ofASingleMutation_isItsRowInItsRegion() {
    isServed(
        MutateRequest.newBuilder().setRegion(named(REGION)).setMutation(mutation("a")).build());
    assertEquals(List.of("a"), written());
    isServed(MutateRequest.newBuilder().setRegion(named(OTHER)).setMutation(mutation("z")).build());
    assertEquals(List.of(), written());
  }

  @Test
  void written_ofSeveralBatches_isWhatIsWrittenInTheRegion() {
    isServed(
        MultiRequest.newBuilder()
            .addRegionAction(batch(named(REGION), "b", "a"))
            .addRegionAction(batch(named(OTHER), "z"))
            .addRegionAction(batch(encoded(REGION), "c"))
            .build());
    assertEquals(List.of("b", "a", "c"), written());
  }

  @Test
  void written_byTheServerItself_isWhatItNames() throws Exception {
    List<byte[]> rows = List.of("a".getBytes(UTF_8), "z".getBytes(UTF_8));
    isServed(
        MutateRequest.newBuilder().setRegion(named(REGION)).setMutation(mutation("b")).build());

    assertEquals(List.of("a"), InternalRpcCall.run(1_000, rows, RequestRowsTest::written));

    assertEquals(List.of("b"), written());
  }

  @Test
  void multiRowCall_isReadWithItsConditions() throws IOException {
    Condition condition =
        Condition.newBuilder()
            .setRow(ByteString.copyFromUtf8("c"))
            .setCompareType(CompareType.EQUAL)
            .build();
    UnknownFieldSet request =
        UnknownFieldSet.newBuilder()
            .addField(
                1,
                Field.newBuilder()
                    .addLengthDelimited(mutation("a").toByteString())
                    .addLengthDelimited(mutation("b").toByteString())
                    .build())
            .addField(5, Field.newBuilder().addLengthDelimited(condition.toByteString()).build())
            .build();

    assertEquals(List.of("a", "b", "c"), texts(RequestRows.ofMultiRowCall(request.toByteArray())));
  }
}
