package io.rowguard.readdressing;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Put;

/**
 * A Put that shares its attributes with others, until one is set: HBase makes a map for the first
 * attribute of every mutation, and its buffers measure that map three times before they send it.
 *
 * <p>As thread-safe as a Put.
 */
final class SharingPut extends Put {
  private Map<String, byte[]> attributes;
  private boolean shared = true;

  /**
   * @param attributes unmodifiable, none with null as its value
   */
  SharingPut(
      byte[] row,
      long timestamp,
      NavigableMap<byte[], List<Cell>> cells,
      Map<String, byte[]> attributes) {
    super(row, timestamp, cells);
    this.attributes = attributes;
  }

  @Override
  public Put setAttribute(String name, byte[] value) {
    if (shared) {
      shared = false;
      attributes.forEach(super::setAttribute);
    }
    super.setAttribute(name, value);
    attributes = super.getAttributesMap();
    return this;
  }

  @Override
  public byte[] getAttribute(String name) {
    return attributes.get(name);
  }

  @Override
  public Map<String, byte[]> getAttributesMap() {
    return attributes;
  }

  /** Zero while they are shared. */
  @Override
  protected long getAttributeSize() {
    return shared ? 0 : super.getAttributeSize();
  }
}
