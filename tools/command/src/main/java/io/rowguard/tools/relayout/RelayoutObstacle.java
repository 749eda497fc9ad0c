package io.rowguard.tools.relayout;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Something that keeps a step of a relayout from being done.
 *
 * @param code stable, for programs
 * @param what a sentence
 * @param wayOut what to do
 */
record RelayoutObstacle(String code, String what, String wayOut) {
  /** Some of them in one line, each with its way out. */
  static String sentences(List<RelayoutObstacle> obstacles) {
    return obstacles.stream()
        .map(each -> each.what() + " Way out: " + each.wayOut())
        .collect(Collectors.joining(" "));
  }
}
