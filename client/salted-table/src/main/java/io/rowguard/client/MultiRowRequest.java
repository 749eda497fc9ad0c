package io.rowguard.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet;
import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet.Field;

/**
 * A request to {@code MultiRowMutationEndpoint} as it travels: a {@code MutateRowsRequest}, whose
 * Java class is of another protobuf on HBase 2 than on 3. It counts how often it is sent, since
 * HBase's client sends it again by itself. Filled by one thread, sent by any.
 */
final class MultiRowRequest {
  private static final int ABANDONED = -1;

  /** The full name of the endpoint's service, in each protobuf. */
  static final String SERVICE = "hbase.pb.MultiRowMutationService";

  /** Fields of {@code MutateRowsRequest}. */
  private static final int MUTATIONS = 1;

  private static final int CONDITIONS = 5;

  private final Field.Builder mutations = Field.newBuilder();
  private final Field.Builder conditions = Field.newBuilder();
  private final List<byte[]> rows = new ArrayList<>();
  private final AtomicInteger sends = new AtomicInteger();

  /** The other fields. */
  private final UnknownFieldSet rest;

  MultiRowRequest() {
    this(UnknownFieldSet.getDefaultInstance());
  }

  private MultiRowRequest(UnknownFieldSet rest) {
    this.rest = rest;
  }

  /**
   * A request whose rows are bare keys, with the rows that are stored for them.
   *
   * @param bare as it travels
   * @throws org.apache.hadoop.hbase.DoNotRetryIOException when a row is no bare key
   */
  static MultiRowRequest completed(byte[] bare, TableLayouts plan) throws IOException {
    UnknownFieldSet fields = UnknownFieldSet.parseFrom(bare);
    MultiRowRequest request =
        new MultiRowRequest(
            fields.toBuilder().clearField(MUTATIONS).clearField(CONDITIONS).build());
    for (ByteString each : fields.getField(MUTATIONS).getLengthDelimitedList()) {
      request.add(plan.onPrimary(ProtobufUtil.toMutation(MutationProto.parseFrom(each))));
    }
    for (ByteString each : fields.getField(CONDITIONS).getLengthDelimitedList()) {
      Condition condition = Condition.parseFrom(each);
      byte[] bareKey = condition.getRow().toByteArray();
      byte[] row = plan.primaryRow(bareKey);
      Condition.Builder completed = condition.toBuilder().setRow(ByteString.copyFrom(row));
      if (condition.hasFilter()) {
        Filter filter = ProtobufUtil.toFilter(condition.getFilter());
        completed.setFilter(ProtobufUtil.toFilter(plan.actions().filter(filter, row)));
      }
      request.add(row, completed.build());
    }
    return request;
  }

  private static MutationType typeOf(Mutation mutation) {
    if (mutation instanceof Increment) {
      return MutationType.INCREMENT;
    }
    if (mutation instanceof Append) {
      return MutationType.APPEND;
    }
    return mutation instanceof Delete ? MutationType.DELETE : MutationType.PUT;
  }

  /** Adds a mutation of a stored row. */
  void add(Mutation mutation) throws IOException {
    MutationType type = typeOf(mutation);
    mutations.addLengthDelimited(ProtobufUtil.toMutation(type, mutation).toByteString());
    rows.add(mutation.getRow());
  }

  /** Adds a condition on a stored row. */
  void add(byte[] row, Condition condition) {
    conditions.addLengthDelimited(condition.toByteString());
    rows.add(row);
  }

  /** The stored rows, first that of the first mutation. */
  List<byte[]> rows() {
    return rows;
  }

  /**
   * The bytes, for one sending.
   *
   * @throws IllegalStateException when it is given up
   */
  byte[] send() {
    if (sends.getAndUpdate(times -> times == ABANDONED ? ABANDONED : times + 1) == ABANDONED) {
      throw new IllegalStateException("The request was given up before it was sent.");
    }
    return bytes();
  }

  /**
   * Gives it up, unless it has been sent: HBase 3's client goes on with a call that is not waited
   * for any more.
   *
   * @return whether it never was sent, and never will be
   */
  boolean abandon() {
    return sends.compareAndSet(0, ABANDONED);
  }

  /** The bytes, to look at. */
  byte[] bytes() {
    return rest.toBuilder()
        .addField(MUTATIONS, mutations.build())
        .addField(CONDITIONS, conditions.build())
        .build()
        .toByteArray();
  }

  /** How often it was sent. */
  int sends() {
    return sends.get();
  }
}
