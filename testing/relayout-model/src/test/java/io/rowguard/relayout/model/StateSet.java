package io.rowguard.relayout.model;

import java.util.Arrays;

/**
 * All states that were reached, each with the one that it was reached from first. States are
 * numbered in the order in which they come. Some 16 bytes per state, and the state itself.
 */
final class StateSet {
  private static final int CHUNK = 1 << 22;
  private static final int ALIGN = 4;

  private byte[][] chunks = new byte[16][];
  private int[] places = new int[1 << 12];
  private int[] parents = new int[1 << 12];
  private int[] table = new int[1 << 14];
  private int size;
  private int end;

  int size() {
    return size;
  }

  /** Adds a state unless it is there. Whether it was new. */
  boolean add(byte[] state, int parent) {
    if (size * 2 >= table.length) {
      grow();
    }
    int slot = slot(state);
    if (table[slot] != 0) {
      return false;
    }
    if (size == places.length) {
      places = Arrays.copyOf(places, 2 * size);
      parents = Arrays.copyOf(parents, 2 * size);
    }
    places[size] = write(state);
    parents[size] = parent;
    table[slot] = ++size;
    return true;
  }

  byte[] get(int index) {
    byte[] chunk = chunks[chunk(index)];
    int from = offset(index);
    int length = chunk[from] & 0xFF;
    return Arrays.copyOfRange(chunk, from + 1, from + 1 + length);
  }

  int parent(int index) {
    return parents[index];
  }

  private int chunk(int index) {
    return places[index] / (CHUNK / ALIGN);
  }

  private int offset(int index) {
    return places[index] % (CHUNK / ALIGN) * ALIGN;
  }

  private int write(byte[] state) {
    if (state.length > 255) {
      throw new IllegalStateException("A state is too long. bytes=" + state.length);
    }
    int units = (state.length + ALIGN) / ALIGN;
    if (end % (CHUNK / ALIGN) + units > CHUNK / ALIGN) {
      end = (end / (CHUNK / ALIGN) + 1) * (CHUNK / ALIGN);
    }
    int place = end;
    int chunk = place / (CHUNK / ALIGN);
    if (chunk == chunks.length) {
      chunks = Arrays.copyOf(chunks, 2 * chunk);
    }
    if (chunks[chunk] == null) {
      chunks[chunk] = new byte[CHUNK];
    }
    int offset = place % (CHUNK / ALIGN) * ALIGN;
    chunks[chunk][offset] = (byte) state.length;
    System.arraycopy(state, 0, chunks[chunk], offset + 1, state.length);
    end += units;
    return place;
  }

  private int slot(byte[] state) {
    int mask = table.length - 1;
    int slot = hash(state) & mask;
    while (table[slot] != 0 && !isEqual(table[slot] - 1, state)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private boolean isEqual(int index, byte[] state) {
    byte[] chunk = chunks[chunk(index)];
    int from = offset(index);
    int length = chunk[from] & 0xFF;
    return Arrays.equals(chunk, from + 1, from + 1 + length, state, 0, state.length);
  }

  private void grow() {
    table = new int[2 * table.length];
    for (int index = 0; index < size; index++) {
      table[slot(get(index))] = index + 1;
    }
  }

  private static int hash(byte[] state) {
    long hash = state.length;
    for (byte b : state) {
      hash = (hash ^ b) * 0x9E3779B97F4A7C15L;
      hash ^= hash >>> 29;
    }
    return (int) (hash >>> 32);
  }
}
