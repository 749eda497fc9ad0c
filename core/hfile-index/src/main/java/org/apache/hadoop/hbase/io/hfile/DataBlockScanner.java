package org.apache.hadoop.hbase.io.hfile;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;

/**
 * Scans the cells of one data block and ends where the block ends, so that it reads no other: a
 * scanner of HBase's own goes on to the next block before anyone can see that this one is done.
 *
 * <p>It lives in HBase's package since HBase's scanners are not public there.
 */
final class DataBlockScanner {
  private DataBlockScanner() {}

  /**
   * A scanner at the first cell of a block that was read for it. The block is released when the
   * scanner is closed, or here when there is no scanner, since the block is none that can be
   * scanned.
   */
  static HFileScanner at(HFileBlock block, HFile.Reader reader, Configuration conf)
      throws IOException {
    HFileReaderImpl.HFileScannerImpl scanner;
    try {
      scanner =
          reader.getDataBlockEncoding() == DataBlockEncoding.NONE
              ? new Plain(reader)
              : new Encoded(reader, conf);
    } catch (RuntimeException | Error e) {
      block.release();
      throw e;
    }
    try {
      scanner.updateCurrentBlock(block);
      return scanner;
    } catch (IOException | RuntimeException | Error e) {
      // It has released the block, unless it had taken it over already, as it may have.
      scanner.close();
      throw e;
    }
  }

  /** A block whose cells lie in it one by one. */
  private static final class Plain extends HFileReaderImpl.HFileScannerImpl {
    Plain(HFile.Reader reader) {
      super(reader, false, true, false);
    }

    @Override
    protected HFileBlock readNextDataBlock() {
      return null;
    }
  }

  /** A block whose cells lean on each other. */
  private static final class Encoded extends HFileReaderImpl.EncodedScanner {
    Encoded(HFile.Reader reader, Configuration conf) {
      super(reader, false, true, false, reader.getFileContext(), conf);
    }

    @Override
    protected HFileBlock readNextDataBlock() {
      return null;
    }
  }
}
