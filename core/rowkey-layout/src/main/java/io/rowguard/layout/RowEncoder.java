package io.rowguard.layout;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Map;

/** Builds the row of given values. */
final class RowEncoder {
  private final RowkeyLayout layout;

  RowEncoder(RowkeyLayout layout) {
    this.layout = layout;
  }

  byte[] encode(Map<String, ?> values) {
    refuseUnknown(values);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int count = written(values);
    for (int i = 0; i < count; i++) {
      if (RowMatcher.isInner(layout.parts(), i + 1)
          && value(layout.parts().get(i + 1), values) == null) {
        i++;
        continue;
      }
      byte[] encoded = encoded(layout.parts().get(i), values);
      bytes.write(encoded, 0, encoded.length);
    }
    byte[] row = bytes.toByteArray();
    // A value that brings its own terminator would shift what comes after it; see below.
    if (layout.matcher().match(row, 0, row.length) == Verdict.CONFORMS) {
      writeComputed(row);
    }
    requireSameReading(row, values);
    return row;
  }

  private void writeComputed(byte[] row) {
    for (DerivedValue value : layout.derived()) {
      if (!value.hasChoice()) {
        value.write(row, 0, row.length, 0);
      }
    }
  }

  private static boolean isComputed(Segment segment) {
    return segment.isDerived() && !segment.derivation().hasChoice();
  }

  /** How many parts the row of these values has. */
  private int written(Map<String, ?> values) {
    int parts = layout.parts().size();
    int required = layout.matcher().required();
    boolean isMissing = required < parts && value(layout.parts().get(parts - 1), values) == null;
    return isMissing ? required : parts;
  }

  private static Object value(Part part, Map<String, ?> values) {
    return values.get(((Segment) part).name());
  }

  /** Derived segments are filled with what their alphabet accepts until they can be computed. */
  private static byte[] encoded(Part part, Map<String, ?> values) {
    if (part instanceof Literal) {
      return ((Literal) part).shared();
    }
    Segment segment = (Segment) part;
    if (!isComputed(segment)) {
      return ValueCodec.encode(segment, values.get(segment.name()));
    }
    byte[] zeros = new byte[segment.minLength()];
    Arrays.fill(zeros, NumberForm.symbol(segment, 0));
    return zeros;
  }

  private void refuseUnknown(Map<String, ?> values) {
    for (String name : values.keySet()) {
      if (isComputed(layout.segment(name))) {
        throw new IllegalArgumentException(
            "A derived segment is computed and cannot be given. segment=" + name);
      }
    }
    for (Segment segment : layout.segments()) {
      boolean isNeeded = !isComputed(segment) && !segment.isOptional();
      if (isNeeded && values.get(segment.name()) == null) {
        throw new IllegalArgumentException("A value is missing. segment=" + segment.name());
      }
    }
  }

  /**
   * A value may end so that it and the literal after it hold that literal earlier (value {@code
   * xab} before {@code aba}): the row would conform and be read back as something else.
   */
  private void requireSameReading(byte[] row, Map<String, ?> values) {
    for (Segment segment : layout.segments()) {
      if (!segment.isDerived() && values.get(segment.name()) != null) {
        // Refuses a row that does not conform; every layout has a segment that comes to this.
        int[] range = layout.segmentRange(segment.name(), row);
        byte[] given = ValueCodec.encode(segment, values.get(segment.name()));
        if (!Arrays.equals(given, Arrays.copyOfRange(row, range[0], range[1]))) {
          throw new IllegalArgumentException(
              "The value holds the literal that ends its segment, so it could not be read back."
                  + " segment="
                  + segment.name()
                  + " value=\""
                  + RowText.abbreviated(given)
                  + "\"");
        }
      }
    }
  }
}
