package io.rowguard.tools.relayout;

import java.util.ArrayList;
import java.util.List;

/** What a plan has found out so far: what is in the way, and what else there is to know. */
final class PlanFindings {
  private final List<RelayoutObstacle> obstacles = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  /**
   * Something is in the way.
   *
   * @param code stable, for programs
   * @param what a sentence
   * @param wayOut what to do
   */
  void obstacle(String code, String what, String wayOut) {
    obstacle(new RelayoutObstacle(code, what, wayOut));
  }

  void obstacle(RelayoutObstacle obstacle) {
    obstacles.add(obstacle);
  }

  /** Something that is not in the way, as a sentence. */
  void note(String sentence) {
    notes.add(sentence);
  }

  boolean isClear() {
    return obstacles.isEmpty();
  }

  List<RelayoutObstacle> obstacles() {
    return List.copyOf(obstacles);
  }

  List<String> notes() {
    return List.copyOf(notes);
  }
}
