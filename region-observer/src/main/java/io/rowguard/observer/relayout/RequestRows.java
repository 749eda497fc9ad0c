package io.rowguard.observer.relayout;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.UnknownFieldSet;

/**
 * The rows that the current thread's request is about to write, all at once: HBase shows a hook one
 * after the other. Read from the request, so it knows nothing of what coprocessors write besides.
 */
public final class RequestRows {
  /** {@code MultiRowMutationEndpoint}, as its clients call it. */
  private static final String MULTI_ROW_SERVICE = "MultiRowMutationService";

  /** In {@code MutateRowsRequest}, which 2.x has in another protobuf than 3.0. */
  private static final int MUTATIONS = 1;

  private static final int CONDITIONS = 5;

  private RequestRows() {}

  /** Those of puts, deletes, increments and appends, in no order, maybe several times. */
  public static List<byte[]> written(RegionInfo region) {
    RpcCall call = RpcServer.getCurrentCall().orElse(null);
    if (call == null) {
      return new ArrayList<>();
    }
    List<byte[]> own = OwnCall.rowsOf(call);
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

  /**
   * The same of all other regions that the request writes to, by their encoded names: HBase carries
   * out one region's part after the other.
   */
  public static Map<String, List<byte[]>> writtenElsewhere(RegionInfo region) {
    Map<String, List<byte[]>> rows = new LinkedHashMap<>();
    Message request = RpcServer.getCurrentCall().map(RpcCall::getParam).orElse(null);
    if (request instanceof MultiRequest && ((MultiRequest) request).getRegionActionCount() > 1) {
      for (RegionAction action : ((MultiRequest) request).getRegionActionList()) {
        if (!isOf(action.getRegion(), region)) {
          addWritten(
              rows.computeIfAbsent(encodedName(action.getRegion()), name -> new ArrayList<>()),
              action);
        }
      }
    }
    return rows;
  }

  private static String encodedName(RegionSpecifier specifier) {
    byte[] name = specifier.getValue().toByteArray();
    return specifier.getType() == RegionSpecifier.RegionSpecifierType.ENCODED_REGION_NAME
        ? Bytes.toString(name)
        : RegionInfo.encodeRegionName(name);
  }

  private static void addWritten(List<byte[]> rows, RegionAction action) {
    for (Action each : action.getActionList()) {
      if (each.hasMutation()) {
        rows.add(each.getMutation().getRow().toByteArray());
      }
    }
  }

  /**
   * Those that calls of {@code MultiRowMutationEndpoint} write, or look at in a condition,
   * likewise; null where the request calls nothing of it in the region.
   *
   * @throws IOException when such a call cannot be read
   */
  public static List<byte[]> ofMultiRowCalls(RegionInfo region) throws IOException {
    Message request = RpcServer.getCurrentCall().map(RpcCall::getParam).orElse(null);
    List<byte[]> rows = null;
    if (request instanceof CoprocessorServiceRequest) {
      CoprocessorServiceRequest single = (CoprocessorServiceRequest) request;
      if (isOf(single.getRegion(), region)) {
        rows = add(rows, single.getCall());
      }
    } else if (request instanceof MultiRequest) {
      for (RegionAction action : ((MultiRequest) request).getRegionActionList()) {
        if (isOf(action.getRegion(), region)) {
          for (Action each : action.getActionList()) {
            rows = each.hasServiceCall() ? add(rows, each.getServiceCall()) : rows;
          }
        }
      }
    }
    return rows;
  }

  private static List<byte[]> add(List<byte[]> rows, CoprocessorServiceCall call)
      throws IOException {
    if (!call.getServiceName().equals(MULTI_ROW_SERVICE)) {
      return rows;
    }
    List<byte[]> all = rows == null ? new ArrayList<>() : rows;
    UnknownFieldSet fields = UnknownFieldSet.parseFrom(call.getRequest());
    for (ByteString mutation : fields.getField(MUTATIONS).getLengthDelimitedList()) {
      all.add(MutationProto.parseFrom(mutation).getRow().toByteArray());
    }
    for (ByteString condition : fields.getField(CONDITIONS).getLengthDelimitedList()) {
      all.add(Condition.parseFrom(condition).getRow().toByteArray());
    }
    return all;
  }

  /** Whether a part of a request is for a region. */
  public static boolean isOf(RegionSpecifier specifier, RegionInfo region) {
    byte[] name = specifier.getValue().toByteArray();
    return specifier.getType() == RegionSpecifier.RegionSpecifierType.ENCODED_REGION_NAME
        ? Arrays.equals(name, region.getEncodedNameAsBytes())
        : Arrays.equals(name, region.getRegionName());
  }
}
