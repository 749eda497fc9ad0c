package io.rowguard.benchmarks.constraint;

/** Rows are {@code {scope:text}/{name:text}}. */
public final class PackagesConstraint extends RowConstraint {
  /** For HBase, which makes one by name. */
  public PackagesConstraint() {}

  @Override
  boolean isRight(String row) {
    String[] pieces = row.split("/", 2);
    return pieces.length == 2 && !pieces[0].isEmpty() && !pieces[1].isEmpty() && !isDamaged(row);
  }
}
