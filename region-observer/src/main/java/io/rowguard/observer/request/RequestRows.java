package io.rowguard.observer.request;

import io.rowguard.config.LayoutStamp;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet;

/**
 * The rows of one region that the current thread's request is about to write, all at once: HBase
 * shows a hook one after the other. Read from the request, so it knows nothing of what coprocessors
 * write besides.
 */
public final class RequestRows {
  /** The full name of {@code MultiRowMutationEndpoint}'s service, in each protobuf. */
  public static final String MULTI_ROW_SERVICE = "hbase.pb.MultiRowMutationService";

  /** Fields of {@code MutateRowsRequest}, which 2.x has in another protobuf than 3.0. */
  private static final int MUTATIONS = 1;

  private static final int CONDITIONS = 5;

  private RequestRows() {}

  /** The rows of puts, deletes, increments and appends, in no order, maybe several times. */
  public static List<byte[]> written(RegionInfo region) {
    RpcCall call = RpcServer.getCurrentCall().orElse(null);
    if (call == null) {
      return new ArrayList<>();
    }
    List<byte[]> own = InternalRpcCall.rowsOf(call);
    if (own != null) {
      List<byte[]> here = new ArrayList<>(own);
      here.removeIf(row -> !region.containsRow(row));
      return here;
    }
    List<byte[]> rows = new ArrayList<>();
    Message request = call.getParam();
    if (request instanceof MultiRequest) {
      for (RegionAction action : ((MultiRequest) request).getRegionActionList()) {
        if (isOf(action.getRegion(), region)) {
          addWritten(rows, action);
        }
      }
    } else if (request instanceof MutateRequest
        && isOf(((MutateRequest) request).getRegion(), region)) {
      rows.add(((MutateRequest) request).getMutation().getRow().toByteArray());
    }
    return rows;
  }

  private static void addWritten(List<byte[]> rows, RegionAction action) {
    for (Action each : action.getActionList()) {
      if (each.hasMutation()) {
        rows.add(each.getMutation().getRow().toByteArray());
      }
    }
  }

  /**
   * The rows that a call of {@code MultiRowMutationEndpoint} writes, or looks at in a condition;
   * likewise.
   *
   * @param request what it is called with, as it travels
   * @throws IOException when that cannot be read
   */
  public static List<byte[]> ofMultiRowCall(byte[] request) throws IOException {
    List<byte[]> rows = new ArrayList<>();
    UnknownFieldSet fields = UnknownFieldSet.parseFrom(request);
    for (ByteString mutation : fields.getField(MUTATIONS).getLengthDelimitedList()) {
      rows.add(MutationProto.parseFrom(mutation).getRow().toByteArray());
    }
    rows.addAll(ofMultiRowConditions(request));
    return rows;
  }

  /** The rows that such a call looks at in a condition; likewise. */
  public static List<byte[]> ofMultiRowConditions(byte[] request) throws IOException {
    List<byte[]> rows = new ArrayList<>();
    UnknownFieldSet fields = UnknownFieldSet.parseFrom(request);
    for (ByteString condition : fields.getField(CONDITIONS).getLengthDelimitedList()) {
      rows.add(Condition.parseFrom(condition).getRow().toByteArray());
    }
    return rows;
  }

  /**
   * The mutations in a call of {@code MultiRowMutationEndpoint} that may have a {@link
   * LayoutStamp}, in their order.
   *
   * @param request what it is called with, as it travels
   * @throws IOException when that cannot be read
   */
  public static List<Mutation> stampedOfMultiRowCall(byte[] request) throws IOException {
    List<Mutation> mutations = new ArrayList<>();
    for (ByteString each :
        UnknownFieldSet.parseFrom(request).getField(MUTATIONS).getLengthDelimitedList()) {
      MutationProto mutation = MutationProto.parseFrom(each);
      if (LayoutStamp.mayBeNamedBy(mutation.getTimestamp(), mutation.getAttributeCount() > 0)) {
        mutations.add(ProtobufUtil.toMutation(mutation));
      }
    }
    return mutations;
  }

  /** Whether a part of a request is for a region. */
  public static boolean isOf(RegionSpecifier specifier, RegionInfo region) {
    byte[] name = specifier.getValue().toByteArray();
    return specifier.getType() == RegionSpecifier.RegionSpecifierType.ENCODED_REGION_NAME
        ? Arrays.equals(name, region.getEncodedNameAsBytes())
        : Arrays.equals(name, region.getRegionName());
  }
}
