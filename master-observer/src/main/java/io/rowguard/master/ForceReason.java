package io.rowguard.master;

import io.rowguard.config.RowguardKey;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.BytesBytesPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableSchema;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.CreateTableRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyTableRequest;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * The reason in {@code rowguard.force} that comes with a change, and its removal from what is
 * stored.
 *
 * <p>The key is taken out of the descriptor before HBase creates or alters the table. Where a later
 * hook needs it, it is read from the request, which that hook still runs in: there is nothing to
 * remember and nothing to forget.
 */
final class ForceReason {
  private static final String KEY = RowguardKey.FORCE.key();

  private ForceReason() {}

  /**
   * The reason that a change gives, or null.
   *
   * @param current the table's descriptor before the change, or null; a reason that stands there
   *     already, from times without this observer, is none for this change
   * @param changed the descriptor as it came
   */
  static String of(TableDescriptor current, TableDescriptor changed) {
    return of(current == null ? null : current.getValue(KEY), changed.getValue(KEY));
  }

  /** The reason in the request of a client that this thread serves, or null. */
  static String ofRequest(TableDescriptor current) {
    Message request = RpcServer.getCurrentCall().map(RpcCall::getParam).orElse(null);
    TableSchema schema = null;
    if (request instanceof CreateTableRequest) {
      schema = ((CreateTableRequest) request).getTableSchema();
    } else if (request instanceof ModifyTableRequest) {
      schema = ((ModifyTableRequest) request).getTableSchema();
    }
    if (schema == null) {
      return null;
    }
    String given = null;
    for (BytesBytesPair attribute : schema.getAttributesList()) {
      if (attribute.getFirst().toStringUtf8().equals(KEY)) {
        given = attribute.getSecond().toStringUtf8();
      }
    }
    return of(current == null ? null : current.getValue(KEY), given);
  }

  /** The descriptor as it is stored; the same object where there is nothing to take out. */
  static TableDescriptor removeFrom(TableDescriptor table) {
    return table.getValue(KEY) == null
        ? table
        : TableDescriptorBuilder.newBuilder(table).removeValue(Bytes.toBytes(KEY)).build();
  }

  private static String of(String before, String given) {
    boolean isReason = given != null && !given.trim().isEmpty() && !given.equals(before);
    return isReason ? given.trim() : null;
  }
}
