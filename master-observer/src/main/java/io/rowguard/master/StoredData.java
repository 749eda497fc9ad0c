package io.rowguard.master;

import io.rowguard.layout.RowText;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.util.CommonFSUtils;

/**
 * Finds out whether a table holds data, cheaply and on the safe side.
 *
 * <p>First the table's directory: any store file, or edits that wait for a region to be opened, is
 * data, even if all of its cells are deleted. With data the first region has it as a rule, so this
 * ends after some listings; a table without any costs one listing per region and column family.
 * Only when there is none, and the table is not disabled, what memstores hold matters, and so
 * little can be scanned fast: one raw cell of the table. (HBase's own metrics of a region count its
 * memstore in whole mebibytes.) What is not known counts as data.
 *
 * <p>A row that is written between the answer and the change is missed, as the table goes on taking
 * writes.
 */
final class StoredData {
  private static final int LISTINGS = 3;
  private static final int OPERATION_MILLIS = 20_000;
  private static final int CALL_MILLIS = 10_000;
  private static final String RECOVERED_EDITS = "recovered.edits";
  private static final String SEQUENCE_ID = ".seqid";

  private final Configuration conf;
  private final Connection connection;

  /**
   * @param connection with the master's rights
   */
  StoredData(Configuration conf, Connection connection) {
    this.conf = conf;
    this.connection = connection;
  }

  /**
   * The sign that a table holds data, or the reason why that is not known, as a clause of printable
   * characters; null when it holds none.
   *
   * @param regionsOpen whether all of its regions are open, so that they can be asked
   */
  String find(TableName table, boolean disabled, boolean regionsOpen) {
    try {
      String file = file(CommonFSUtils.getTableDir(CommonFSUtils.getRootDir(conf), table));
      if (file == null) {
        file = file(CommonFSUtils.getWALTableDir(conf, table));
      }
      if (file != null) {
        return "file " + MessageText.plain(file);
      }
      if (disabled) {
        return null;
      }
      return regionsOpen
          ? inMemory(table)
          : "unknown, since not all regions are open; try again when they are";
    } catch (IOException e) {
      return "unknown: " + MessageText.plain(e.toString());
    }
  }

  private String inMemory(TableName table) throws IOException {
    Scan scan =
        new Scan()
            .setRaw(true)
            .setLimit(1)
            .setCaching(1)
            .setCacheBlocks(false)
            .setFilter(new FirstKeyOnlyFilter());
    try (Table client =
            connection
                .getTableBuilder(table, null)
                .setOperationTimeout(OPERATION_MILLIS)
                .setReadRpcTimeout(CALL_MILLIS)
                .build();
        ResultScanner scanner = client.getScanner(scan)) {
      Result first = scanner.next();
      return first == null ? null : "row " + RowText.abbreviated(first.getRow()) + " in memory";
    }
  }

  /**
   * The path below a directory of some file that holds rows, or null. Files come and go while
   * regions compact; a listing that meets with that begins again.
   */
  private String file(Path directory) throws IOException {
    FileSystem fs = directory.getFileSystem(conf);
    for (int attempt = 1; ; attempt++) {
      try {
        return fs.exists(directory) ? firstDataFile(fs, directory) : null;
      } catch (FileNotFoundException e) {
        if (attempt == LISTINGS) {
          throw e;
        }
      }
    }
  }

  private static String firstDataFile(FileSystem fs, Path directory) throws IOException {
    int prefix = fs.makeQualified(directory).toString().length() + 1;
    RemoteIterator<LocatedFileStatus> files = fs.listFiles(directory, true);
    while (files.hasNext()) {
      String path = fs.makeQualified(files.next().getPath()).toString().substring(prefix);
      if (isData(path)) {
        return path;
      }
    }
    return null;
  }

  /**
   * Whether a file holds rows, by its path below the table's directory: {@code region/family/file},
   * deeper ones too ({@code recovered.hfiles}), but not what HBase hides, nor the sequence ids that
   * it leaves beside recovered edits. Its length says nothing: the store files of a clone are links
   * without content.
   */
  static boolean isData(String path) {
    String[] names = path.split(Path.SEPARATOR, -1);
    for (String name : names) {
      if (name.startsWith(".") || name.startsWith("_")) {
        return false;
      }
    }
    boolean isSequenceId =
        names.length > 2
            && names[1].equals(RECOVERED_EDITS)
            && names[names.length - 1].endsWith(SEQUENCE_ID);
    return names.length > 2 && !isSequenceId;
  }
}
