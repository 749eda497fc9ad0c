package io.rowguard.layout;

import java.util.Arrays;

/** Bytes that stand in every row at this place, such as the {@code |} between two segments. */
public final class Literal extends Part {
  private final byte[] bytes;

  Literal(byte[] bytes) {
    this.bytes = bytes;
  }

  /** A copy of the bytes; one or more. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** The bytes themselves, for the package's own reading. */
  byte[] shared() {
    return bytes;
  }

  @Override
  public int minLength() {
    return bytes.length;
  }

  @Override
  public int maxLength() {
    return bytes.length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Literal && Arrays.equals(bytes, ((Literal) other).bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(bytes.length + 8);
    for (byte b : bytes) {
      if (b == '{' || b == '}' || b == '\\') {
        text.append('\\').append((char) b);
      } else {
        text.append(RowText.toStringBinary(new byte[] {b}));
      }
    }
    return text.toString();
  }
}
