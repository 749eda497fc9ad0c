package io.rowguard.relayout.model;

import static io.rowguard.relayout.model.Descriptor.home;
import static io.rowguard.relayout.model.Descriptor.prepared;
import static io.rowguard.relayout.model.Descriptor.returned;
import static io.rowguard.relayout.model.Descriptor.returning;

/**
 * What operators do to a table, from layout A to layout B and sometimes back: beginnings of
 * settings.
 */
final class Scripts {
  private Scripts() {}

  /** All of it: start, with its two alters, and finish. */
  static Setting startToFinish() {
    return Setting.of(
        "start to finish", home(0, 0), prepared(0, 1), Descriptor.moving(0, 1), home(1, 1));
  }

  static Setting start() {
    return Setting.of("start", home(0, 0), prepared(0, 1), Descriptor.moving(0, 1));
  }

  /** Start, and given up before its second alter. */
  static Setting startGivenUp() {
    return Setting.of("start given up", home(0, 0), prepared(0, 1), home(0, 1));
  }

  /** Rows move; nobody alters anything. */
  static Setting moving() {
    return Setting.of("moving", Descriptor.moving(0, 1));
  }

  static Setting finish() {
    return Setting.of("finish", Descriptor.moving(0, 1), home(1, 1));
  }

  /** There and back by two relayouts, the second one like the first. */
  static Setting finishAndStartBackwards() {
    return Setting.of(
        "finish, start backwards",
        Descriptor.moving(0, 1),
        home(1, 1),
        prepared(1, 2),
        Descriptor.moving(1, 2));
  }

  /**
   * Back with one alter, as it was first designed: nothing can be written between the reopenings.
   */
  static Setting plainBack() {
    return Setting.of("plain back", Descriptor.moving(0, 1), Descriptor.moving(1, 2));
  }

  static Setting plainBackAndFinish() {
    return Setting.of(
        "plain back, finish", Descriptor.moving(0, 1), Descriptor.moving(1, 2), home(0, 2));
  }

  static Setting plainBackAndStartAgain() {
    return Setting.of(
        "plain back, start",
        Descriptor.moving(0, 1),
        Descriptor.moving(1, 2),
        Descriptor.moving(0, 3));
  }

  /** Back with two alters, so that no key is blocked. */
  static Setting back() {
    return Setting.of("back", Descriptor.moving(0, 1), returning(1, 2), returned(1, 2));
  }

  static Setting backAndFinish() {
    return Setting.of(
        "back, finish", Descriptor.moving(0, 1), returning(1, 2), returned(1, 2), home(0, 2));
  }

  /** Back, and before it is over back again. */
  static Setting backAndStartAgain() {
    return Setting.of(
        "back, start again",
        Descriptor.moving(0, 1),
        returning(1, 2),
        returned(1, 2),
        returning(0, 3),
        returned(0, 3));
  }

  /** Start, and back before it is over. */
  static Setting startAndBack() {
    return Setting.of(
        "start, back",
        home(0, 0),
        prepared(0, 1),
        Descriptor.moving(0, 1),
        returning(1, 2),
        returned(1, 2));
  }
}
