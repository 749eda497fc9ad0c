package io.rowguard.master;

/** One rule that an operation breaks, and what the operator is told. Immutable. */
final class Finding {
  private final Rule rule;
  private final boolean refusable;
  private final String message;

  private Finding(Rule rule, boolean refusable, String message) {
    this.rule = rule;
    this.refusable = refusable;
    this.message = message;
  }

  /** As the rule has it: the operation is refused, or the log tells. */
  static Finding of(Rule rule, String message) {
    return new Finding(rule, rule.refuses(), message);
  }

  /** The same, for the log only. */
  Finding asWarning() {
    return new Finding(rule, false, message);
  }

  Rule rule() {
    return rule;
  }

  /** Whether the operation is refused for it. */
  boolean isRefusal() {
    return refusable;
  }

  /** A fixed first sentence, {@code key=value} pairs, the way out; one line. */
  String message() {
    return message;
  }
}
