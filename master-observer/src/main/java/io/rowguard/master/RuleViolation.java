package io.rowguard.master;

/** One rule that an operation breaks, and the message for the operator. Immutable. */
final class RuleViolation {
  private final Rule rule;
  private final boolean refusable;
  private final String message;

  private RuleViolation(Rule rule, boolean refusable, String message) {
    this.rule = rule;
    this.refusable = refusable;
    this.message = message;
  }

  /** As the rule has it: the operation is refused, or only the log says so. */
  static RuleViolation of(Rule rule, String message) {
    return new RuleViolation(rule, rule.refuses(), message);
  }

  /** The same, for the log only. */
  RuleViolation asWarning() {
    return new RuleViolation(rule, false, message);
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
