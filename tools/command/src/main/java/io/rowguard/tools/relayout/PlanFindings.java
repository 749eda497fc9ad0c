package io.rowguard.tools.relayout;

import java.util.ArrayList;
import java.util.List;

/** The findings of a plan so far: obstacles, and notes. */
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
