package io.rowguard.tools.keys;

import java.util.Map;

/**
 * Makes keys as an application would, so that a design can be tried before there is data. Found by
 * {@link java.util.ServiceLoader}; needs a public constructor without arguments.
 *
 * <pre>{@code
 * public final class TicketKeys implements RowKeyGenerator {
 *   public String name() { return "ticket"; }
 *   public String description() { return "ticket numbers, as the shop gives them out"; }
 *   public Map<String, String> options() { return Map.of("first", "the first number; 1"); }
 *   public String layout() { return "{ticket:digits(10)}"; }
 *   public RowKeys open(GeneratorRequest request) {
 *     long first = request.number("first", 1);
 *     return new RowKeys() {
 *       public int maxLength() { return 10; }
 *       public int write(long index, byte[] target) { ... }
 *     };
 *   }
 * }
 * }</pre>
 *
 * <p>Implementations are immutable and thread-safe. The same request gives the same keys.
 */
public interface RowKeyGenerator {
  /** The name by which {@code --generator} takes it: lower-case letters, digits and {@code -}. */
  String name();

  /** The description of its keys, one line for the list of generators. */
  String description();

  /** Its options: the name of each, with its meaning and default in a few words. */
  Map<String, String> options();

  /** The layout that its keys fit when the user gives none; null when it needs one. */
  String layout();

  /**
   * Begins a sequence of keys.
   *
   * @throws IllegalArgumentException when an option is wrong or the layout cannot take such keys;
   *     the message says what to do
   */
  RowKeys open(GeneratorRequest request);
}
