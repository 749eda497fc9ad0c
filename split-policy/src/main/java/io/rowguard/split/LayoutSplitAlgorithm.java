package io.rowguard.split;

import io.rowguard.config.RowguardKey;
import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.RowkeyLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.RegionSplitter.SplitAlgorithm;

/**
 * Pre-splits a table evenly by its layout, for HBase's own {@code RegionSplitter} and the shell's
 * {@code SPLITALGO}. Not thread-safe.
 *
 * <p>The layout comes from {@code -D rowguard.layout=...} behind RegionSplitter, else from the Java
 * system property {@code rowguard.layout}, else from hbase-site.xml; the group from {@code
 * rowguard.group} in the same way. HBase makes the algorithm without handing it a configuration
 * ({@code RegionSplitter#newSplitAlgoInstance}), so what is behind {@code -D} is read from the
 * process's own command line, which works on Linux only.
 *
 * <pre>
 * hbase org.apache.hadoop.hbase.util.RegionSplitter -D rowguard.layout='{id:hex(16)}' \\
 *     ids io.rowguard.split.LayoutSplitAlgorithm -c 16 -f f
 * </pre>
 */
public final class LayoutSplitAlgorithm implements SplitAlgorithm {
  private byte[] firstRow = new byte[0];
  private byte[] lastRow = new byte[0];
  private LayoutBoundaries boundaries;

  /** For HBase, which knows the class by name. */
  public LayoutSplitAlgorithm() {}

  /**
   * The legal boundary in the middle of a region.
   *
   * @throws IllegalArgumentException when there is no layout, or none of its boundaries is inside
   */
  @Override
  public byte[] split(byte[] start, byte[] end) {
    return divide(start, end, 2).get(0);
  }

  @Override
  public byte[][] split(int numRegions) {
    return divide(firstRow, lastRow, numRegions).toArray(new byte[0][]);
  }

  @Override
  public byte[][] split(byte[] start, byte[] end, int numSplits, boolean inclusive) {
    byte[] from = start.length == 0 ? firstRow : start;
    byte[] to = end.length == 0 ? lastRow : end;
    List<byte[]> keys = new ArrayList<>(divide(from, to, numSplits));
    if (inclusive) {
      keys.add(0, from);
      keys.add(to);
    }
    return keys.toArray(new byte[0][]);
  }

  /** The empty row: the layout knows where its keys begin. */
  @Override
  public byte[] firstRow() {
    return firstRow.clone();
  }

  /** The empty row: the layout knows where its keys end. */
  @Override
  public byte[] lastRow() {
    return lastRow.clone();
  }

  @Override
  public void setFirstRow(String userInput) {
    setFirstRow(strToRow(userInput));
  }

  @Override
  public void setLastRow(String userInput) {
    setLastRow(strToRow(userInput));
  }

  @Override
  public void setFirstRow(byte[] userInput) {
    firstRow = userInput.clone();
  }

  @Override
  public void setLastRow(byte[] userInput) {
    lastRow = userInput.clone();
  }

  @Override
  public byte[] strToRow(String input) {
    return Bytes.toBytesBinary(input);
  }

  /** As {@link Bytes#toStringBinary}, blanks escaped too: see {@link #separator}. */
  @Override
  public String rowToStr(byte[] row) {
    return Bytes.toStringBinary(row).replace(" ", "\\x20");
  }

  /**
   * A blank: RegionSplitter writes {@code "+ " + start + separator + split} for a rolling split and
   * expects three parts when it reads that line back.
   */
  @Override
  public String separator() {
    return " ";
  }

  private List<byte[]> divide(byte[] start, byte[] end, int regions) {
    return boundaries().evenly(start, end, regions);
  }

  private LayoutBoundaries boundaries() {
    if (boundaries == null) {
      Map<String, String> commandLine = SplitterCommandLine.settings();
      Configuration conf = HBaseConfiguration.create();
      String layout = value(RowguardKey.LAYOUT, commandLine, conf);
      if (layout == null) {
        throw new IllegalArgumentException(
            "There is no layout to split by. Give one to RegionSplitter (on Linux): -D "
                + RowguardKey.LAYOUT.key()
                + "='{id:hex(16)}'; or as a Java system property: JDK_JAVA_OPTIONS='\"-D"
                + RowguardKey.LAYOUT.key()
                + "={id:hex(16)}\"' hbase ...; or in the client's hbase-site.xml.");
      }
      boundaries =
          LayoutBoundaries.of(
              RowkeyLayout.parse(layout), value(RowguardKey.GROUP, commandLine, conf));
    }
    return boundaries;
  }

  private static String value(
      RowguardKey key, Map<String, String> commandLine, Configuration conf) {
    String given = commandLine.getOrDefault(key.key(), System.getProperty(key.key()));
    return given != null ? given : conf.get(key.key());
  }
}
