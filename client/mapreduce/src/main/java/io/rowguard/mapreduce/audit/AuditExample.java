package io.rowguard.mapreduce.audit;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** One row that does not fit. Immutable. */
public final class AuditExample {
  private final String row;
  private final String problem;
  private final boolean isBare;

  /**
   * @param row the row as {@code RowText} shows it, abbreviated
   * @param problem what is wrong, as a clause
   * @param isBare whether it lacks only what the layout derives
   */
  AuditExample(String row, String problem, boolean isBare) {
    this.row = row;
    this.problem = problem;
    this.isBare = isBare;
  }

  /** The row as the HBase shell shows it, at most its first 100 bytes. */
  public String row() {
    return row;
  }

  /** The mistake, as a clause. */
  public String problem() {
    return problem;
  }

  /** Whether the row is a bare key: it lacks only what the layout derives. */
  public boolean isBare() {
    return isBare;
  }

  void write(DataOutput out) throws IOException {
    out.writeUTF(row);
    out.writeUTF(problem);
    out.writeBoolean(isBare);
  }

  static AuditExample read(DataInput in) throws IOException {
    return new AuditExample(in.readUTF(), in.readUTF(), in.readBoolean());
  }
}
