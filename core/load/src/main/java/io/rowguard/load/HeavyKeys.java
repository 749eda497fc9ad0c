package io.rowguard.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The heaviest keys of a stream of weighted ones, in bounded memory: Space-Saving (A. Metwally, D.
 * Agrawal, A. El Abbadi, "Efficient computation of frequent and top-k elements in data streams",
 * ICDT 2005) with weights. Not thread-safe; allocates nothing but in {@link #keys} and when it is
 * made.
 *
 * <p>It has {@code capacity} counters. A key without one takes over the lightest, and what that had
 * becomes the error of the new one: so much may have come of it before. With {@code W} the weight
 * of all that came, the true weight of a key with a counter lies between what was counted since and
 * that plus its error; each error, and the weight of each key without a counter, is at most {@code
 * W / capacity}. So every key of more than that has a counter.
 *
 * <p>Of a key the first {@value #KEPT_BYTES} bytes are kept. Longer ones are told apart by their
 * length and a hash of 64 bits.
 */
final class HeavyKeys {
  /** The bytes that are kept of a key. */
  static final int KEPT_BYTES = 64;

  private final int capacity;
  private final byte[] bytes;
  private final short[] lengths;
  private final long[] hashes;
  private final double[] reads;
  private final double[] writes;
  private final double[] errors;

  /** The most that the key of a counter may have: what was read and written, and its error. */
  private final double[] weights;

  /** A heap of counters, the lightest first. */
  private final short[] heap;

  /** The place of a counter in the heap. */
  private final short[] places;

  /** Counters by hash, with linear probing; {@link #FREE} where there is none. */
  private final short[] table;

  private int size;

  private static final short FREE = -1;

  /**
   * @param capacity how many counters, 1 to 16,384
   */
  HeavyKeys(int capacity) {
    this.capacity = capacity;
    this.bytes = new byte[capacity * KEPT_BYTES];
    this.lengths = new short[capacity];
    this.hashes = new long[capacity];
    this.reads = new double[capacity];
    this.writes = new double[capacity];
    this.errors = new double[capacity];
    this.weights = new double[capacity];
    this.heap = new short[capacity];
    this.places = new short[capacity];
    this.table = new short[Integer.highestOneBit(2 * capacity - 1) << 1];
    Arrays.fill(table, FREE);
  }

  /**
   * A hash of {@code length} bytes from {@code offset}: what {@link #add} wants. Allocates nothing.
   */
  static long hash(byte[] key, int offset, int length) {
    long hash = length;
    int end = offset + length;
    int next = offset;
    for (; end - next >= Long.BYTES; next += Long.BYTES) {
      hash = mixed(hash ^ bigEndian(key, next, next + Long.BYTES));
    }
    hash = mixed(hash ^ bigEndian(key, next, end));
    hash = (hash ^ hash >>> 32) * 0xD6E8FEB86659FD93L;
    return hash ^ hash >>> 32;
  }

  private static long mixed(long hash) {
    long product = hash * 0x9E3779B97F4A7C15L;
    return product ^ product >>> 29;
  }

  private static long bigEndian(byte[] bytes, int from, int to) {
    long value = 0;
    for (int i = from; i < to; i++) {
      value = (value << Byte.SIZE) | (bytes[i] & 0xff);
    }
    return value;
  }

  /**
   * Counts a key of {@code length} bytes from {@code offset}, at most 32,767.
   *
   * @param weight 0 or more
   */
  void add(long hash, byte[] key, int offset, int length, double weight, boolean isWrite) {
    int counter = find(hash, key, offset, length);
    if (counter < 0) {
      counter = size < capacity ? newCounter() : takeOver();
      hashes[counter] = hash;
      lengths[counter] = (short) length;
      int kept = Math.min(length, KEPT_BYTES);
      System.arraycopy(key, offset, bytes, counter * KEPT_BYTES, kept);
      table[freeSlot(hash)] = (short) counter;
    }
    if (isWrite) {
      writes[counter] += weight;
    } else {
      reads[counter] += weight;
    }
    weights[counter] += weight;
    siftUp(places[counter]);
    siftDown(places[counter]);
  }

  private int newCounter() {
    int counter = size++;
    heap[counter] = (short) counter;
    places[counter] = (short) counter;
    return counter;
  }

  /** Takes the lightest counter from its key. */
  private int takeOver() {
    int counter = heap[0];
    removeFromTable(counter);
    errors[counter] = weights[counter];
    reads[counter] = 0;
    writes[counter] = 0;
    return counter;
  }

  /** Multiplies all weights: by a power of two, which loses nothing. */
  void scale(double factor) {
    for (int i = 0; i < size; i++) {
      reads[i] *= factor;
      writes[i] *= factor;
      errors[i] *= factor;
      weights[i] *= factor;
    }
  }

  /** The most that a key without a counter may have. */
  double unseenAtMost() {
    return size < capacity ? 0 : weights[heap[0]];
  }

  /**
   * The keys with a counter, those of the most certain weight first.
   *
   * @param factor what all weights are multiplied by
   */
  List<HeavyKey> keys(double factor) {
    List<HeavyKey> keys = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      int from = i * KEPT_BYTES;
      byte[] key = Arrays.copyOfRange(bytes, from, from + Math.min(lengths[i], KEPT_BYTES));
      keys.add(
          new HeavyKey(key, lengths[i], reads[i] * factor, writes[i] * factor, errors[i] * factor));
    }
    keys.sort((a, b) -> Double.compare(b.atLeast(), a.atLeast()));
    return keys;
  }

  private int slot(long hash) {
    return (int) hash & table.length - 1;
  }

  private int next(int slot) {
    return slot + 1 & table.length - 1;
  }

  private int find(long hash, byte[] key, int offset, int length) {
    for (int slot = slot(hash); table[slot] != FREE; slot = next(slot)) {
      int counter = table[slot];
      if (hashes[counter] == hash
          && lengths[counter] == length
          && isKept(counter, key, offset, Math.min(length, KEPT_BYTES))) {
        return counter;
      }
    }
    return -1;
  }

  private boolean isKept(int counter, byte[] key, int offset, int length) {
    int from = counter * KEPT_BYTES;
    for (int i = 0; i < length; i++) {
      if (bytes[from + i] != key[offset + i]) {
        return false;
      }
    }
    return true;
  }

  private int freeSlot(long hash) {
    int slot = slot(hash);
    while (table[slot] != FREE) {
      slot = next(slot);
    }
    return slot;
  }

  /** Closes the gap, so that every search still finds what stands behind it. */
  private void removeFromTable(int counter) {
    int gap = slot(hashes[counter]);
    while (table[gap] != counter) {
      gap = next(gap);
    }
    table[gap] = FREE;
    for (int slot = next(gap); table[slot] != FREE; slot = next(slot)) {
      int wanted = slot(hashes[table[slot]]);
      int fromWanted = slot - wanted & table.length - 1;
      int fromGap = slot - gap & table.length - 1;
      if (fromWanted >= fromGap) {
        table[gap] = table[slot];
        table[slot] = FREE;
        gap = slot;
      }
    }
  }

  private void siftUp(int from) {
    short counter = heap[from];
    int place = from;
    while (place > 0 && weights[counter] < weights[heap[(place - 1) / 2]]) {
      put(heap[(place - 1) / 2], place);
      place = (place - 1) / 2;
    }
    put(counter, place);
  }

  private void siftDown(int from) {
    short counter = heap[from];
    int place = from;
    for (int child = lighterChild(place);
        child < size && weights[heap[child]] < weights[counter];
        child = lighterChild(place)) {
      put(heap[child], place);
      place = child;
    }
    put(counter, place);
  }

  /** The place of the lighter child; {@link #size} or more where there is none. */
  private int lighterChild(int place) {
    int child = 2 * place + 1;
    boolean isSecond = child + 1 < size && weights[heap[child + 1]] < weights[heap[child]];
    return isSecond ? child + 1 : child;
  }

  private void put(short counter, int place) {
    heap[place] = counter;
    places[counter] = (short) place;
  }
}
