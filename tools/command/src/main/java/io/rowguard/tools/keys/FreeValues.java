package io.rowguard.tools.keys;

/** The values that the user says, for any layout. */
public final class FreeValues extends BuiltInGenerator {
  /** For {@link java.util.ServiceLoader}. */
  public FreeValues() {
    super("values", "any layout, each segment as you say", null);
  }
}
