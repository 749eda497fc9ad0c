package io.rowguard.split;

import io.rowguard.config.RowguardKey;
import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.RowkeyLayout;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.RegionSplitter.SplitAlgorithm;

/**
 * Pre-splits a table evenly by its layout, for HBase's own {@code RegionSplitter} and the shell's
 * {@code SPLITALGO}. Not thread-safe.
 *
 * <p>The layout comes from the Java system property {@code rowguard.layout}, else from the client's
 * hbase-site.xml; the group from {@code rowguard.group} in the same way. Not from RegionSplitter's
 * own {@code -D}: HBase makes the algorithm without handing it a configuration ({@code
 * RegionSplitter#newSplitAlgoInstance}).
 *
 * <pre>
 * HBASE_OPTS='-Drowguard.layout={id:hex(16)}' hbase org.apache.hadoop.hbase.util.RegionSplitter \\
 *     ids io.rowguard.split.LayoutSplitAlgorithm -c 16 -f f
 * </pre>
 *
 * <p>The {@code hbase} script splits HBASE_OPTS at blanks. A layout that has one goes into
 * JDK_JAVA_OPTIONS (from JDK 9 on), where the JVM understands quotes.
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
      Configuration conf = HBaseConfiguration.create();
      String layout = value(RowguardKey.LAYOUT, conf);
      if (layout == null) {
        throw new IllegalArgumentException(
            "There is no layout to split by. Put it before the command: HBASE_OPTS='-D"
                + RowguardKey.LAYOUT.key()
                + "={id:hex(16)}' hbase ...; one with a blank in it: JDK_JAVA_OPTIONS='\"-D"
                + RowguardKey.LAYOUT.key()
                + "={user:word}|{time:millis descending}\"' hbase ...; or set it in the client's"
                + " hbase-site.xml. A -D after RegionSplitter does not reach the algorithm.");
      }
      boundaries = LayoutBoundaries.of(RowkeyLayout.parse(layout), value(RowguardKey.GROUP, conf));
    }
    return boundaries;
  }

  private static String value(RowguardKey key, Configuration conf) {
    return System.getProperty(key.key(), conf.get(key.key()));
  }
}
