package io.rowguard.client;

import java.util.Arrays;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A region of a salted table as one that holds a range of bare keys: it has the name of the region,
 * by which HBase knows it, and the keys of the range. Immutable and thread-safe.
 */
final class BareRegionInfo implements RegionInfo {
  private final RegionInfo salted;
  private final byte[] startKey;
  private final byte[] endKey;

  /**
   * @param startKey inclusive; empty for none
   * @param endKey exclusive; empty for none
   */
  BareRegionInfo(RegionInfo salted, byte[] startKey, byte[] endKey) {
    this.salted = salted;
    this.startKey = startKey;
    this.endKey = endKey;
  }

  @Override
  public byte[] getStartKey() {
    return startKey;
  }

  @Override
  public byte[] getEndKey() {
    return endKey;
  }

  /** Where the region itself begins. */
  byte[] saltedStartKey() {
    return salted.getStartKey();
  }

  @Override
  public boolean containsRow(byte[] row) {
    return Bytes.compareTo(row, startKey) >= 0
        && (endKey.length == 0 || Bytes.compareTo(row, endKey) < 0);
  }

  /** Both bounds count, as in HBase's own. */
  @Override
  public boolean containsRange(byte[] first, byte[] last) {
    if (Bytes.compareTo(first, last) > 0) {
      throw new IllegalArgumentException(
          "The range ends before it begins. first="
              + Bytes.toStringBinary(first)
              + " last="
              + Bytes.toStringBinary(last));
    }
    return containsRow(first)
        && (endKey.length == 0 || (last.length > 0 && Bytes.compareTo(last, endKey) < 0));
  }

  @Override
  public String getShortNameToLog() {
    return salted.getShortNameToLog();
  }

  @Override
  public long getRegionId() {
    return salted.getRegionId();
  }

  @Override
  public byte[] getRegionName() {
    return salted.getRegionName();
  }

  @Override
  public String getRegionNameAsString() {
    return salted.getRegionNameAsString();
  }

  @Override
  public String getEncodedName() {
    return salted.getEncodedName();
  }

  @Override
  public byte[] getEncodedNameAsBytes() {
    return salted.getEncodedNameAsBytes();
  }

  @Override
  public TableName getTable() {
    return salted.getTable();
  }

  @Override
  public int getReplicaId() {
    return salted.getReplicaId();
  }

  @Override
  public boolean isSplit() {
    return salted.isSplit();
  }

  @Override
  @Deprecated
  public boolean isOffline() {
    return salted.isOffline();
  }

  @Override
  @Deprecated
  public boolean isSplitParent() {
    return salted.isSplitParent();
  }

  @Override
  public boolean isMetaRegion() {
    return salted.isMetaRegion();
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof BareRegionInfo)) {
      return false;
    }
    BareRegionInfo that = (BareRegionInfo) other;
    return salted.equals(that.salted)
        && Arrays.equals(startKey, that.startKey)
        && Arrays.equals(endKey, that.endKey);
  }

  @Override
  public int hashCode() {
    return 31 * salted.hashCode() + Arrays.hashCode(startKey);
  }

  @Override
  public String toString() {
    return salted.getRegionNameAsString()
        + " with the bare keys from \""
        + Bytes.toStringBinary(startKey)
        + "\" to \""
        + Bytes.toStringBinary(endKey)
        + "\"";
  }
}
