package io.rowguard.layout;

import java.io.ByteArrayOutputStream;
import java.util.List;

/**
 * Follows bytes through the layout of bare keys and puts in, at their places, what bare keys lack:
 * the derived segments and the literals after them. Immutable.
 *
 * <p>Where something is missing in a bare key follows from the bytes before that place: a segment
 * of fixed length ends by counting, and every other one that is not the last at the first place
 * where its literal stands. So two keys that agree up to a byte lack the same in front of it.
 */
final class BareWalk {
  private final List<Part> parts;
  private final PrefixAutomaton bareKeys;
  private final DerivedValue[] derivedAt;
  // Per part of bare keys, and for their end: the indexes of the layout's parts that are missing
  // right in front of it, first (inclusive) and last (exclusive).
  private final int[] missingFrom;
  private final int[] missingTo;

  BareWalk(RowkeyLayout layout, RowkeyLayout bare) {
    this.parts = layout.parts();
    this.bareKeys = new PrefixAutomaton(bare.parts());
    this.derivedAt = new DerivedValue[parts.size()];
    for (DerivedValue value : layout.derived()) {
      derivedAt[value.part()] = value;
    }
    int bareCount = bare.parts().size();
    this.missingFrom = new int[bareCount + 1];
    this.missingTo = new int[bareCount + 1];
    int part = 0;
    for (int i = 0; i <= bareCount; i++) {
      missingFrom[i] = part;
      while (part < parts.size() && !BareKeys.isKept(parts, part)) {
        part++;
      }
      missingTo[i] = part++;
    }
  }

  /** The bytes of salted rows for bytes at the beginning of bare keys. */
  static final class Prefix {
    /** The bytes of the salted rows; zeros for derived segments that are not given. */
    final byte[] salted;

    /** How many of the layout's parts, counted from the left, the bytes hold completely. */
    final int completeParts;

    /** The position of the part after those in the bare key, if it is of fixed length. */
    final int nextPartStart;

    Prefix(byte[] salted, int completeParts, int nextPartStart) {
      this.salted = salted;
      this.completeParts = completeParts;
      this.nextPartStart = nextPartStart;
    }
  }

  /**
   * As {@link #salted}, with zeros for free segments; bytes from where no bare key goes on are left
   * out.
   */
  Prefix prefix(byte[] key) {
    return follow(key, new byte[parts.size()][], false);
  }

  /**
   * The position that a key would have among the rows of a bucket: rows of bare keys below, at and
   * above the key compare so with the result.
   *
   * @param key any bytes, a bare key or not
   * @param values per part the value of a free segment; null for all others
   */
  byte[] salted(byte[] key, byte[][] values) {
    return follow(key, values, true).salted;
  }

  private Prefix follow(byte[] key, byte[][] values, boolean withRest) {
    ByteArrayOutputStream salted = new ByteArrayOutputStream(key.length + 16);
    PrefixState state = bareKeys.start();
    putMissing(0, values, salted);
    int i = 0;
    while (i < key.length) {
      PrefixState next = bareKeys.next(state, key[i]);
      if (next == null) {
        break;
      }
      salted.write(key[i++]);
      if (next.part != state.part) {
        putMissing(next.part, values, salted);
      }
      state = next;
    }
    if (withRest) {
      salted.write(key, i, key.length - i);
    }
    // The parts in front of the one that the next byte belongs to.
    return new Prefix(salted.toByteArray(), missingTo[state.part], i - state.length);
  }

  private void putMissing(int barePart, byte[][] values, ByteArrayOutputStream salted) {
    for (int part = missingFrom[barePart]; part < missingTo[barePart]; part++) {
      byte[] bytes = missing(part, values, salted);
      salted.write(bytes, 0, bytes.length);
    }
  }

  private byte[] missing(int part, byte[][] values, ByteArrayOutputStream salted) {
    if (parts.get(part) instanceof Literal) {
      return ((Literal) parts.get(part)).shared();
    }
    if (values[part] != null) {
      return values[part];
    }
    if (SaltBuckets.isFree(derivedAt[part])) {
      return new byte[parts.get(part).minLength()];
    }
    byte[] before = salted.toByteArray();
    return derivedAt[part].value(before, 0, before.length);
  }
}
