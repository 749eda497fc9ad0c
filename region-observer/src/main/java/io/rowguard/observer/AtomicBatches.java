package io.rowguard.observer;

import java.util.Arrays;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Tells batches whose rows may fail one by one from those that must fail whole.
 *
 * <p>HBase's atomic paths ({@code mutateRow}, {@code checkAndMutate}, {@code mutateRowsWithLocks})
 * ignore the status that a coprocessor sets on a row: they would skip the row and report success
 * ({@code HRegion#mutateRow} of 2.6.1 reads only the results). There the only safe refusal is an
 * exception. A plain batch is the opposite: an exception fails all of its rows.
 *
 * <p>The batch itself does not say which it is; the request that it came with does. Only a {@code
 * Multi} request reads statuses, and there only region actions that are neither atomic nor
 * conditional nor calls of an endpoint. Whatever cannot be told apart fails whole.
 */
final class AtomicBatches {
  private AtomicBatches() {}

  /** Whether a refusal of one of the rows must be thrown. */
  static boolean failsWhole(MiniBatchOperationInProgress<Mutation> batch, RegionInfo region) {
    RpcCall call = RpcServer.getCurrentCall().orElse(null);
    if (call == null || !(call.getParam() instanceof MultiRequest)) {
      return true;
    }
    byte[] onlyRow = onlyRow(batch);
    boolean fromRequest = false;
    for (RegionAction action : ((MultiRequest) call.getParam()).getRegionActionList()) {
      if (isOf(action, region)) {
        fromRequest = true;
        if (callsEndpoint(action) || (isAtomic(action) && isOn(action, onlyRow))) {
          return true;
        }
      }
    }
    return !fromRequest;
  }

  private static boolean isOf(RegionAction action, RegionInfo region) {
    byte[] name = action.getRegion().getValue().toByteArray();
    return action.getRegion().getType() == RegionSpecifier.RegionSpecifierType.ENCODED_REGION_NAME
        ? Arrays.equals(name, region.getEncodedNameAsBytes())
        : Arrays.equals(name, region.getRegionName());
  }

  private static boolean isAtomic(RegionAction action) {
    return action.getAtomic() || action.hasCondition();
  }

  /** An endpoint such as MultiRowMutationEndpoint can start atomic batches of its own. */
  private static boolean callsEndpoint(RegionAction action) {
    for (Action each : action.getActionList()) {
      if (each.hasServiceCall()) {
        return true;
      }
    }
    return false;
  }

  /** Whether an atomic action, which has one row, can be this batch. */
  private static boolean isOn(RegionAction action, byte[] onlyRow) {
    if (onlyRow == null) {
      return false;
    }
    for (Action each : action.getActionList()) {
      if (each.hasMutation() && Arrays.equals(each.getMutation().getRow().toByteArray(), onlyRow)) {
        return true;
      }
    }
    return false;
  }

  /** The row of a batch whose mutations all have the same one, else null. */
  private static byte[] onlyRow(MiniBatchOperationInProgress<Mutation> batch) {
    byte[] row = batch.getOperation(0).getRow();
    for (int i = 1; i < batch.size(); i++) {
      if (!Bytes.equals(row, batch.getOperation(i).getRow())) {
        return null;
      }
    }
    return row;
  }
}
