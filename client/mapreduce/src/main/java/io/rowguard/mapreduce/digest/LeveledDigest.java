package io.rowguard.mapreduce.digest;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Writable;

/** A range's digest on its way from a mapper, with the level at which the range was cut off. */
final class LeveledDigest implements Writable {
  private final CellsDigest digest;
  private int level;

  /** For Hadoop. */
  LeveledDigest() {
    this(0, new CellsDigest());
  }

  LeveledDigest(int level, CellsDigest digest) {
    this.level = level;
    this.digest = digest;
  }

  int level() {
    return level;
  }

  CellsDigest digest() {
    return digest;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeInt(level);
    digest.write(out);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    level = in.readInt();
    digest.readFields(in);
  }
}
