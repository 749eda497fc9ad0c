package io.rowguard.routing;

import io.rowguard.layout.LayoutChange;
import io.rowguard.layout.Verdict;
import java.util.EnumMap;
import java.util.Map;

/** The way to the row that a request names. Immutable and thread-safe. */
public final class Route {
  /** How a row is reached. */
  public enum Kind {
    /** It lives where it is. */
    HERE,
    /** Another row takes its place: {@link Route#otherRow}. */
    AT,
    /** It lives where it is, once what {@link Route#otherRow} holds has been pulled there. */
    AFTER_PULL,
    /** It lives nowhere: it fits no layout of the table, see {@link Route#verdict}. */
    NOWHERE
  }

  static final Route HERE = new Route(Kind.HERE, null, null, null, Verdict.CONFORMS);

  private static final Map<Verdict, Route> NOWHERE = new EnumMap<>(Verdict.class);

  static {
    for (Verdict verdict : Verdict.values()) {
      NOWHERE.put(verdict, new Route(Kind.NOWHERE, null, null, null, verdict));
    }
  }

  private final Kind kind;

  /** The other row; null while it is still to be derived from the row and the change. */
  private final byte[] other;

  private final byte[] row;
  private final LayoutChange change;
  private final Verdict verdict;

  private Route(Kind kind, byte[] other, byte[] row, LayoutChange change, Verdict verdict) {
    this.kind = kind;
    this.other = other;
    this.row = row;
    this.change = change;
    this.verdict = verdict;
  }

  static Route ofBareKey(byte[] salted, Verdict verdict) {
    return new Route(Kind.AT, salted, null, null, verdict);
  }

  static Route atNew(byte[] oldRow, LayoutChange change) {
    return new Route(Kind.AT, null, oldRow, change, Verdict.CONFORMS);
  }

  static Route afterPull(byte[] newRow, LayoutChange change) {
    return new Route(Kind.AFTER_PULL, null, newRow, change, Verdict.CONFORMS);
  }

  static Route nowhere(Verdict verdict) {
    return NOWHERE.get(verdict);
  }

  /** How the row is reached. */
  public Kind kind() {
    return kind;
  }

  /**
   * The row that takes the place of the one asked about, or from which that one is pulled.
   *
   * <p>Cost: while the layout changes each call derives it anew, since most callers need the kind
   * only.
   *
   * @throws IllegalStateException for {@link Kind#HERE} and {@link Kind#NOWHERE}
   */
  public byte[] otherRow() {
    if (other != null) {
      return other;
    }
    if (change == null) {
      throw new IllegalStateException("There is no other row. route=" + kind);
    }
    return kind == Kind.AT ? change.toNew(row) : change.toOld(row);
  }

  /**
   * Why the bytes are no row of a layout of the table, as for a bare key and for {@link
   * Kind#NOWHERE}; {@link Verdict#CONFORMS} for a row of one.
   */
  public Verdict verdict() {
    return verdict;
  }

  /** Whether the bytes are a row of a layout of the table, and no bare key. */
  public boolean isRow() {
    return verdict == Verdict.CONFORMS;
  }

  @Override
  public String toString() {
    return kind == Kind.NOWHERE ? kind + " " + verdict : kind.toString();
  }
}
