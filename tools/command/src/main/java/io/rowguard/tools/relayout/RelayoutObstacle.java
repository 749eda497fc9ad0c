package io.rowguard.tools.relayout;

/**
 * Something that keeps a step of a relayout from being done.
 *
 * @param code stable, for programs
 * @param what a sentence
 * @param wayOut what to do
 */
public record RelayoutObstacle(String code, String what, String wayOut) {}
