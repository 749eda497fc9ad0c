package io.rowguard.observer.decide;

import io.rowguard.config.OtherRowException;
import io.rowguard.layout.RowText;
import io.rowguard.observer.request.RequestRows;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Arrays;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OnlineRegions;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.regionserver.ServerNonceManager;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Recognises RowMutations and conditional writes with an increment or append in them that this
 * server has carried out, and whose answer was lost, by HBase's nonces. HBase looks at these late,
 * under the locks and behind the condition. So they are looked at here before a refusal upon which
 * SaltedTable sends a write to another row, where it would be carried out twice. Thread-safe.
 */
public final class RepeatCheck {
  private final RegionInfo region;

  /** Null where the server has no nonces. */
  private final RegionServerServices server;

  public RepeatCheck(RegionInfo region, OnlineRegions server) {
    this.region = region;
    this.server = server instanceof RegionServerServices ? (RegionServerServices) server : null;
  }

  /**
   * Returns if the current request adds nothing to a row in such a way, or for the first time. For
   * callers that hold no lock, and before HBase begins the request's nonce: an earlier try that is
   * still being carried out is waited for.
   *
   * @throws DoNotRetryIOException if it was carried out before
   */
  public void requireNew(byte[] row) throws IOException {
    Message request = RpcServer.getCurrentCall().map(RpcCall::getParam).orElse(null);
    if (request instanceof MutateRequest) {
      MutateRequest single = (MutateRequest) request;
      if (RequestRows.isOf(single.getRegion(), region) && adds(single.getMutation(), row)) {
        requireNew(row, single.getNonceGroup(), single.getMutation().getNonce());
      }
    } else if (request instanceof MultiRequest) {
      MultiRequest multi = (MultiRequest) request;
      for (RegionAction action : multi.getRegionActionList()) {
        boolean isWhole = action.getAtomic() || action.hasCondition();
        if (isWhole && RequestRows.isOf(action.getRegion(), region) && adds(action, row)) {
          requireNew(row, multi.getNonceGroup(), nonceOf(action));
        }
      }
    }
  }

  private static boolean adds(RegionAction action, byte[] row) {
    return action.getActionList().stream()
        .anyMatch(each -> each.hasMutation() && adds(each.getMutation(), row));
  }

  private static boolean adds(MutationProto mutation, byte[] row) {
    MutationType type = mutation.getMutateType();
    return (type == MutationType.INCREMENT || type == MutationType.APPEND)
        && Arrays.equals(mutation.getRow().toByteArray(), row);
  }

  /** The first that there is: what HBase's own server takes for all of the action. */
  private static long nonceOf(RegionAction action) {
    for (Action each : action.getActionList()) {
      if (each.hasMutation() && each.getMutation().hasNonce()) {
        return each.getMutation().getNonce();
      }
    }
    return HConstants.NO_NONCE;
  }

  private void requireNew(byte[] row, long group, long nonce) throws IOException {
    ServerNonceManager nonces = server == null ? null : server.getNonceManager();
    if (nonces == null || nonce == HConstants.NO_NONCE) {
      return;
    }
    try {
      if (!nonces.startOperation(group, nonce, server)) {
        throw repeated(row);
      }
    } catch (InterruptedException e) {
      throw (InterruptedIOException)
          new InterruptedIOException("Interrupted while an earlier try is carried out.")
              .initCause(e);
    }
    // No operation was carried out: the next try is as new as this one.
    nonces.endOperation(group, nonce, false);
  }

  /** The failure of a whole batch of which a mutation is refused, in {@code preBatchMutate}. */
  IOException failure(
      MiniBatchOperationInProgress<Mutation> batch, Mutation mutation, Refusal refusal) {
    IOException failure = refusal.exception();
    return failure instanceof OtherRowException && isRepeated(batch)
        ? repeated(mutation.getRow())
        : failure;
  }

  /**
   * Whether HBase knows the nonce of a batch: an increment or append counts as done then. (Or
   * another coprocessor has done it.)
   */
  private static boolean isRepeated(MiniBatchOperationInProgress<Mutation> batch) {
    for (int i = 0; i < batch.size(); i++) {
      if (hasNonce(batch.getOperation(i))
          && batch.getOperationStatus(i).getOperationStatusCode() == OperationStatusCode.SUCCESS) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether HBase knows a mutation again that it has carried out, when its client has lost the
   * answer and tries again. It does so under the row's lock, so nothing may be said before that
   * which makes a client of two layouts send it to another row: it would be carried out twice.
   */
  static boolean hasNonce(Mutation mutation) {
    return mutation instanceof Increment || mutation instanceof Append;
  }

  private DoNotRetryIOException repeated(byte[] row) {
    return new DoNotRetryIOException(
        "This request was carried out before, and its answer was lost; it is not carried out"
            + " again. table="
            + region.getTable()
            + " row=\""
            + RowText.abbreviated(row)
            + "\". Meanwhile the table's layout has changed, so its result is not known any more:"
            + " read the row.");
  }
}
