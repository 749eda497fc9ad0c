package io.rowguard.config;

import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.LayoutChange;
import java.util.Locale;

/**
 * The declaration of a table whose rows go from one layout to another ({@code
 * docs/internals/decisions/0013-relayout-by-pull.md}). Immutable and thread-safe.
 */
public final class Relayout {
  /** How far it is, {@code rowguard.layout.phase}. */
  public enum Phase {
    /**
     * Both layouts are known everywhere; the old rows are the primary ones still, and take the
     * writes.
     */
    PREPARED,
    /** The new rows are the primary ones; what is written is pulled there first. */
    MOVING;

    /** As it stands in a descriptor. */
    public String inDescriptor() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final LayoutChange change;
  private final EntityGroup previousGroup;
  private final Phase phase;
  private final long generation;

  Relayout(LayoutChange change, EntityGroup previousGroup, Phase phase, long generation) {
    this.change = change;
    this.previousGroup = previousGroup;
    this.phase = phase;
    this.generation = generation;
  }

  /** The same for rows of other lengths, in groups of the same name. */
  Relayout with(LayoutChange other, String groupName) {
    return new Relayout(other, EntityGroup.of(other.from(), groupName), phase, generation);
  }

  /** From {@code rowguard.layout.previous} to {@code rowguard.layout}. */
  public LayoutChange change() {
    return change;
  }

  /** The entity groups under the layout that rows leave. */
  public EntityGroup previousGroup() {
    return previousGroup;
  }

  /** How far it is. */
  public Phase phase() {
    return phase;
  }

  /** Tells this relayout from those before and after: what servers say to each other names it. */
  public long generation() {
    return generation;
  }
}
