package io.rowguard.relayout.model;

import static io.rowguard.relayout.model.Descriptor.home;
import static io.rowguard.relayout.model.Descriptor.prepared;

/** An operator's alters of a table, from layout A to layout B and sometimes back. */
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

  /** Rows move, without another alter. */
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

  /** Back with one alter: nothing can be written between the reopenings. */
  static Setting back() {
    return Setting.of("back", Descriptor.moving(0, 1), Descriptor.moving(1, 2));
  }

  static Setting backAndFinish() {
    return Setting.of("back, finish", Descriptor.moving(0, 1), Descriptor.moving(1, 2), home(0, 2));
  }

  /** Back, and before it is over back again. */
  static Setting backAndStartAgain() {
    return Setting.of(
        "back, start again",
        Descriptor.moving(0, 1),
        Descriptor.moving(1, 2),
        Descriptor.moving(0, 3));
  }

  /** Start, and back before it is over. */
  static Setting startAndBack() {
    return Setting.of(
        "start, back",
        home(0, 0),
        prepared(0, 1),
        Descriptor.moving(0, 1),
        Descriptor.moving(1, 2));
  }
}
