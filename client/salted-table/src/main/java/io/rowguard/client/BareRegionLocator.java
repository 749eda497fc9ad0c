package io.rowguard.client;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionLocator;

/** Finds the region of a bare key. The keys of regions stay what they are: those of stored rows. */
final class BareRegionLocator implements RegionLocator {
  private final RegionLocator stored;
  private final SaltedActions actions;

  BareRegionLocator(RegionLocator stored, SaltedActions actions) {
    this.stored = stored;
    this.actions = actions;
  }

  @Override
  public HRegionLocation getRegionLocation(byte[] row, int replicaId, boolean reload)
      throws IOException {
    return stored.getRegionLocation(actions.row(row), replicaId, reload);
  }

  @Override
  public List<HRegionLocation> getRegionLocations(byte[] row, boolean reload) throws IOException {
    return stored.getRegionLocations(actions.row(row), reload);
  }

  @Override
  public void clearRegionLocationCache() {
    stored.clearRegionLocationCache();
  }

  @Override
  public List<HRegionLocation> getAllRegionLocations() throws IOException {
    return stored.getAllRegionLocations();
  }

  @Override
  public TableName getName() {
    return stored.getName();
  }

  @Override
  public void close() throws IOException {
    stored.close();
  }
}
