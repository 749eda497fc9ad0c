package io.rowguard.relayout.model;

import java.util.ArrayList;
import java.util.List;

/** A world whose states are explored: steps change it, and {@link #packed} is its value. */
abstract class Explored {
  private final Bits bits = new Bits();
  private String violation;
  private List<String> told;

  /** Writes or reads all that belongs to the state. */
  abstract void pass(Bits bits);

  /** Whether all clients are through. */
  abstract boolean nobodyWaits();

  /** Whether the last alter is everywhere. */
  abstract boolean isLast();

  /** The value of this state, by which states are told apart. */
  final byte[] packed() {
    bits.beginWriting();
    pass(bits);
    return bits.written();
  }

  /** Makes this the state of that value. */
  final void unpack(byte[] packed) {
    bits.beginReading(packed);
    pass(bits);
    violation = null;
  }

  /** From now on {@link #say} is kept. */
  final void listen() {
    told = new ArrayList<>();
  }

  final boolean isHeard() {
    return told != null;
  }

  /** The words since the last call. */
  final String told() {
    String line = String.join("; ", told);
    told.clear();
    return line;
  }

  /** Tells what a step does. Costs next to nothing before {@link #listen}. */
  final void say(Object... words) {
    if (told == null) {
      return;
    }
    StringBuilder line = new StringBuilder();
    for (Object word : words) {
      line.append(word);
    }
    told.add(line.toString());
  }

  final void violate(String what) {
    if (violation == null) {
      violation = what;
    }
  }

  /** The violation, or null. */
  final String violation() {
    return violation;
  }
}
