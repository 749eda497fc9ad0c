package io.rowguard.observer.decide;

import io.rowguard.config.LayoutStamp;
import io.rowguard.config.TableConfig;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionFileSystem;
import org.apache.hadoop.hbase.util.FSTableDescriptors;

/**
 * Reads from the file system which layouts a table declares by now, while its region has not
 * reopened since an alter: the master stores a descriptor before regions reopen. Thread-safe; reads
 * until it has found a later version than the region's, which does not change before the region
 * reopens.
 */
public final class StoredLayouts implements LayoutStamp.Stored {
  private final HRegionFileSystem files;
  private final Configuration conf;
  private final long regionVersion;
  private LayoutStamp later;

  private StoredLayouts(HRegionFileSystem files, Configuration conf, long regionVersion) {
    this.files = files;
    this.conf = conf;
    this.regionVersion = regionVersion;
  }

  /** The layouts stored for the table of a region, which has opened with {@code opened}. */
  public static StoredLayouts of(HRegion region, Configuration conf, TableConfig opened) {
    return new StoredLayouts(region.getRegionFileSystem(), conf, opened.layoutVersion());
  }

  @Override
  public synchronized LayoutStamp read() throws IOException {
    if (later != null) {
      return later;
    }
    LayoutStamp stored =
        LayoutStamp.of(
            TableConfig.of(
                FSTableDescriptors.getTableDescriptorFromFs(
                    files.getFileSystem(), files.getTableDir()),
                conf));
    later = stored.version() > regionVersion ? stored : null;
    return stored;
  }
}
